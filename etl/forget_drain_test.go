package etl

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/store"
)

// spoolRecords are submissions as an edge keeps them.
func spoolRecords(all []sent) (out []*spool.Record) {
	for _, s := range all {
		out = append(out, &spool.Record{
			Timestamp: s.at.UnixNano(), RemoteAddr: []byte("10.1.2.3"), Body: []byte(s.body),
			URI: []byte("/submit/telemetry/" + s.id + "/" + s.docType + "/Firefox/60.0/release/20180301000000"),
		})
	}
	return out
}

// TestForgetWhileDecoding forgets one client by its own ping and one by the
// operator, whose rows a running service holds in memory and in growing files.
func TestForgetWhileDecoding(t *testing.T) {
	s := localSite(t)
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ReloadEvery = time.Millisecond, time.Millisecond
	v.opts.ArchiveEvery = time.Hour // of the test's clock: by itself it commits nothing
	v.start()
	all := fromClients(10)
	for i := range all {
		all[i].at = testArrival.Add(time.Duration(i) * time.Second)
	}
	v.send(spoolRecords(all[:6]))
	rows := func() (clients []string) {
		for _, table := range s.Direct()[:1] {
			lt, err := s.Table(table)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lt.Partition(context.Background(), testDay); err != nil {
				return nil
			}
			for _, row := range rowsOf(t, s, table, testDay) {
				clients = append(clients, row["client_id"].(string))
			}
		}
		return clients
	}
	seal := func() {
		if _, err := v.spool.Watermark(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	seal()
	waitFor(t, "rows are visible", func() bool { v.clock.set(v.clock.now().UnixNano() + 1e7); return len(rows()) == 6 })

	request := sent{id: "00000000-0000-4000-8000-0000000000ff", docType: "deletion-request", at: testArrival.Add(7 * time.Second),
		body: `{"type":"deletion-request","version":4,"clientId":"` + clientOf(1) + `"}`}
	v.send(spoolRecords([]sent{request}))
	all[7].body = strings.Replace(all[7].body, clientOf(7), clientOf(1), 1) // it goes on
	v.send(spoolRecords(all[7:8]))
	at := v.clock.now()
	askToForget(t, s, "a", at, clientOf(2))
	f := mustForget(t, s)
	if len(f.Waiting) != 0 && pendingOf(t, s) == 0 {
		t.Errorf("waits for %v, and no request is pending", f.Waiting)
	}
	waitFor(t, "both requests are finished", func() bool {
		v.clock.set(v.clock.now().UnixNano() + int64(time.Hour))
		seal()
		set, err := s.Forgotten.Set(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		_, err = Forget(context.Background(), s, forgetOptions())
		if err != nil && !errors.Is(err, job.ErrInUse) {
			t.Fatal(err)
		}
		clients, pending := set.Len()
		return clients == 2 && pending == 0
	})
	waitFor(t, "others alone are visible", func() bool {
		got := rows()
		slices.Sort(got)
		return slices.Equal(got, []string{clientOf(0), clientOf(3), clientOf(4), clientOf(5)})
	})
	v.clock.set(testArrival.Add(20 * time.Hour).UnixNano())
	v.finish()
	for i := range 8 {
		want := 1
		if i == 1 || i == 2 || i >= 6 {
			want = 0
		}
		if got := mentioned(t, s, clientOf(i)); got != want {
			t.Errorf("the archive has %d pings of client %d, want %d", got, i, want)
		}
	}
}

// TestForgetAlways removes rows again and again, also after a failure.
func TestForgetAlways(t *testing.T) {
	dir := t.TempDir()
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustLoad(t, s, submissionLines(t, fromClients(4)))
	askToForget(t, s, "a", time.Now(), clientOf(1))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lock, err := s.LockRewriting(ctx) // so that the first one cannot begin
	if err != nil {
		t.Fatal(err)
	}
	o := forgetOptions()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	var pauses []time.Duration
	damaged := filepath.Join(dir, "archive", "forget", "requests", "v1", "damaged.json")
	o.Wait = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		switch len(pauses) {
		case 1:
			lock.Release()
			if err := os.WriteFile(damaged, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		case 3:
			if err := os.Remove(damaged); err != nil {
				t.Fatal(err)
			}
		case 4:
			if due, err := ForgetDue(ctx, s, time.Hour, time.Now()); err != nil || due {
				t.Errorf("due again at once: %v, %v", due, err)
			}
			if n := mentioned(t, s, clientOf(1)); n != 0 {
				t.Errorf("%d pings are left", n)
			}
			askToForget(t, s, "b", time.Now(), clientOf(2))
			if due, err := ForgetDue(ctx, s, time.Hour, time.Now()); err != nil || due {
				t.Errorf("due within the hour: %v, %v", due, err)
			}
			if due, err := ForgetDue(ctx, s, time.Hour, time.Now().Add(2*time.Hour)); err != nil || !due {
				t.Errorf("not due after an hour: %v, %v", due, err)
			}
		case 5:
			cancel()
		}
		return ctx.Err()
	}
	if err := ForgetAlways(ctx, s, time.Nanosecond, o); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, time.Minute, time.Minute}; !slices.Equal(pauses, want) {
		t.Errorf("pauses %v, want %v", pauses, want)
	}
	if n := mentioned(t, s, clientOf(2)) + pendingOf(t, s); n != 0 {
		t.Errorf("the second request left %d", n)
	}
}

// TestOneDecoderOfAnEdge refuses a second one.
func TestOneDecoderOfAnEdge(t *testing.T) {
	s := memorySite(t, store.NewMemory())
	v := newService(t, s)
	v.start()
	waitFor(t, "the first has begun", func() bool { return s.Decodes("e1") })
	o := v.opts
	o.Spool, o.Now = v.spool, v.clock.now
	if err := Drain(context.Background(), s, o); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second decoder of the edge: %v", err)
	}
	v.finish()
	if s.Decodes("e1") {
		t.Error("the lock outlives the decoder")
	}
}
