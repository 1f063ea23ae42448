package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
)

// Guard returns a function for Request.Allow that refuses queries whose plan exceeds the limits.
func Guard(limits guard.Set, views []query.View) func(context.Context, Plan) error {
	return func(_ context.Context, p Plan) error {
		err := limits.Check(p.Reads(views))
		var large *guard.Error
		if errors.As(err, &large) {
			return &query.Error{Kind: "Too large", Message: large.What, Hint: large.Hint()}
		}
		return err
	}
}

// Reads converts the plan to the form that package guard checks: for each scan its table, days, files and bytes. It
// omits scans of views that are not in views.
func (p Plan) Reads(views []query.View) (reads []guard.Read) {
	for _, s := range p.Scans {
		i := slices.IndexFunc(views, func(v query.View) bool { return v.Name == s.View })
		if i < 0 {
			continue
		}
		v := &views[i]
		r := guard.Read{Table: v.Name, Large: v.Large, Sample: v.Sample, Sampled: s.Sampled, Late: s.Late, Files: len(s.Files), Bytes: s.Bytes}
		r.Number = slices.ContainsFunc(v.Columns, func(c query.Column) bool { return c.Name == v.Sample && c.Type != "VARCHAR" })
		if len(v.PartitionKeys) > 0 {
			r.Day = v.PartitionKeys[0]
			for _, f := range s.Files {
				r.Days = append(r.Days, v.Day(f))
			}
			slices.Sort(r.Days)
			r.Days = slices.Compact(r.Days)
		}
		reads = append(reads, r)
	}
	return reads
}
