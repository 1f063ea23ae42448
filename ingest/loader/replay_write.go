package loader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// write makes the load that replaces the files of all days that
// change. Its name is a hash of these files and of the verdicts on their rows.
func (p *replay) write(ctx context.Context) error {
	name := sha256.New()
	changed := false
	for _, d := range p.days {
		if !d.changed {
			continue
		}
		changed = true
		for _, f := range d.errors.Names() {
			fmt.Fprintf(name, "%s\n", f)
			p.writer.Replace(f)
		}
		if err := p.writeDay(ctx, d, name); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	p.result.Load = naming.Replacing + hex.EncodeToString(name.Sum(nil))[:24]
	if err := p.forgets.record(ctx, p.registry, p.result.Load); err != nil {
		return err
	}
	_, err := p.writer.Close(ctx, p.result.Load)
	return err
}

// writeDay writes the rows of a day again. Submissions that change are decoded once
// more, one after the other, so that no documents have to be kept.
func (p *replay) writeDay(ctx context.Context, d *replayDay, name hash.Hash) error {
	var out ingest.Outcome
	row := -1
	for r, err := range d.errors.All(ctx) {
		if err != nil {
			return err
		}
		row++
		v := d.verdicts[row]
		switch v {
		case stays:
			if err := p.writer.AppendError(r); err != nil {
				return err
			}
			continue
		case duplicate:
			r.Class, r.Message = classDuplicate, d.why[row]
		case fails, passes:
			o := p.decode(d.day, r, kindOf(r), &out)
			o.forgotten = p.forgets.names(ctx, &o, p.o.Decode)
			if p.forgets.takes(&o) {
				fmt.Fprintf(name, "%d forgotten\n", row)
				continue
			}
			if o.class == "" {
				fmt.Fprintf(name, "%d ping\n", row)
				if err := p.writer.Append(&o.meta, o.body); err != nil {
					return err
				}
				continue
			}
			r.Class, r.Message = o.class, o.message
		}
		fmt.Fprintf(name, "%d %s %q\n", row, r.Class, r.Message)
		if err := p.writer.AppendError(r); err != nil {
			return err
		}
	}
	return nil
}

// replacedDays returns the days in a range that got pings by replays, also by ones that were killed before the tables
// of these days were made.
func replacedDays(ctx context.Context, b store.Bucket, from, to ping.Day) ([]ping.Day, error) {
	loads, err := archive.Replacements(ctx, b)
	if err != nil {
		return nil, err
	}
	days := map[ping.Day]bool{}
	for _, l := range loads {
		if len(l.Rewrote) > 0 {
			continue // rows were removed: no replay
		}
		for _, f := range l.Files {
			if day := ping.Day(f.Day); f.Kind == "pings" && within(day, from, to) {
				days[day] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(days)), nil
}
