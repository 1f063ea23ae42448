package status

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/compaction"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/statefile"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// State is the state of a partition.
type State string

// The states of a partition. An operator should repair Stale, Failed, Damaged, Spoilt and Missing; the others
// are not wrong.
const (
	Published  State = "published"
	Older      State = "older columns" // published with other probe definitions: remains unless forced
	AsItIs     State = "accepted"      // a run would make it differently, but an operator has accepted it: see etl.Accept
	Newer      State = "newer"         // a newer version of the program made it, and would again: it stays, unless forced
	Stale      State = "stale"         // a run would make it again
	Running    State = "running"
	Failed     State = "failed"        // the last attempt failed, and the published partition is not current
	Damaged    State = "damaged"       // its inputs are damaged: it cannot be made until they are repaired
	Missing    State = "missing"       // not published although there are pings
	Spoilt     State = "damaged files" // files are lost or changed: a run makes it again
	Incomplete State = "incomplete"    // the day may get more pings
	Empty      State = "no pings"      // the archive has no pings of the day
	Expired    State = "expired"       // not published, and its retention or that of its pings is over
	Unreadable State = "unreadable"    // this user has no permission
)

// Wrong reports whether an operator should repair a partition in this state.
func (s State) Wrong() bool {
	return s == Stale || s == Failed || s == Damaged || s == Spoilt || s == Missing
}

// Partition describes a partition and its state.
type Partition struct {
	job.Unit

	State      State
	Reasons    []string // one line each
	Rows       int64    // published
	Bytes      int64
	Generation string // published; "" if none
	Complete   bool   // the archive has all submissions of the day
	Run        int64  // number of the last run that tried to make it; 0: none

	// SkippedChecks names the checks that were skipped before publication.
	SkippedChecks []string
}

// Status describes the state of an installation.
type Status struct {
	Partitions []Partition // oldest day first, tables in their order
	Edges      []EdgeLag
	Spool      *Backlog          // nil: no spool
	Notes      []string          // unusual but not wrong
	Trouble    []string          // other problems, one line each
	Archive    *archive.Audit    // nil: not requested
	Replaced   etl.ReplacedFiles // disk space used beside the partitions
}

// Wrong counts the partitions that an operator should repair.
func (s *Status) Wrong() (n int) {
	for _, p := range s.Partitions {
		if p.State.Wrong() {
			n++
		}
	}
	return n
}

// Days is the default number of days of a status: four weeks.
const Days = 28

// Options are the options of Read.
type Options struct {
	Tables []string // none: all
	Days   []string // YYYYMMDD
	Now    time.Time
	Spool  string // folder of the spool; may be missing
	// MinFree is the required free disk space in bytes.
	MinFree int64
	// StalledAfter is the time that a submission may wait to be archived; 0: for ever.
	StalledAfter time.Duration
	Audit        bool // check the names of the archive's files for these days
}

// Read returns the states of partitions. It changes nothing and waits for no other process.
func Read(ctx context.Context, s *site.Site, o Options) (*Status, error) {
	g, err := s.Graph()
	if err != nil {
		return nil, err
	}
	if len(o.Tables) == 0 {
		o.Tables = g.Order()
	}
	all, err := g.Closure(o.Tables...) // the state of a table depends on the tables that it needs
	if err != nil {
		return nil, err
	}
	units, err := g.Units(all, o.Days)
	if err == nil {
		units, err = due(ctx, &s.Data, units, o.Now)
	}
	if err != nil {
		return nil, err
	}
	st := &Status{Partitions: make([]Partition, len(units))}
	l := &look{data: s.Snapshot(), graph: g, now: o.Now, DayEnds: etl.DayEnds{Today: ping.Day(job.FormatDay(o.Now))}}
	l.assessor = etl.NewAssessor(l.data, s.Keep, o.Now)
	var silent []edgestate.Progress
	if l.Edges, silent, err = s.Edges(ctx, o.Now); err != nil {
		return nil, err
	}
	l.Edges = slices.DeleteFunc(l.Edges, func(p edgestate.Progress) bool { return p.Damaged != nil }) // the others show the states of days
	var unknown []string
	if err := l.readLedger(ctx, s.Ledger, o.Days); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		unknown = append(unknown, site.OneLine(err.Error())+": nothing is known of past runs")
		clear(l.last)
	}
	err = etl.EachDay(ctx, units, func(ctx context.Context, first, end int) error {
		for i := first; i < end; i++ {
			st.Partitions[i] = l.partition(ctx, units[i], st.Partitions[first:i])
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	followChains(g, st.Partitions)
	st.Partitions = slices.DeleteFunc(st.Partitions, func(p Partition) bool {
		return !slices.Contains(o.Tables, p.Table)
	})
	st.Edges = append(lags(l.Edges, false, o.Now), lags(silent, true, o.Now)...)
	if o.Audit {
		days := []ping.Day{""} // rejected submissions of no known day
		for _, day := range o.Days {
			days = append(days, ping.Day(day))
		}
		if st.Archive, err = archive.AuditNames(ctx, l.data.Archive, days); err != nil {
			return nil, err
		}
	}
	st.Notes = append(s.AllNotes(), unknown...)
	if compact, err := compaction.Read(ctx, s.Archive); err == nil {
		st.Notes = append(st.Notes, compact.Notes()...)
	}
	if st.Replaced, err = etl.Replaced(ctx, &s.Data); errors.Is(err, fs.ErrPermission) {
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
	st.Trouble = diskTrouble(s.Dir, o.MinFree, st.Spool)
	if found, err := filecheck.Found(ctx, s); err == nil {
		for _, d := range found {
			if d.Subject == "archive" || !slices.Contains(o.Days, d.Day) { // partitions of these days show it
				st.Trouble = append(st.Trouble, d.Err)
			}
		}
	}
	damaged, err := statefile.Find(ctx, s.Archive)
	if err != nil {
		return nil, err
	}
	for _, d := range damaged {
		st.Trouble = append(st.Trouble, d.Error())
	}
	troubles, err := decodingTroubles(ctx, s.Archive)
	st.Trouble = append(append(st.Trouble, edgeTroubles(append(silent, l.Edges...), len(silent), o.Now)...), troubles...)
	st.Trouble = append(st.Trouble, st.Spool.damage()...)
	st.Trouble = append(st.Trouble, st.Spool.stalled(o.Now, o.StalledAfter)...)
	st.Trouble = append(st.Trouble, stalledTopics(l.Edges, o.Now, o.StalledAfter)...)
	if err != nil {
		return nil, err
	}
	gaps, err := gapTroubles(ctx, s.Archive, o.Now)
	st.Trouble = append(st.Trouble, gaps...)
	return st, err
}
