package status

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// look holds the facts from which the states of partitions are derived.
type look struct {
	etl.DayEnds

	data     *site.Data
	assessor *etl.Assessor
	now      time.Time
	graph    *job.Graph
	last     map[job.Unit]job.UnitRecord
	writing  bool
}

func (l *look) readLedger(ctx context.Context, ledger *job.Ledger, days []string) error {
	l.last = map[job.Unit]job.UnitRecord{}
	if len(days) == 0 {
		return nil
	}
	// If no process writes any more, an open attempt has either ended since the first read or its process
	// died. The second read shows which.
	for range 2 {
		records, err := ledger.Last(ctx, job.Filter{From: slices.Min(days), To: slices.Max(days)})
		if err != nil {
			return err
		}
		open := false
		for _, r := range records {
			l.last[r.Unit] = r
			open = open || r.Outcome == job.Planned
		}
		if !open {
			return nil
		}
		if l.writing, err = ledger.Writing(ctx); err != nil || l.writing {
			return err
		}
	}
	return nil
}

// partition returns the state of a unit, given the states of the day's earlier units.
func (l *look) partition(ctx context.Context, u job.Unit, before []Partition) Partition {
	a, err := l.assessor.Assess(ctx, u)
	p := Partition{Unit: u, Run: l.last[u].Run}
	var waits string
	p.Complete, waits = l.Complete(ping.Day(u.Day))
	if a.Base != nil {
		p.Rows, p.Bytes, p.Generation, p.SkippedChecks = a.Base.Rows, a.Base.Bytes, a.Base.Generation, a.Base.SkippedChecks
	}
	attempt := l.last[u]
	switch {
	case errors.Is(err, fs.ErrPermission):
		p.State, p.Reasons = Unreadable, []string{"permission denied"}
	case archive.IsDamage(err):
		p.State, p.Reasons = Damaged, []string{strings.TrimPrefix(site.OneLine(err.Error()), "damaged: ")}
	case err != nil:
		p.State, p.Reasons = Failed, []string{site.OneLine(err.Error())}
	case attempt.Outcome == job.Planned && l.writing:
		p.State = Running
	case a.Damaged:
		p.State, p.Reasons = l.spoilt(&a)
		if !l.elsewhere(ctx, &p) && attempt.Outcome == job.Failed {
			p.Reasons = append(p.Reasons, "the last run of it failed: "+site.OneLine(attempt.Error))
		}
	case !p.Complete:
		p.State, p.Reasons = Incomplete, append([]string{waits}, liveUntil(a.Base)...)
	default:
		p.State, p.Reasons = l.settled(ctx, &a, u, before)
		if p.State != Damaged && !l.elsewhere(ctx, &p) {
			l.blame(&p, attempt)
		}
	}
	return p
}

// elsewhere reports whether another server of a shared lake is making a partition that must be made.
func (l *look) elsewhere(ctx context.Context, p *Partition) bool {
	if !p.State.Wrong() {
		return false
	}
	t, err := l.data.Table(p.Table)
	if err != nil {
		return false
	}
	holder, until, err := store.LeaseHolder(ctx, t.Bucket(), site.LeaseName(p.Unit), l.now)
	var bad *store.BadLeaseError
	if errors.As(err, &bad) {
		p.Reasons = append(p.Reasons, bad.Error())
	}
	if err != nil || holder == "" || l.data.Sharing != nil && holder == l.data.Sharing.Holder {
		return false
	}
	p.State, p.Reasons = Running, []string{
		fmt.Sprintf("server %s is making it; it has the lease until %s", holder, until.UTC().Format(time.RFC3339))}
	return true
}

// blame adds the outcome of the last attempt to a partition that must be made.
func (l *look) blame(p *Partition, attempt job.UnitRecord) {
	if !p.State.Wrong() {
		return
	}
	switch attempt.Outcome {
	case job.Failed:
		p.State, p.Reasons = Failed, []string{site.OneLine(attempt.Error)}
	case job.Lost, job.Planned:
		p.State, p.Reasons = Failed, []string{"its last run ended without a record: its process was killed, or the disk of the ledger was full"}
	case job.Cancelled:
		p.Reasons = append(p.Reasons, "the last run of it was stopped")
	}
}

// settled returns the state of a partition of a complete day.
func (l *look) settled(ctx context.Context, a *etl.Assessment, u job.Unit, before []Partition) (State, []string) {
	needs := l.needed(u, before)
	for _, n := range needs {
		if n.State == Damaged {
			return Damaged, []string{"it is made from " + n.Table + ", which is damaged"}
		}
	}
	if a.Newer != "" && a.Missing != "" {
		return Stale, []string{a.Missing}
	}
	if a.Missing != "" {
		return l.unmakeable(a, needs)
	}
	if why := l.assessor.Reasons(ctx, a); len(why) > 0 {
		if a.Base == nil {
			return Missing, why
		}
		return Stale, why
	}
	for _, n := range needs {
		if n.State == Stale || n.State == Failed && n.Generation != "" {
			return Stale, []string{n.Table + " is to be made again"}
		}
	}
	if a.Newer != "" {
		return Newer, []string{a.Newer}
	}
	if a.Accepted != nil {
		return AsItIs, []string{fmt.Sprintf("accepted on %s (%s): %s", a.Accepted.At.Format(time.DateOnly), a.Accepted.Reason,
			strings.Join(a.Accepted.Causes, "; "))}
	}
	if a.Older {
		return Older, nil
	}
	return Published, nil
}

// spoilt returns the state of a partition with damaged files.
func (l *look) spoilt(a *etl.Assessment) (State, []string) {
	why := a.Findings()
	if a.Missing == "" {
		return Spoilt, why
	}
	return Damaged, append(why, "it cannot be made again: "+a.Missing)
}

// unmakeable returns the state of a partition whose inputs are missing.
func (l *look) unmakeable(a *etl.Assessment, needs []Partition) (State, []string) {
	if a.Base != nil {
		return Published, []string{"it cannot be made again: " + a.Missing}
	}
	if a.Missing == etl.NoPingsOfDay {
		return Empty, nil
	}
	if a.Expired {
		return Expired, []string{a.Missing}
	}
	for _, n := range needs {
		if n.State == Empty || n.State == Expired {
			return n.State, n.Reasons
		}
	}
	return Missing, []string{a.Missing}
}

// needed returns the partitions from which a unit is made.
func (l *look) needed(u job.Unit, before []Partition) (all []Partition) {
	for _, b := range before {
		if slices.Contains(l.graph.Needs(u.Table), b.Table) {
			all = append(all, b)
		}
	}
	return all
}

// liveUntil describes how far the live rows of a partition reach, if it has any.
func liveUntil(m *lake.Manifest) []string {
	if m == nil || m.Live == nil || m.Live.Until == 0 {
		return nil
	}
	return []string{"queries see the pings up to " + time.Unix(0, m.Live.Until).UTC().Format(time.TimeOnly)}
}

// due returns the units without the snapshots of days for which none is published or due.
func due(ctx context.Context, d *site.Data, units []job.Unit, now time.Time) ([]job.Unit, error) {
	published := map[string]func(day string) bool{}
	for _, t := range d.Tables {
		if t.IsSnapshots() {
			listed, err := d.TableOf(t).Listed(ctx)
			if err != nil {
				return nil, err
			}
			published[t.Name] = func(day string) bool { return t.DueOn(day, now) || listed(day) }
		}
	}
	return slices.DeleteFunc(units, func(u job.Unit) bool { return published[u.Table] != nil && !published[u.Table](u.Day) }), nil
}
