package quality

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
)

// Day is a published day of a table, as far as its profile says.
type Day struct {
	Head

	Findings []Finding
}

// Look returns the profiles of published days, newest first. Profiles that are missing or of another generation are
// made, unless o is nil.
func Look(ctx context.Context, s *site.Site, tables, days []string, o *Options, each func(*Day) error) error {
	if o != nil {
		own := *o
		own.Footers = lake.NewFooters()
		o = &own
	}
	for _, name := range tables {
		lt, err := s.Table(name)
		if err != nil {
			return err
		}
		for i := len(days) - 1; i >= 0 && o != nil; i-- {
			if err := fill(ctx, s, lt, days[i], *o); err != nil {
				return err
			}
		}
		book := NewBook()
		for i := len(days) - 1; i >= 0; i-- {
			if err := look(ctx, book, lt, days[i], each); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill makes the profile of a day unless it is there.
func fill(ctx context.Context, s *site.Site, lt *lake.Table, day string, o Options) error {
	m, err := lt.Partition(ctx, day)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if h, err := ReadHead(ctx, lt, day); err == nil && h.Generation == m.Generation {
		return nil
	}
	p, err := Compute(ctx, s, lt, day, o)
	if err != nil {
		return err
	}
	return Write(ctx, lt, p)
}

func look(ctx context.Context, book *Book, lt *lake.Table, day string, each func(*Day) error) error {
	c, err := book.Changes(ctx, lt, day, func(string) bool { return true })
	if err != nil {
		return fmt.Errorf("look at %s %s: %w", lt.Schema.Name, day, err)
	}
	h, err := book.Head(ctx, lt, day)
	if err != nil && len(c.Findings) == 0 {
		return nil //nolint:nilerr // it is not published, or has no profile
	}
	h.Table, h.Day = lt.Schema.Name, day
	return each(&Day{h, c.Findings})
}
