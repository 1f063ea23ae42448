package origin

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// NoPings is the generation of a day without pings of the table's types.
const NoPings = "none"

// Pings are the pings of a day that a table may have rows of.
type Pings struct {
	Day    *archive.Day // nil: the archive has none
	Inputs []job.Input  // one for each document type; without pings, one of generation NoPings
}

// OpenPings opens the pings of a day.
func OpenPings(ctx context.Context, b store.Bucket, t *schema.Table, day string) (p Pings, err error) {
	kinds, err := Kinds(ctx, b, t, day)
	if err != nil {
		return p, err
	}
	for _, k := range kinds {
		d, err := archive.OpenDay(ctx, b, ping.Day(day), k)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return p, err
		}
		p.Inputs = append(p.Inputs, job.Input{Name: naming.Source(string(k)), Generation: d.Generation()})
		if p.Day == nil {
			p.Day = d
		} else {
			p.Day = p.Day.With(d)
		}
	}
	if p.Day == nil {
		p.Inputs = []job.Input{{Name: t.Source(), Generation: NoPings}}
	}
	return p, nil
}

// Kinds lists the kinds of pings that a table may have rows of: its own, which a day may lack, or the pings of the day
// in its namespace.
func Kinds(ctx context.Context, b store.Bucket, t *schema.Table, day string) (kinds []ping.DocType, err error) {
	if !t.AllTypes {
		return []ping.DocType{t.Kind()}, nil
	}
	all, err := archive.DocTypes(ctx, b, ping.Day(day))
	for _, k := range all {
		if strings.HasPrefix(string(k), t.Namespace+"/") {
			kinds = append(kinds, k)
		}
	}
	return kinds, err
}
