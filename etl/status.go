package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// State is the state of a partition.
type State string

// The states of a partition. Stale, Failed, Damaged and Missing are what somebody
// should mend; the others are not wrong.
const (
	Published  State = "published"
	Older      State = "older columns" // published with other probe definitions: stays so unless forced
	Stale      State = "stale"         // a run would make it again
	Running    State = "running"
	Failed     State = "failed"        // the last attempt, and what is published is not current
	Damaged    State = "damaged"       // what it is made from is: it stays as it is until that is mended
	Missing    State = "missing"       // not published although there are pings
	Spoilt     State = "damaged files" // some are lost or not as they were published: a run makes it again
	Incomplete State = "incomplete"    // more of the day may come
	Empty      State = "no pings"      // the archive has none of the day
	Expired    State = "expired"       // not published, and its time or that of its pings is over
	Unreadable State = "unreadable"    // not for this user
)

// Wrong says whether somebody should mend a partition in that state.
func (s State) Wrong() bool {
	return s == Stale || s == Failed || s == Damaged || s == Spoilt || s == Missing
}

// Partition is a partition with its state.
type Partition struct {
	job.Unit

	State      State
	Reasons    []string // one line each
	Rows       int64    // published
	Bytes      int64
	Generation string // published; "" if nothing is
	Complete   bool   // every submission of the day is in the archive
	Run        int64  // the last one that tried to make it; 0: none

	// SkippedChecks names the checks that were left out before it was published.
	SkippedChecks []string
}

// Status is the state of an installation.
type Status struct {
	Partitions []Partition // oldest day first, in the order of the tables
	Edges      []EdgeLag
	Spool      *Backlog       // nil: there is no spool
	Notes      []string       // what is odd but not wrong
	Trouble    []string       // what is wrong besides, one line each
	Archive    *archive.Audit // nil: it was not asked for
	Replaced   ReplacedFiles  // part of the disk's use beside the partitions
}

// Wrong counts the partitions that somebody should mend.
func (s *Status) Wrong() (n int) {
	for _, p := range s.Partitions {
		if p.State.Wrong() {
			n++
		}
	}
	return n
}

// StatusDays is the default number of days of a status: four weeks.
const StatusDays = 28

// StatusOptions are the options of ReadStatus.
type StatusOptions struct {
	Tables []string // none: all
	Days   []string // YYYYMMDD
	Now    time.Time
	Spool  string // folder of the spool; it may be missing
	// MinFree is how many bytes of disk are to be free.
	MinFree int64
	Audit   bool // look at the names of the archive's files of these days
}

// ReadStatus finds the states of partitions. It changes nothing and waits for no
// other process.
func ReadStatus(ctx context.Context, s *site.Site, o StatusOptions) (*Status, error) {
	g, err := s.Graph()
	if err != nil {
		return nil, err
	}
	if len(o.Tables) == 0 {
		o.Tables = g.Order()
	}
	all, err := g.Closure(o.Tables...) // the state of a table depends on the states of those that it needs
	if err != nil {
		return nil, err
	}
	units, err := g.Units(all, o.Days)
	if err != nil {
		return nil, err
	}
	st := &Status{Partitions: make([]Partition, len(units))}
	l := &look{steps: newSteps(s.Snapshot(), nil), graph: g, now: o.Now, dayEnds: dayEnds{today: ping.Day(job.FormatDay(o.Now))}}
	l.steps.now = o.Now
	if l.edges, err = archive.ReadProgress(ctx, s.Archive); err != nil {
		return nil, err
	}
	var unknown []string
	if err := l.readLedger(ctx, s.Ledger, o.Days); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		unknown = append(unknown, site.OneLine(err.Error())+": nothing is known of past runs")
		clear(l.last)
	}
	err = eachDay(ctx, units, func(ctx context.Context, first, end int) error {
		for i := first; i < end; i++ {
			st.Partitions[i] = l.partition(ctx, units[i], st.Partitions[first:i])
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	st.Partitions = slices.DeleteFunc(st.Partitions, func(p Partition) bool { return !slices.Contains(o.Tables, p.Table) })
	st.Edges = lags(l.edges, o.Now)
	if o.Audit {
		days := []ping.Day{""} // rejected submissions of no known day
		for _, day := range o.Days {
			days = append(days, ping.Day(day))
		}
		if st.Archive, err = archive.AuditNames(ctx, l.site.Archive, days); err != nil {
			return nil, err
		}
	}
	st.Notes = append(s.AllNotes(), unknown...)
	if st.Replaced, err = Replaced(ctx, s); errors.Is(err, fs.ErrPermission) {
		st.Notes, err = append(st.Notes, fmt.Sprintf("what replaced files take is not known: %v", err)), nil
	}
	if err != nil {
		return nil, err
	}
	if st.Spool, err = ReadBacklog(o.Spool); errors.Is(err, fs.ErrPermission) {
		st.Notes, err = append(st.Notes, fmt.Sprintf("what waits in the spool is not known: %v", err)), nil
	}
	if err != nil {
		return nil, err
	}
	st.Trouble = diskTrouble(s, o.MinFree, st.Spool)
	if found, err := FoundFiles(ctx, s); err == nil {
		for _, d := range found {
			if d.Of == "archive" || !slices.Contains(o.Days, d.Day) { // partitions of these days show it
				st.Trouble = append(st.Trouble, d.Err)
			}
		}
	}
	troubles, err := decodingTroubles(ctx, s)
	st.Trouble = append(append(st.Trouble, troubles...), st.Spool.damage()...)
	return st, err
}

// look is what the states of partitions are found from.
type look struct {
	*steps
	dayEnds

	graph   *job.Graph
	now     time.Time
	last    map[job.Unit]job.UnitRecord
	writing bool
}

func (l *look) readLedger(ctx context.Context, ledger *job.Ledger, days []string) error {
	l.last = map[job.Unit]job.UnitRecord{}
	if len(days) == 0 {
		return nil
	}
	// When no process writes any more, an attempt that was open has ended since it
	// was read, or its process died: the second look shows which.
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

// partition finds the state of a unit, given those of the day before it.
func (l *look) partition(ctx context.Context, u job.Unit, before []Partition) Partition {
	a, err := l.assess(ctx, u)
	p := Partition{Unit: u, Run: l.last[u].Run}
	var waits string
	p.Complete, waits = l.Complete(ping.Day(u.Day))
	if a.base != nil {
		p.Rows, p.Bytes, p.Generation, p.SkippedChecks = a.base.Rows, a.base.Bytes, a.base.Generation, a.base.SkippedChecks
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
	case len(a.damage) > 0:
		p.State, p.Reasons = l.spoilt(&a)
		if !l.elsewhere(ctx, &p) && attempt.Outcome == job.Failed {
			p.Reasons = append(p.Reasons, "the last run of it failed: "+site.OneLine(attempt.Error))
		}
	case !p.Complete:
		p.State, p.Reasons = Incomplete, []string{waits}
	default:
		p.State, p.Reasons = l.settled(&a, u, before)
		if p.State != Damaged && !l.elsewhere(ctx, &p) {
			l.blame(&p, attempt)
		}
	}
	return p
}

// elsewhere says whether a partition that is to be made is being made by another
// server of a shared lake.
func (l *look) elsewhere(ctx context.Context, p *Partition) bool {
	if !p.State.Wrong() {
		return false
	}
	t, err := l.site.Table(p.Table)
	if err != nil {
		return false
	}
	holder, until, err := store.LeaseHolder(ctx, t.Bucket(), site.LeaseName(p.Unit), l.now)
	var bad *store.BadLeaseError
	if errors.As(err, &bad) {
		p.Reasons = append(p.Reasons, bad.Error())
	}
	if err != nil || holder == "" || l.site.Sharing != nil && holder == l.site.Sharing.Holder {
		return false
	}
	p.State, p.Reasons = Running, []string{fmt.Sprintf("server %s is making it; it has the lease until %s", holder, until.UTC().Format(time.RFC3339))}
	return true
}

// blame explains a partition that has to be made by the outcome of the last
// attempt.
func (l *look) blame(p *Partition, attempt job.UnitRecord) {
	if !p.State.Wrong() {
		return
	}
	switch attempt.Outcome {
	case job.Failed:
		p.State, p.Reasons = Failed, []string{site.OneLine(attempt.Error)}
	case job.Lost, job.Planned:
		p.State, p.Reasons = Failed, []string{"the process that made it died"}
	case job.Cancelled:
		p.Reasons = append(p.Reasons, "the last run of it was stopped")
	}
}

// settled is the state of a partition of a complete day.
func (l *look) settled(a *assessment, u job.Unit, before []Partition) (State, []string) {
	needs := l.needed(u, before)
	for _, n := range needs {
		if n.State == Damaged {
			return Damaged, []string{"it is made from " + n.Table + ", which is damaged"}
		}
	}
	if a.plan.Missing != "" {
		return l.unmakeable(a, needs)
	}
	if why := l.reasons(a); len(why) > 0 {
		if a.base == nil {
			return Missing, why
		}
		return Stale, why
	}
	for _, n := range needs {
		if n.State == Stale || n.State == Failed && n.Generation != "" {
			return Stale, []string{n.Table + " is to be made again"}
		}
	}
	if a.older {
		return Older, nil
	}
	return Published, nil
}

// spoilt is the state of a partition with damaged files.
func (l *look) spoilt(a *assessment) (State, []string) {
	why := findings(a.damage)
	if a.plan.Missing == "" {
		return Spoilt, why
	}
	return Damaged, append(why, "it cannot be made again: "+a.plan.Missing)
}

// unmakeable is the state of a partition whose inputs are not there.
func (l *look) unmakeable(a *assessment, needs []Partition) (State, []string) {
	if a.base != nil {
		return Published, []string{"it cannot be made again: " + a.plan.Missing}
	}
	if a.plan.Missing == NoPingsOfDay {
		return Empty, nil
	}
	if a.expired {
		return Expired, []string{a.plan.Missing}
	}
	for _, n := range needs {
		if n.State == Empty || n.State == Expired {
			return n.State, n.Reasons
		}
	}
	return Missing, []string{a.plan.Missing}
}

// needed are the partitions that a unit is made from.
func (l *look) needed(u job.Unit, before []Partition) (all []Partition) {
	for _, b := range before {
		if slices.Contains(l.graph.Needs(u.Table), b.Table) {
			all = append(all, b)
		}
	}
	return all
}
