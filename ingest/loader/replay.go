package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// ReplayOptions selects the rejected submissions to decode again, and configures the decoding.
type ReplayOptions struct {
	// From and To are the first and the last day. If From is empty the replay begins with the first existing
	// day, if To is empty it ends with the last. If both are, it includes submissions of no known day.
	From, To ping.Day
	// Classes lists the classes of rejected submissions; nil: all except duplicates, which are not failures:
	// the original is in the archive or rejected.
	Classes []string
	Decode  ingest.Config
	Workers int // decoders at a time; 0: one for each core
	// Buffer bounds the memory of rows that wait for their files, in bytes; 0:
	// the archive's default.
	Buffer int64
	DryRun bool // find the outcomes, and change nothing
}

// Replayed is the result of a replay.
type Replayed struct {
	Tried      int64 // of the days and classes
	Pings      int64 // are pings now
	Duplicates int64 // would be pings, but the archive has a ping with their document id or path
	Failed     int64 // still fail
	Unfit      int64 // of Failed: too little of them is left to try

	Became []RejectedCount // the pings by the class they had and document type
	Fails  []RejectedCount // what still fails, by its class now and document type

	Load string // of the archive; "" when nothing changed
	// Days got pings by this replay or an earlier one of the same days; of a dry
	// run those that would get them.
	Days []ping.Day
	// Stale lists published partitions, except of DirectTables, that were made from other pings of these days
	// or from such tables.
	Stale []job.Unit
}

// Replay decodes rejected submissions again. Submissions that are pings now go into
// the archive under their original day with their original timestamp, place and
// headers; the others stay, with the new reason. All happens in one load
// that replaces the files it read, so it is done as a whole or not at
// all, and done again it changes nothing. One replay may be at work at a time.
//
// A ping whose document id is among the archive's pings of its document type,
// or among those of this replay that came earlier, on its day or the day before
// or after, is kept as a duplicate instead; so is one whose path came before.
func Replay(ctx context.Context, s *site.Site, o ReplayOptions) (r Replayed, err error) {
	if err := o.Check(); err != nil {
		return r, err
	}
	p := &replay{archive: s.Archive, registry: s.Forgotten, o: o}
	if !o.DryRun {
		if p.lock, err = s.LockRewriting(ctx); err != nil {
			return r, err
		}
		defer p.lock.Release()
		if p.forgets, err = newForgets(ctx, s.Forgotten, o.Decode.Requests); err != nil {
			return r, err
		}
		// First of all, since it finishes what a killed one has left.
		p.writer, err = archive.NewWriter(ctx, s.Archive, archive.Options{BufferBytes: o.Buffer, Owner: site.RewriteOwner})
		if err != nil {
			return r, fmt.Errorf("replay: %w", err)
		}
		defer func() { err = errors.Join(err, p.writer.Abort()) }()
	}
	o.Decode.DuplicateWindow = 0 // a rejected one has no earlier self to be compared with
	if p.decoder, err = ingest.New(o.Decode); err != nil {
		return r, err
	}
	ctx, explain, stop := p.lock.While(ctx)
	defer stop()
	err = p.run(ctx)
	if err == nil {
		p.result.Stale, err = etl.StaleUnits(ctx, &s.Data, p.result.Days)
	}
	if err != nil {
		return r, fmt.Errorf("replay: %w", explain(err))
	}
	return p.result, nil
}

// Check finds options that make no sense.
func (o *ReplayOptions) Check() error {
	if slices.Contains(o.Classes, classDuplicate) {
		return errors.New("replay: duplicates are not replayed: what they are copies of is in the archive or among the other rejected " +
			"submissions")
	}
	if err := checkDays(o.From, o.To); err != nil {
		return err
	}
	if err := checkClasses(o.Classes); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return nil
}

// checkDays checks the ends of a range of days; either may be empty.
func checkDays(from, to ping.Day) error {
	for _, d := range []ping.Day{from, to} {
		if d == "" {
			continue
		}
		if _, err := job.ParseDay(string(d)); err != nil {
			return err
		}
	}
	if from != "" && to != "" && from > to {
		return fmt.Errorf("read days %s to %s: the first is after the last", from, to)
	}
	return nil
}

// within reports whether a day is in a range whose ends may be open. The range that
// is open at both ends also has the submissions of no day.
func within(day, from, to ping.Day) bool {
	if day == "" {
		return from == "" && to == ""
	}
	return day >= from && (to == "" || day <= to)
}

// openErrors opens the rejected submissions of a range of days.
func openErrors(ctx context.Context, b store.Bucket, from, to ping.Day) ([]*replayDay, error) {
	known, err := archive.KnownDays(ctx, b, archive.KindErrors)
	if err != nil {
		return nil, err
	}
	var days []*replayDay
	for _, day := range known {
		if !within(day, from, to) {
			continue
		}
		e, err := archive.OpenErrors(ctx, b, day)
		if errors.Is(err, fs.ErrNotExist) {
			continue // all were replaced, by nothing
		}
		if err != nil {
			return nil, err
		}
		days = append(days, &replayDay{day: day, errors: e})
	}
	return days, nil
}

// replay is one replay at work.
type replay struct {
	archive  store.Bucket
	registry *forget.Registry // of clients to be forgotten
	o        ReplayOptions
	lock     *site.Lock      // of all rewriting; nil in a dry run
	writer   *archive.Writer // nil in a dry run
	forgets  *forgets
	decoder  *ingest.Decoder
	days     []*replayDay
	result   Replayed
}

// replayDay is the rejected submissions of a day, with the verdict on each in
// the order of the archive.
type replayDay struct {
	day      ping.Day
	errors   *archive.Errors
	verdicts []verdict
	changed  bool
	why      map[int]string // the messages of duplicates
}

// verdict is the outcome of one rejected submission.
type verdict uint8

const (
	stays     verdict = iota // as it is
	fails                    // still, with another reason
	passes                   // is a ping
	duplicate                // is a copy of a ping
)

func (p *replay) run(ctx context.Context) (err error) {
	if p.days, err = openErrors(ctx, p.archive, p.o.From, p.o.To); err != nil {
		return err
	}
	t := &trial{replay: p, became: counts{}, fails: counts{}}
	if err := t.run(ctx); err != nil {
		return err
	}
	if err := t.findDuplicates(ctx); err != nil {
		return err
	}
	t.sum()
	if p.writer != nil {
		if err := p.lock.Confirm(ctx); err != nil {
			return err
		}
		if err := p.write(ctx); err != nil {
			return err
		}
		p.result.Days, err = replacedDays(ctx, p.archive, p.o.From, p.o.To)
	}
	return err
}
