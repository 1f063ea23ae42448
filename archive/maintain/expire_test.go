package maintain_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

var expireNow = time.Date(2018, 9, 1, 1, 30, 0, 0, time.UTC)

// dayLoad makes a load with pings of two types and a rejected submission of each
// day.
func dayLoad(t *testing.T, b store.Bucket, name string, days ...string) {
	t.Helper()
	w, err := archive.NewWriter(ctx, b, archive.Options{})
	require.NoError(t, err)
	for _, day := range days {
		for i, docType := range []string{"main", "crash", "main"} {
			var m ping.Meta
			m.SetString(ping.DocumentID, fmt.Sprint(name, i))
			m.SetString(ping.SubmissionDate, day)
			m.SetString(ping.DocTypeField, docType)
			require.NoError(t, w.Append(&m, []byte(`{"a":1}`)))
		}
		require.NoError(t, rejectAll(w, day, name))
	}
	if _, err := w.Close(ctx, name); err != nil {
		t.Fatal(err)
	}
}

// expireAll removes what is before a day, as a run of the retention does.
func expireAll(b store.Bucket, before ping.Day, now time.Time) error {
	o := maintain.ExpireOptions{RetentionDays: 90, Now: now}
	if err := maintain.FinishExpiry(ctx, b, o); err != nil {
		return err
	}
	for _, k := range []archive.Kind{archive.KindPings, archive.KindErrors} {
		days, err := archive.DaysBefore(ctx, b, k, before)
		if err != nil {
			return err
		}
		for _, d := range days {
			if err := maintain.Expire(ctx, b, d, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestExpireCrash kills a removal at every operation: readers see each of its
// days whole or not at all, other days stay, and the next removal leaves what one
// that nobody disturbed leaves.
func TestExpireCrash(t *testing.T) {
	fill := func(t *testing.T, b store.Bucket) {
		dayLoad(t, b, "spool.e.0001-0002", "20180601")
		dayLoad(t, b, "aaaa", "20180601", "20180602")
		dayLoad(t, b, "spool.e.0003-0009", "20180602")
	}
	reference := store.NewMemory()
	fill(t, reference)
	require.NoError(t, expireAll(reference, "20180602", expireNow))
	want := contents(t, reference)
	const rest = "20180602/crash:2 20180602/main:4 errors 20180602:aaaa,spool.e.0003-0009,"
	if got := state(t, reference); got != rest {
		t.Fatalf("undisturbed: %s", got)
	}
	states := map[string]bool{
		rest: true,
		"20180601/crash:2 20180601/main:4 20180602/crash:2 20180602/main:4 errors 20180601:aaaa,spool.e.0001-0002," +
			strings.TrimPrefix(rest, "20180602/crash:2 20180602/main:4 "): true,
		"20180602/crash:2 20180602/main:4 errors 20180601:aaaa,spool.e.0001-0002," +
			strings.TrimPrefix(rest, "20180602/crash:2 20180602/main:4 "): true,
	}
	storetest.Each(t, func(t *testing.T, first store.Bucket) {
		seen := map[string]bool{}
		_, onDisk := store.LocalDir(first)
		step := 1
		if onDisk {
			step = 4 // each one syncs a lot
		}
		for n := 0; ; n += step {
			b := first
			if n > 0 {
				if onDisk {
					local, err := store.OpenLocal(t.TempDir())
					require.NoError(t, err)
					b = local
				} else {
					b = store.NewMemory()
				}
			}
			fill(t, b)
			f := storetest.NewFaults(b)
			f.StopAfter(n)
			err := expireAll(f, "20180602", expireNow)
			got := state(t, b)
			if seen[got] = true; !states[got] {
				t.Fatalf("stopped after %d operations: %s", n, got)
			}
			if err == nil && !f.Stopped() {
				break
			}
			if err := expireAll(b, "20180602", expireNow); err != nil {
				t.Fatalf("stopped after %d operations, then: %v", n, err)
			}
			if got := contents(t, b); !slices.Equal(got, want) {
				t.Fatalf("stopped after %d operations, then:\n%s\ninstead of\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if !onDisk && len(seen) != len(states) {
			t.Errorf("saw %d of %d states", len(seen), len(states))
		}
	})
}

// TestExpire: a day is noted, its files are removed also for readers with the day open, later files stay, and a file
// that was loaded is not loaded again.
func TestExpire(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		dayLoad(t, b, "aaaa", "20180601", "20180603")
		open, err := archive.OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		if e, err := archive.ReadExpired(ctx, b, archive.KindPings, "20180601"); e != nil || err != nil {
			t.Errorf("before: %v, %v", e, err)
		}
		days, err := archive.DaysBefore(ctx, b, archive.KindPings, "20180603")
		if err != nil || len(days) != 1 || days[0].Files != 2 || days[0].Rows != 3 || days[0].Bytes == 0 {
			t.Fatalf("%+v, %v", days, err)
		}
		dayLoad(t, b, "bbbb", "20180601") // after it was listed
		require.NoError(t, maintain.Expire(ctx, b, days[0], maintain.ExpireOptions{RetentionDays: 30, Now: expireNow}))
		if got := state(t, b); got != "20180601/crash:1 20180601/main:2 20180603/crash:1 20180603/main:2 errors 20180601:aaaa,bbbb,errors "+
			"20180603:aaaa," {
			t.Errorf("after: %s", got)
		}
		for _, err = range open.Pings(ctx, 0, 100) {
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("who had it open: %v", err)
		}
		e, err := archive.ReadExpired(ctx, b, archive.KindPings, "20180601")
		if err != nil || e == nil || e.RetentionDays != 30 || e.On() != "2018-09-01" || e.Kind != archive.KindPings {
			t.Errorf("the note: %+v, %v", e, err)
		}
		if days, err := archive.ExpiredDays(ctx, b, archive.KindPings); err != nil || len(days) != 1 || !days["20180601"] {
			t.Errorf("%v, %v", days, err)
		}
		before := state(t, b)
		dayLoad(t, b, "aaaa", "20180601", "20180603")
		if got := state(t, b); got != before {
			t.Errorf("loaded again: %s", got)
		}
		require.NoError(t, expireAll(b, "20180603", expireNow))
		if got := state(t, b); got != "20180603/crash:1 20180603/main:2 errors 20180603:aaaa," {
			t.Errorf("in the end: %s", got)
		}
		states, err := archive.States(ctx, b, "20180501")
		if err != nil || len(states) != 1 {
			t.Errorf("states: %v, %v", states, err)
		}
	})
}

// TestThin: records go once nothing depends on them, and readers see the same.
func TestThin(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		dayLoad(t, b, "spool.e.0001-0002", "20180601")
		dayLoad(t, b, "spool.e.0003-0003", "20180601")
		dayLoad(t, b, "spool.e.0004-0004", "20180601")
		dayLoad(t, b, "spool.e_2.0001-0001", "20180601")
		dayLoad(t, b, "spool.f.0001-0001", "20180601", "20180602")
		dayLoad(t, b, "spool.f.0002-0002", "20180602")
		dayLoad(t, b, "aaaa", "20180601")
		rejectLoad(t, b, "cccc") // of 20180601 and 20180602
		replaceDay(t, b, "replay", "re-1")
		require.NoError(t, store.WriteFile(ctx, b, "seen/v1/spool.e.0003-0003.seen", []byte("x")))
		thin := func(at time.Time, want int) {
			t.Helper()
			before := state(t, b)
			n, err := maintain.Thin(ctx, b, at)
			if err != nil || n != want {
				t.Errorf("%d records went, want %d: %v", n, want, err)
			}
			if got := state(t, b); got != before {
				t.Errorf("readers see %s, before %s", got, before)
			}
		}
		thin(expireNow, 0)
		require.NoError(t, expireAll(b, "20180602", expireNow))
		thin(expireNow, 1+1) // spool.e.0001-0002, and the replay
		thin(expireNow.Add(time.Hour), 2)
		got, err := archive.Loads(ctx, b, "")
		if err != nil || !slices.Equal(got,
			[]string{"aaaa", "cccc", "spool.e.0003-0003", "spool.e.0004-0004", "spool.e_2.0001-0001", "spool.f.0001-0001", "spool.f.0002-0002"}) {
			t.Errorf("left are %q, %v", got, err)
		}
		dayLoad(t, b, "dddd", "20180601") // comes for the expired day
		if n := strings.Count(state(t, b), "20180601"); n != 3 {
			t.Errorf("what came later: %s", state(t, b))
		}
	})
}
