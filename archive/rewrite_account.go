package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// account returns the effect of the committed load, by its record.
func (r *rewriter) account(ctx context.Context, l *Load) (Rewritten, error) {
	if len(l.Rewrote) == 0 {
		return Rewritten{}, fmt.Errorf("load %s is there, and no rewriting", l.ID)
	}
	for _, f := range slices.Concat(l.Rewrote, l.Files) {
		if !f.in(r.part) {
			return Rewritten{}, fmt.Errorf("load %s is of another partition: that of %s", l.ID, f.Name)
		}
	}
	// Close lets files stay for the next writer. What is to be forgotten must not.
	if err := deleteReplaced(ctx, r.bucket, l); err != nil {
		return Rewritten{}, err
	}
	now, err := listPartition(ctx, r.bucket, r.part)
	if err != nil {
		return Rewritten{}, err
	}
	out := Rewritten{Load: l.ID, Files: len(l.Rewrote), After: generationOrNone(now)}
	before := slices.Clone(l.Rewrote)
	for _, f := range l.Rewrote {
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

// generationOrNone returns the generation of a day with these files, "" without any.
func generationOrNone(files []LoadFile) string {
	if len(files) == 0 {
		return ""
	}
	return generationOf(files)
}
