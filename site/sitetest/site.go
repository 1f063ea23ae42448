package sitetest

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

const Day = "20180301"

// Later is long after the days of the tests.
var Later = time.Date(2018, 6, 1, 0, 0, 0, 0, time.UTC)

// At is noon of a day of March 2018.
func At(day int) time.Time { return time.Date(2018, 3, day, 12, 0, 0, 0, time.UTC) }

// AllTables are the tables of the installations here. One that is added to the program changes
// no number that a test knows.
var AllTables = []string{
	"main_summary", "addons", "clients_daily", "search_clients_daily", "crash_summary",
	"telemetry_new_profile_parquet", "telemetry_update_parquet",
}

// Memory returns an installation in memory, with a ledger in a file.
func Memory(t testing.TB, archive store.Bucket) *site.Site {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "site"))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	s.Archive = archive
	for root := range s.Roots {
		s.Roots[root] = store.NewMemory()
	}
	return s
}

// Local returns an installation in folders.
func Local(t testing.TB) *site.Site {
	t.Helper()
	s, err := Open(path.Join(t.TempDir(), "site"))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func Open(dir string) (*site.Site, error) {
	p, err := loadProbes()
	if err != nil {
		return nil, err
	}
	s, err := site.Open(context.Background(), dir, schema.NewSet(p))
	if err != nil {
		return nil, err
	}
	tables, err := gleanTables(dir)
	if err != nil {
		return nil, err
	}
	if s.Tables = Tables(p); tables != nil {
		s.Tables = tables
	}
	return s, nil
}

// Tables returns the definitions of AllTables.
func Tables(p *schema.Probes) []*schema.Table {
	return slices.DeleteFunc(schema.NewSet(p).Tables, func(t *schema.Table) bool { return !slices.Contains(AllTables, t.Name) })
}

// Shared makes two servers with ledgers of their own that publish into one lake.
func Shared(t *testing.T, pings store.Bucket, c *Clock) (sites [2]*site.Site) {
	t.Helper()
	for i, name := range []string{"one", "two"} {
		s := Memory(t, pings)
		if i > 0 {
			s.Roots = sites[0].Roots
		}
		s.Sharing = &site.Sharing{Holder: name, TTL: time.Hour, Now: c.Now}
		sites[i] = s
	}
	return sites
}

func loadProbes() (*schema.Probes, error) { return schema.LoadProbes("") }

func Probes(t testing.TB) *schema.Probes {
	t.Helper()
	p, err := loadProbes()
	require.NoError(t, err)
	return p
}

// Clock is a time that the test sets.
type Clock struct{ Ns atomic.Int64 }

func (c *Clock) Now() time.Time { return time.Unix(0, c.Ns.Load()) }

func (c *Clock) Set(ns int64) { c.Ns.Store(ns) }

func DayRange(t testing.TB, from, to string) []string {
	t.Helper()
	days, err := job.DayRange(from, to)
	require.NoError(t, err)
	return days
}

// WaitFor waits for something that other goroutines bring about.
func WaitFor(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("no %s within a minute", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// NoWait waits for nothing.
func NoWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }
