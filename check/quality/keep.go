package quality

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// KeepOptions define how the profiles of all partitions are kept up to date. Values that are 0 take their defaults.
type KeepOptions struct {
	Options

	Every   time.Duration // how often what is published is looked at: a minute
	Growing time.Duration // how often the profile of a partition is made whose rows still arrive: ten minutes
	Backoff retry.Policy  // of partitions that could not be read: job.DefaultBackoff
	// Made, if not nil, is called after each profile that was tried.
	Made func(table string, took time.Duration, err error)

	clock.Clock
	Log *slog.Logger
}

// Keep makes the profiles that are missing, newest days first, and again when another generation is published,
// whichever process does that; and removes the profiles of removed days. It makes one at a time and rests as long after
// each as it took. It ends with the context.
func Keep(ctx context.Context, s *site.Site, o KeepOptions) error {
	k := newKeeper(s, o)
	for goOn := true; goOn; goOn = k.o.Wait(ctx, k.o.Every) == nil {
		if err := panics.Try(func() error { return k.round(ctx) }); err != nil && ctx.Err() == nil {
			k.o.Log.Error("profiles: they are tried again", "error", panics.Report(err))
		}
	}
	return nil
}

// keeper remembers between rounds what needs no look.
type keeper struct {
	site    *site.Site
	o       KeepOptions
	known   map[job.Unit]known
	retries *job.Retries
}

// known is a partition whose profile was found or made.
type known struct {
	content string // of the manifest
	growing bool
	at      time.Time // when it was looked at
}

func newKeeper(s *site.Site, o KeepOptions) *keeper {
	o.Every, o.Growing = cmp.Or(o.Every, time.Minute), cmp.Or(o.Growing, 10*time.Minute)
	if o.Backoff == (retry.Policy{}) {
		o.Backoff = job.DefaultBackoff
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &keeper{site: s, o: o, known: map[job.Unit]known{}, retries: job.NewRetries(o.Backoff)}
}

// round makes what is due.
func (k *keeper) round(ctx context.Context) error {
	due, err := k.due(ctx)
	if err != nil {
		return err
	}
	k.o.Footers = lake.NewFooters()
	defer func() { k.o.Footers = nil }()
	for _, u := range due {
		began := k.o.Now()
		k.unit(ctx, u)
		if err := k.o.Wait(ctx, k.o.Now().Sub(began)); err != nil {
			return err
		}
	}
	return nil
}

// due lists the partitions without their profile, newest first and those of a day in the order of the tables.
func (k *keeper) due(ctx context.Context) (due []job.Unit, err error) {
	looking := store.Polling(ctx)
	for _, t := range k.site.Tables {
		if t.Internal() {
			continue
		}
		lt := k.site.TableOf(t)
		days, err := lt.Days(looking)
		if err != nil {
			return nil, err
		}
		for _, day := range days {
			u := job.Unit{Table: t.Name, Day: day}
			if k.retries.Due(u, k.o.Now()) && k.isDue(looking, lt, u) {
				due = append(due, u)
			}
		}
		if err := k.clean(ctx, lt, days); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(due, func(a, b job.Unit) int { return cmp.Compare(b.Day, a.Day) })
	return due, ctx.Err()
}

// isDue reports whether the published partition has no profile yet.
func (k *keeper) isDue(ctx context.Context, lt *lake.Table, u job.Unit) bool {
	id, err := lt.Identify(ctx, u.Day)
	if errors.Is(err, fs.ErrNotExist) {
		delete(k.known, u)
		return false
	}
	was, is := k.known[u]
	if is && (err == nil && was.content == id.Content || was.growing && k.o.Now().Sub(was.at) < k.o.Growing) {
		return false
	}
	m, err := lt.Partition(ctx, u.Day)
	if err != nil || m.Live != nil || m.ByNewer(lt.Schema) { // that version makes its profile
		return false // it is not published, or damaged: others say so; or its rows are yet to be made from the archive
	}
	h, err := ReadHead(ctx, lt, u.Day)
	var other *FormatError
	switch {
	case err == nil && h.Generation == m.Generation:
		k.known[u] = known{id.Content, h.Growing, k.o.Now()}
		return false
	case errors.As(err, &other) && other.Format > format:
		return false // a newer version of the program made it
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		k.o.Log.Warn("a profile is made again", "table", u.Table, "day", u.Day, "reason", err)
	}
	return true
}

// unit makes the profile of a partition.
func (k *keeper) unit(ctx context.Context, u job.Unit) {
	lt, err := k.site.Table(u.Table)
	if err != nil {
		return
	}
	began := k.o.Now()
	id, _ := lt.Identify(ctx, u.Day)
	var p *Profile
	err = panics.Try(func() error {
		if p, err = Compute(ctx, k.site, lt, u.Day, k.o.Options); err == nil {
			err = Write(ctx, lt, p)
		}
		return err
	})
	if ctx.Err() != nil || errors.Is(err, fs.ErrNotExist) {
		return // removed, or published again, meanwhile: the next round sees it
	}
	took := k.o.Now().Sub(began)
	if k.o.Made != nil {
		k.o.Made(u.Table, took, err)
	}
	if err != nil {
		times, again := k.retries.Failed(u, k.o.Now())
		k.o.Log.Warn("a profile could not be made", "table", u.Table, "day", u.Day, "times", times,
			"again", again.UTC().Format(time.RFC3339), "error", panics.Report(err))
		return
	}
	k.retries.Done(u)
	k.known[u] = known{id.Content, p.Growing, k.o.Now()}
	k.o.Log.Debug("profiled", "table", u.Table, "day", u.Day, "rows", p.Rows, "read", p.Read, "took", took)
}

// clean removes the profiles of removed days.
func (k *keeper) clean(ctx context.Context, lt *lake.Table, days []string) error {
	profiled, err := Days(store.Polling(ctx), lt)
	if err != nil {
		return err
	}
	for _, day := range profiled {
		if slices.Contains(days, day) {
			continue
		}
		if _, err := lt.Identify(ctx, day); !errors.Is(err, fs.ErrNotExist) {
			continue // it was published after the list of days
		}
		if err := Delete(ctx, lt, day); err != nil {
			return err
		}
	}
	return nil
}
