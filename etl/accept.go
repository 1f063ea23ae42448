package etl

import (
	"context"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake/accepted"
	"github.com/pingmill/pingmill/site"
)

// AcceptOptions select the stale partitions to accept unchanged.
type AcceptOptions struct {
	Tables []string
	Days   []string // YYYYMMDD
	Reason string   // of the operator, for status
	Revoke bool     // revoke acceptances instead
	Now    time.Time
}

// Accepted is a partition that was accepted, with the causes of its staleness, or whose acceptance was revoked.
type Accepted struct {
	job.Unit

	Causes []string
}

// Accept records that stale partitions remain unchanged: runs and the schedule skip them unless forced, and
// status does not count them as wrong. An acceptance ends when another generation is published, when the
// day's pings change, or when another version of the program would make different rows again.
func Accept(ctx context.Context, s *site.Site, o AcceptOptions) (all []Accepted, err error) {
	g, err := s.Graph()
	if err != nil {
		return nil, err
	}
	units, err := g.Units(o.Tables, o.Days)
	if err != nil {
		return nil, err
	}
	st := newSteps(&s.Data)
	for _, u := range units {
		_, lt, err := st.find(u)
		if err != nil {
			return all, err
		}
		at := lt.Schema.Prefix()
		if o.Revoke {
			was, err := accepted.Revoke(ctx, lt.Bucket(), at, u.Day)
			if err != nil {
				return all, err
			}
			if was {
				all = append(all, Accepted{Unit: u})
			}
			continue
		}
		a, err := st.assess(ctx, u)
		if err != nil {
			return all, fmt.Errorf("accept %v: %w", u, err)
		}
		if a.accepted != nil || !a.acceptable() {
			continue
		}
		causes := st.reasons(ctx, &a)
		r := accepted.Record{Generation: a.base.Generation, Work: a.work, Causes: causes, Reason: o.Reason, At: o.Now.UTC()}
		if err := accepted.Write(ctx, lt.Bucket(), at, u.Day, r); err != nil {
			return all, err
		}
		all = append(all, Accepted{u, causes})
	}
	return all, nil
}

// acceptable reports whether a partition is stale only because this program would make it differently: it is
// whole and checked, and has the archive's pings.
func (a *assessment) acceptable() bool {
	return a.base != nil && a.plan.Missing == "" && !a.plan.Current && len(a.damage) == 0 && !a.base.Unchecked && len(a.base.Parts) > 0 &&
		a.base.Live == nil && len(changedInputs(a.base, a.source.inputs)) == 0 && uncovered(partSamples(a.base), nil) == ""
}

// accept makes the plan of an accepted partition current.
func (s *steps) accept(ctx context.Context, a *assessment, day string) error {
	if s.force || !a.acceptable() {
		return nil
	}
	lt := s.data.TableOf(a.table)
	r, err := accepted.Read(ctx, lt.Bucket(), lt.Schema.Prefix(), day)
	if err != nil || r == nil || r.Generation != a.base.Generation || r.Work != a.work {
		return err
	}
	a.accepted, a.plan.Current, a.plan.Generation = r, true, a.base.Generation
	a.plan.Published = job.Result{RowsOut: a.base.Rows, Bytes: a.base.Bytes}
	return nil
}
