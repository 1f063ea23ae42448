package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
)

// readablePart bounds the unreadable rows: at most one row in readablePart may have an element whose value cannot be read.
const readablePart = 200

// readable compares the number of rows with an unreadable value, which the files have in their metadata, with the number of
// rows.
func readable(*schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		all := table.Unreadable{Columns: map[string]int64{}}
		for _, f := range p.Files {
			u, err := p.unreadable(ctx, f)
			if err != nil {
				return Finding{}, err
			}
			all.Rows, all.Touched = all.Rows+u.Rows, all.Touched+u.Touched
			for name, n := range u.Columns {
				all.Columns[name] += n
			}
		}
		if all.Touched*readablePart <= all.Rows {
			return Finding{}, nil
		}
		names := slices.SortedFunc(maps.Keys(all.Columns), func(a, b string) int {
			if n := all.Columns[b] - all.Columns[a]; n != 0 {
				return int(n)
			}
			return strings.Compare(a, b)
		})
		var parts []string
		for _, name := range names[:min(len(names), 5)] {
			parts = append(parts, fmt.Sprintf("%s %d", name, all.Columns[name]))
		}
		return Finding{Total: int(all.Touched), Note: fmt.Sprintf("%d of %d clients have a value that cannot be read: %s",
			all.Touched, all.Rows, strings.Join(parts, ", "))}, nil
	}
}

// unreadable reads what a file says of its unreadable values; a file without it says nothing.
func (p *Partition) unreadable(ctx context.Context, f lake.File) (u table.Unreadable, err error) {
	r, err := p.Table.Bucket().Open(ctx, p.Path(f.Name))
	if err != nil {
		return u, fmt.Errorf("open %s: %w", p.Path(f.Name), err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	file, err := lake.OpenFile(r)
	if err != nil {
		return u, fmt.Errorf("read %s: %w", p.Path(f.Name), err)
	}
	if text := file.Metadata()[table.UnreadableKey]; text != "" {
		err = json.Unmarshal([]byte(text), &u)
	}
	return u, err
}

// openSnapshot compares the days that a snapshot was made from with the present ones.
func (p *Partition) openSnapshot(ctx context.Context) (changed string, err error) {
	t := p.Table.Schema
	need, err := p.Data.Table(t.Needs[0])
	if err != nil {
		return "", err
	}
	for _, in := range p.Inputs {
		_, day, _ := strings.Cut(in.Name, " ")
		m, err := need.Partition(ctx, day)
		if errors.Is(err, fs.ErrNotExist) {
			return in.Name + " is not published any more", nil
		}
		if err != nil {
			return "", err
		}
		if changed := p.sameInput(in.Name, m.Generation); changed != "" {
			return changed, nil
		}
	}
	return "", nil
}
