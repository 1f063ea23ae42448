package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// account says what the committed load has done, by its record and those of the
// loads whose files it has replaced.
func (r *rewriter) account(ctx context.Context, l *Load) (Rewritten, error) {
	replaced, err := r.replaced(ctx, l)
	if err != nil {
		return Rewritten{}, err
	}
	// Close lets files stay for the next writer. What is to be forgotten must not.
	if err := deleteReplaced(ctx, r.bucket, l); err != nil {
		return Rewritten{}, err
	}
	now, err := listPartition(ctx, r.bucket, r.part)
	if err != nil {
		return Rewritten{}, err
	}
	out := Rewritten{Load: l.ID, Files: len(replaced), After: generationOrNone(now)}
	before := replaced
	for _, f := range replaced {
		out.Rows += f.Rows
	}
	for _, f := range l.Files {
		out.Rows -= f.Rows
	}
	for _, f := range now {
		if !slices.ContainsFunc(l.Files, func(own LoadFile) bool { return own.Name == f.Name }) {
			before = append(before, f)
		}
	}
	slices.SortFunc(before, func(x, y LoadFile) int { return strings.Compare(x.Name, y.Name) })
	out.Before = generationOrNone(before)
	return out, nil
}

// replaced finds the files that a load has replaced in the records of the loads
// they came with, and refuses a load of anything but this partition.
func (r *rewriter) replaced(ctx context.Context, l *Load) ([]LoadFile, error) {
	for i := range l.Files {
		if !l.Files[i].in(r.part) {
			return nil, fmt.Errorf("load %s is of another partition: it has %s", l.ID, l.Files[i].Name)
		}
	}
	loads := map[string][]LoadFile{}
	all := make([]LoadFile, 0, len(l.Replaces))
	for _, name := range l.Replaces {
		id, _ := loadOf(name)
		if _, known := loads[id]; !known {
			from, ok, err := Loaded(ctx, r.bucket, id)
			if err != nil {
				return nil, err
			}
			if ok {
				loads[id] = from.Files
			}
		}
		i := slices.IndexFunc(loads[id], func(f LoadFile) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("load %s has replaced %s, which no load has", l.ID, name)
		}
		f := loads[id][i]
		if !f.in(r.part) {
			return nil, fmt.Errorf("load %s is of another partition: it has replaced %s", l.ID, name)
		}
		all = append(all, f)
	}
	return all, nil
}

// generationOrNone is the generation of a day with these files, "" without any.
func generationOrNone(files []LoadFile) string {
	if len(files) == 0 {
		return ""
	}
	return generationOf(files)
}
