package etl

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
	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
)

// State is the state of a partition.
type State string

// The states of a partition. Stale, Failed, Damaged and Missing are what somebody
// should mend; the others are not wrong.
const (
	Published  State = "published"
	Older      State = "older columns" // published with other probe definitions: stays so unless forced
	AsItIs     State = "accepted"      // a run would make it in another way, and an operator has accepted it: see Accept
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
	l := &look{steps: newSteps(s.Snapshot()), graph: g, dayEnds: dayEnds{today: ping.Day(job.FormatDay(o.Now))}}
	l.steps.keep, l.steps.now = s.Keep, o.Now
	var silent []edgestate.Progress
	if l.edges, silent, err = s.Edges(ctx, o.Now); err != nil {
		return nil, err
	}
	l.edges = slices.DeleteFunc(l.edges, func(p edgestate.Progress) bool { return p.Damaged != nil }) // the others say how days are
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
	st.Edges = append(lags(l.edges, false, o.Now), lags(silent, true, o.Now)...)
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
	if st.Replaced, err = Replaced(ctx, &s.Data); errors.Is(err, fs.ErrPermission) {
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
			if d.Of == "archive" || !slices.Contains(o.Days, d.Day) { // partitions of these days show it
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
	st.Trouble = append(append(st.Trouble, edgeTroubles(append(silent, l.edges...), len(silent), o.Now)...), troubles...)
	st.Trouble = append(st.Trouble, st.Spool.damage()...)
	if err != nil {
		return nil, err
	}
	gaps, err := gapTroubles(ctx, s.Archive, o.Now)
	st.Trouble = append(st.Trouble, gaps...)
	return st, err
}
