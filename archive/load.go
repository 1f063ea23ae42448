package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Load is the record of a finished load: once it is committed under loads/v1,
// the load's files are part of the archive.
type Load struct {
	Format int        `json:"format"` // 1
	ID     string     `json:"load"`
	Files  []LoadFile `json:"files"` // in the order of their counters

	// Replaces are data files of earlier loads that this one has taken the
	// place of. They do not count any more, whether they are still there or not.
	Replaces []string `json:"replaces,omitempty"`

	// Rewrote are the replaced files as they were, if that removed rows for good
	// (RewriteDay): the records of their loads may be deleted before this one.
	Rewrote []LoadFile `json:"rewrote,omitempty"`

	// Requests is how many deletion requests were known when the load began. See
	// Options.Requests.
	Requests int `json:"requests,omitempty"`
}

// LoadFile is one data file of a load.
type LoadFile struct {
	Name    string `json:"name"`
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`    // of the file
	Raw     int64  `json:"rawBytes"` // of the bodies in it, uncompressed
	Kind    string `json:"kind"`     // pings or errors
	Day     string `json:"day"`      // "" when not known
	DocType string `json:"docType,omitempty"`
}

const loadFormat = 1

// in tells whether the file is of the partition.
func (f *LoadFile) in(p partition) bool {
	return f.Kind == p.kind.name && f.Day == string(p.day) && f.DocType == string(p.docType)
}

// Loaded finds the record of a finished load. ok is false if there is none.
func Loaded(ctx context.Context, b store.Bucket, load string) (l *Load, ok bool, err error) {
	if err := checkLoad(load); err != nil {
		return nil, false, err
	}
	l, err = readLoad(ctx, b, loadName(load))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && l.ID != load {
		err = fmt.Errorf("read %s: it is the record of load %q", loadName(load), l.ID)
	}
	return l, err == nil, err
}

func loadName(load string) string { return loadsDir + "/" + load + ".json" }

func readLoad(ctx context.Context, b store.Bucket, name string) (*Load, error) {
	data, err := store.ReadFile(ctx, b, name)
	if err != nil {
		return nil, err
	}
	var l Load
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if l.Format != loadFormat {
		return nil, fmt.Errorf("read %s: format %d is not %d", name, l.Format, loadFormat)
	}
	return &l, nil
}

func writeLoad(ctx context.Context, b store.Bucket, name string, l *Load) error {
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return store.WriteFile(ctx, b, name, append(data, '\n'))
}

// Summary is what a Writer has done.
type Summary struct {
	Load          string
	AlreadyLoaded bool  // an earlier load of the same input stands; nothing was changed
	Pings         int64 // rows in the archive, also when they were loaded earlier
	Errors        int64 // rejected submissions
	Files         int
	Bytes         int64      // of the files
	Raw           int64      // of the bodies, uncompressed
	Replaced      int        // files of earlier loads whose place this one took
	Days          []ping.Day // with new pings or errors, sorted; "" for errors of no known day
}

func (l *Load) summary() Summary {
	s := Summary{Load: l.ID, Files: len(l.Files), Replaced: len(l.Replaces)}
	days := map[string]bool{}
	for _, f := range l.Files {
		if f.Kind == pingKind.name {
			s.Pings += f.Rows
		} else {
			s.Errors += f.Rows
		}
		s.Bytes += f.Bytes
		s.Raw += f.Raw
		days[f.Day] = true
	}
	s.Days = sortedDays(days)
	return s
}
