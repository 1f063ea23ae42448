package loader

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
)

// junkRecords is the number of unreadable records, from the first on, after which a file counts as something
// else than pings.
const junkRecords = 1000

// ErrJunk means a file does not hold pings.
var ErrJunk = errors.New("is it a file of pings? --keep-junk loads it nevertheless, with every line among the rejected")

// junk detects files that do not hold pings.
type junk struct {
	records int
	read    bool   // one of them
	first   string // why the first could not be
}

// see looks at an outcome.
func (j *junk) see(o *outcome) error {
	if j == nil || j.read || j.records >= junkRecords {
		return nil
	}
	if o.class != classRecord {
		j.read = true
		return nil
	}
	if j.records == 0 {
		j.first = o.message
	}
	if j.records++; j.records < junkRecords {
		return nil
	}
	return j.verdict("first ")
}

// end gives the verdict of a file with fewer records.
func (j *junk) end() error {
	if j == nil || j.read || j.records == 0 || j.records >= junkRecords {
		return nil
	}
	return j.verdict("")
}

func (j *junk) verdict(first string) error {
	return fmt.Errorf("none of the %s%s records can be read (the first %.100s): %w", first, humanize.Comma(int64(j.records)), j.first, ErrJunk)
}
