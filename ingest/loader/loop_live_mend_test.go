package loader

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// mainsFrom returns main pings of a few clients on one day, a second apart.
func mainsFrom(clients int) []sitetest.Sent {
	all := sitetest.FromClients(clients)
	for i := range all {
		s := &all[i]
		s.DocType, s.At = "main", sitetest.Arrival.Add(time.Duration(i)*time.Second)
		s.Body = `{"type":"main","version":4,"application":{"name":"Firefox"},"clientId":"` + sitetest.ClientOf(i) + `"}`
	}
	return all
}

// looseSchemas returns a folder of a schema that these satisfy.
func looseSchemas(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.4.schema.json"), []byte(`{"type":"object"}`), 0o600))
	return dir
}

// awaitClients waits until main_summary has exactly one row of each of these clients.
func (v *service) awaitClients(what string, want ...int) {
	v.t.Helper()
	var got []string
	clients := make([]string, len(want))
	for i, n := range want {
		clients[i] = sitetest.ClientOf(n)
	}
	defer func() {
		if v.t.Failed() {
			v.t.Logf("%s: %v, in %+v", what, got, partition(v.t, v.site, "main_summary", sitetest.Day))
		}
	}()
	sitetest.WaitFor(v.t, what, func() bool {
		v.clock.Ns.Add(int64(3 * time.Second)) // midnight is far, also for a machine that stands still
		var err error
		got, err = v.clients()
		slices.Sort(got)
		return err == nil && slices.Equal(got, clients)
	})
}

// clients returns the clients of the rows of main_summary. It fails if the partition is missing or replaced meanwhile.
func (v *service) clients() (all []string, err error) {
	lt, err := v.site.Table("main_summary")
	require.NoError(v.t, err)
	m, err := lt.Partition(v.t.Context(), sitetest.Day)
	if err != nil {
		return nil, err
	}
	rows := column.NewBatch(lt.Schema.Columns)
	at := slices.IndexFunc(rows.Leaves, func(l column.Leaf) bool { return l.Path[0] == "client_id" })
	for _, f := range m.Files {
		err := lt.Read(v.t.Context(), sitetest.Day, lt.Path(sitetest.Day, f.Name), f, rows, func() error {
			for _, id := range rows.Leaves[at].Bytes {
				all = append(all, string(id))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// TestLiveRowsFollowTheArchive: loads of files, their undoing, replays and removals of clients are seen in the rows of a day
// that is not over, beside those that decoding makes; and the day is made as if there had been none.
func TestLiveRowsFollowTheArchive(t *testing.T) {
	for name, open := range map[string]func() *site.Site{
		"disk":   func() *site.Site { return sitetest.Local(t) },
		"bucket": func() *site.Site { return sitetest.Memory(t, store.NewMemory()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open()
			v := liveService(t, s)
			v.opts.Decode.Schemas = looseSchemas(t)
			v.opts.ReloadEvery = time.Millisecond
			all := mainsFrom(8)
			v.start()
			v.send(spoolRecords(all[:3]))
			v.awaitClients("rows of pings that arrive", 0, 1, 2)
			loadWith(t, s, v.opts.Decode, all[3:5])
			v.awaitClients("rows of a file", 0, 1, 2, 3, 4)
			v.send(spoolRecords(all[7:]))
			v.undoFile()
			v.awaitClients("no rows of the file", 0, 1, 2, 7)
			loadStrictly(t, s, strictSchemas(t), all[5:7])
			r := mustReplay(t, s, ReplayOptions{Decode: v.opts.Decode})
			assert.Equal(t, int64(2), r.Pings)
			v.awaitClients("rows of rejected pings that were replayed", 0, 1, 2, 5, 6, 7)
			v.forget(1, 5)
			v.awaitClients("no rows of forgotten clients", 0, 2, 6, 7)
			v.clock.Set(sitetest.Arrival.Add(12*time.Hour + time.Minute).UnixNano())
			v.finish()
			v.round()
			other := sitetest.Memory(t, s.Archive)
			etltest.Rounds(t, other, etl.ScheduleOptions{Clock: clock.Clock{Now: v.clock.Now}}, 1)
			want := rowTexts(t, other, "main_summary", sitetest.Day)
			assert.Len(t, want, 4)
			assert.Equal(t, want, rowTexts(t, s, "main_summary", sitetest.Day))
		})
	}
}

// TestDayMadeAgainIsChecked: a day that was made again while it lasted, and got no pings afterwards, was not
// checked. The run that closes it makes it once more.
func TestDayMadeAgainIsChecked(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	v := liveService(t, s)
	v.opts.Decode.Schemas = looseSchemas(t)
	all := mainsFrom(5)
	v.start()
	v.send(spoolRecords(all[:3]))
	v.awaitClients("rows of pings that arrive", 0, 1, 2)
	loadWith(t, s, v.opts.Decode, all[3:])
	v.awaitClients("rows of a file", 0, 1, 2, 3, 4)
	v.undoFile()
	v.awaitClients("no rows of the file", 0, 1, 2)
	if m := partition(t, s, "main_summary", sitetest.Day); !m.Unchecked || len(m.Parts) == 0 {
		t.Errorf("it was not made again: %+v", m)
	}
	v.clock.Set(sitetest.Arrival.Add(12*time.Hour + time.Minute).UnixNano())
	v.finish()
	v.round()
	if m := partition(t, s, "main_summary", sitetest.Day); m.Unchecked || m.Rows != 3 {
		t.Errorf("no run has checked it: %+v", m)
	}
}

// undoFile undoes the load of a file.
func (v *service) undoFile() {
	v.t.Helper()
	loads, err := archive.Loads(v.t.Context(), v.site.Archive, "")
	require.NoError(v.t, err)
	file := slices.IndexFunc(loads, func(l string) bool { return !strings.HasPrefix(l, naming.FromSpool) })
	_, err = UndoLoad(v.t.Context(), v.site, loads[file])
	require.NoError(v.t, err)
}

// forget asks to forget clients, and waits until nothing of them is left.
func (v *service) forget(clients ...int) {
	v.t.Helper()
	for _, n := range clients {
		sitetest.AskToForget(v.t, v.site, "r"+sitetest.ClientOf(n), v.clock.Now(), sitetest.ClientOf(n))
	}
	sitetest.WaitFor(v.t, "the requests are finished", func() bool {
		v.clock.Ns.Add(int64(time.Minute))
		_, err := erase.Run(context.Background(), v.site, forgetOptions())
		if err != nil && !errors.Is(err, job.ErrInUse) {
			v.t.Fatal(err)
		}
		return err == nil && sitetest.Pending(v.t, v.site) == 0
	})
}

// TestLiveRowsOfATopic: where the partitions of a topic are decoded by anybody, rows come with their loads, each once.
func TestLiveRowsOfATopic(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	k := newTopic(t, 2)
	k.live, k.config.Schemas = live.Options{Tables: liveTables, Every: time.Second}, looseSchemas(t)
	all := spoolRecords(mainsFrom(40))
	send := func(some []*spool.Record) {
		for _, r := range some {
			require.NoError(t, k.edge.Append(t.Context(), r))
		}
	}
	send(all[:20])
	first := k.decode(s, "one")
	day := string(ping.DayOf(k.c.Now().UnixNano()))
	rows := func(want int64) func() bool {
		return func() bool {
			m := partition(t, s, "main_summary", day)
			if m == nil {
				return false
			}
			for _, f := range m.Files {
				if f.OpenFor != "" {
					t.Errorf("open file %+v", f)
				}
			}
			return m.Rows == want
		}
	}
	sitetest.WaitFor(t, "rows of the loads", rows(20))
	first.kill()
	<-first.ended
	send(all[20:])
	second := k.decode(s, "two")
	sitetest.WaitFor(t, "rows of loads of another process", rows(40))
	close(second.stop)
	assert.NoError(t, <-second.ended)
}
