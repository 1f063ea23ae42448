package metrics

import (
	"context"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/schema"
)

// profile holds the shares of rows with a value on the newest complete day of a table. The zero value has none.
type profile struct {
	day    string
	shares map[string]float64 // by column, and by member with points between the names
}

// profile returns the profile of a table, which is read once in a request.
func (s *sight) profile(ctx context.Context, t *schema.Table) (*profile, error) {
	if p := s.profiles[t.Name]; p != nil {
		return p, nil
	}
	p := &profile{shares: map[string]float64{}}
	s.profiles[t.Name] = p
	lt := s.Site.TableOf(t)
	days, err := quality.Days(ctx, lt)
	if err != nil {
		return nil, err
	}
	for _, day := range slices.Backward(days) {
		if h, err := s.book.Head(ctx, lt, day); err != nil || h.Growing || h.Read == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // it is being replaced, or has not ended
		}
		stored, err := s.book.Profile(ctx, lt, day)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			p.day = day
			p.read(stored)
			return p, nil
		}
	}
	return p, nil
}

// read computes the shares. A struct has a value if any member has one.
func (p *profile) read(source *quality.Profile) {
	for i := range source.Columns {
		c := &source.Columns[i]
		known := float64(source.Read-c.Nulls) / float64(source.Read)
		for name := c.Name; ; {
			p.shares[name] = max(p.shares[name], known)
			dot := strings.LastIndexByte(name, '.')
			if dot < 0 {
				break
			}
			name = name[:dot]
		}
	}
}

// known returns the share of rows with a value at a path, nil if it is not known.
func (p *profile) known(path string) *float64 {
	share, ok := p.shares[path]
	if !ok {
		return nil
	}
	return &share
}
