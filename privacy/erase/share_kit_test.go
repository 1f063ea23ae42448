package erase

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// buckets holds the buckets of a lake that servers share, by name.
type buckets map[string]store.Bucket

const requestsBucket, archiveBucket = "forget", "archive"

// into makes a server use the buckets, each through a wrapper with faults.
func (b buckets) into(s *site.Site) (wrapped []*storetest.Faults) {
	wrap := func(name string) store.Bucket {
		f := storetest.NewFaults(b[name])
		wrapped = append(wrapped, f)
		return f
	}
	s.Archive, s.Forgotten = wrap(archiveBucket), forget.Open(wrap(requestsBucket))
	for root := range s.Roots {
		s.Roots[root] = wrap(root.String())
	}
	return wrapped
}

// fences matches what a manifest says of servers that were at the same partition before.
var fences = regexp.MustCompile(`,\s*"fence": \d+`)

// clone copies all objects.
func (b buckets) clone(t *testing.T) buckets {
	t.Helper()
	all := buckets{}
	for name, from := range b {
		all[name] = store.NewMemory()
		for e, err := range from.List(t.Context(), "") {
			require.NoError(t, err)
			data, err := store.ReadFile(t.Context(), from, e.Name)
			require.NoError(t, err)
			require.NoError(t, store.WriteFile(t.Context(), all[name], e.Name, data))
		}
	}
	return all
}

// sums returns the hash of every object, except leases that have ended, and fails if one has an id of the clients.
func (b buckets) sums(t *testing.T, clients []string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, bucket := range b {
		for e, err := range bucket.List(t.Context(), "") {
			require.NoError(t, err)
			if strings.HasPrefix(e.Name, "_leases/") {
				continue
			}
			data, err := store.ReadFile(t.Context(), bucket, e.Name)
			require.NoError(t, err)
			for _, id := range clients {
				require.NotContains(t, string(data), id, "%s/%s", name, e.Name)
			}
			data = fences.ReplaceAll(data, nil)
			all[name+"/"+e.Name] = fmt.Sprintf("%x", sha256.Sum256(data))
		}
	}
	return all
}

// shared is a lake with requests, and what one server makes of it alone.
type shared struct {
	before  buckets
	after   map[string]string
	reports []forget.ClientReport
	record  *forget.Cycle
	clients []string
}

// sharedAt is the time of all removals of the tests: the names of what they make depend on it.
var sharedAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func newShared(t *testing.T) *shared {
	t.Helper()
	days := sitetest.DayRange(t, "20180301", "20180304")
	l := &shared{before: buckets{}, clients: []string{clientOf(1), profileOf(4), clientOf(7)}}
	s := sitetest.Glean(t)
	l.before[archiveBucket], l.before[requestsBucket] = store.NewMemory(), store.NewMemory()
	for root := range s.Roots {
		l.before[root.String()] = store.NewMemory()
	}
	l.before.into(s)
	sitetest.GleanPings(t, s.Archive, "load1", slices.DeleteFunc(gleanUse(days), func(p sitetest.GleanPing) bool { return p.Minute > 9 }))
	_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: schema.Names(s.Tables), Days: days, Now: time.Now})
	require.NoError(t, err)
	sitetest.AskToForget(t, s, "a", sharedAt.Add(-time.Hour), l.clients[:2]...)
	sitetest.AskToForget(t, s, "b", sharedAt.Add(-time.Minute), l.clients[2:]...)

	alone := l.before.clone(t)
	one := l.server(t, alone, "alone")
	require.NoError(t, one.run(t.Context()))
	l.after = alone.sums(t, l.clients)
	l.reports, l.record = one.results(t)
	require.Len(t, l.reports, 3)
	require.Len(t, l.reports[0].Removals, 1)
	require.NotEmpty(t, l.reports[0].Removals[0].Found)
	require.NotZero(t, l.record.Rows())
	for _, id := range l.clients {
		require.Zero(t, sitetest.Mentioned(t, one.Site, id))
		for _, table := range schema.Names(s.Tables) {
			for _, day := range days {
				require.NotContains(t, fmt.Sprint(sitetest.RowsOf(t, one.Site, table, day)), id, "%s %s", table, day)
			}
		}
	}
	return l
}

// remover is one of several servers.
type remover struct {
	*site.Site

	buckets []*storetest.Faults
	ctx     context.Context // of its process
	kill    func()

	progress func(*forget.Cycle)
}

func (l *shared) server(t *testing.T, b buckets, name string) *remover {
	t.Helper()
	r := &remover{Site: sitetest.Glean(t)}
	r.buckets = b.into(r.Site)
	r.Sharing = &site.Sharing{Holder: name, TTL: 500 * time.Millisecond, Now: time.Now}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(t.Context())
	r.kill = func() {
		for _, f := range r.buckets {
			f.StopAfter(0)
		}
		cancel()
	}
	t.Cleanup(cancel)
	return r
}

// run removes rows until nothing is left to do, as the service does, or until the server is killed.
func (r *remover) run(ctx context.Context) error {
	o := Options{Program: "pingmill test", Clock: clock.Clock{Now: func() time.Time { return sharedAt },
		Wait: func(ctx context.Context, _ time.Duration) error { return clock.Wait(ctx, 5*time.Millisecond) }}}
	o.Progress = func(c *forget.Cycle) {
		if r.progress != nil {
			r.progress(c)
		}
	}
	for range 1000 {
		f, err := Run(ctx, r.Site, o)
		switch {
		case err == nil && f.Cycle == nil:
			return nil
		case errors.Is(err, storetest.ErrStopped), r.ctx.Err() != nil:
			return storetest.ErrStopped
		case err == nil, errors.Is(err, store.ErrHeld), errors.Is(err, store.ErrLost), errors.Is(err, store.ErrChanged):
		default:
			return err
		}
		if err := clock.Wait(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("it does not end")
}

func (r *remover) results(t *testing.T) ([]forget.ClientReport, *forget.Cycle) {
	t.Helper()
	all, err := r.Forgotten.Reports().Read(t.Context(), nil, forget.Deadline(24*time.Hour))
	require.NoError(t, err)
	cycles, err := r.Forgotten.Cycles(t.Context())
	require.NoError(t, err)
	require.Len(t, cycles, 1)
	return all, cycles[0]
}
