package loader

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestForgetWhileDecoding forgets one client by its own ping and one by the
// operator, whose rows a running service holds in memory and in growing files.
func TestForgetWhileDecoding(t *testing.T) {
	s := sitetest.Local(t)
	v := newService(t, s)
	v.opts.PublishEvery, v.opts.ReloadEvery = time.Millisecond, time.Millisecond
	v.opts.ArchiveEvery = time.Hour // of the test's clock: by itself it commits nothing
	v.start()
	all := sitetest.FromClients(10)
	for i := range all {
		all[i].At = sitetest.Arrival.Add(time.Duration(i) * time.Second)
	}
	v.send(spoolRecords(all[:6]))
	rows := func() (clients []string) {
		for _, table := range s.Direct()[:1] {
			lt, err := s.Table(table)
			require.NoError(t, err)
			if _, err := lt.Partition(context.Background(), sitetest.Day); err != nil {
				return nil
			}
			for _, row := range sitetest.RowsOf(t, s, table, sitetest.Day) {
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
	sitetest.WaitFor(t, "rows are visible", func() bool { v.clock.Set(v.clock.Now().UnixNano() + 1e7); return len(rows()) == 6 })

	request := sitetest.Sent{Id: "00000000-0000-4000-8000-0000000000ff", DocType: "deletion-request",
		At:   sitetest.Arrival.Add(7 * time.Second),
		Body: `{"type":"deletion-request","version":4,"clientId":"` + sitetest.ClientOf(1) + `"}`}
	v.send(spoolRecords([]sitetest.Sent{request}))
	all[7].Body = strings.Replace(all[7].Body, sitetest.ClientOf(7), sitetest.ClientOf(1), 1) // it goes on
	v.send(spoolRecords(all[7:8]))
	at := v.clock.Now()
	sitetest.AskToForget(t, s, "a", at, sitetest.ClientOf(2))
	f := mustForget(t, s)
	if len(f.Waiting) != 0 && sitetest.Pending(t, s) == 0 {
		t.Errorf("waits for %v, and no request is pending", f.Waiting)
	}
	sitetest.WaitFor(t, "both requests are finished", func() bool {
		v.clock.Set(v.clock.Now().UnixNano() + int64(time.Hour))
		seal()
		set, err := s.Forgotten.Set(context.Background())
		require.NoError(t, err)
		_, err = erase.Run(context.Background(), s, forgetOptions())
		if err != nil && !errors.Is(err, job.ErrInUse) {
			t.Fatal(err)
		}
		clients, pending := set.Len()
		return clients == 2 && pending == 0
	})
	sitetest.WaitFor(t, "others alone are visible", func() bool {
		got := rows()
		slices.Sort(got)
		return slices.Equal(got, []string{sitetest.ClientOf(0), sitetest.ClientOf(3), sitetest.ClientOf(4), sitetest.ClientOf(5)})
	})
	v.clock.Set(sitetest.Arrival.Add(20 * time.Hour).UnixNano())
	v.finish()
	for i := range 8 {
		want := 1
		if i == 1 || i == 2 || i >= 6 {
			want = 0
		}
		if got := sitetest.Mentioned(t, s, sitetest.ClientOf(i)); got != want {
			t.Errorf("the archive has %d pings of client %d, want %d", got, i, want)
		}
	}
}

// TestOneDecoderOfAnEdge refuses a second one.
func TestOneDecoderOfAnEdge(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.start()
	sitetest.WaitFor(t, "the first has begun", func() bool { return s.Decodes("e1") })
	o := v.opts
	o.Spool, o.Now = v.spool, v.clock.Now
	if err := Decode(context.Background(), s, o); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second decoder of the edge: %v", err)
	}
	v.finish()
	if s.Decodes("e1") {
		t.Error("the lock outlives the decoder")
	}
}
