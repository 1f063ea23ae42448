package ask

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/query/queue"
	"github.com/pingmill/pingmill/store"
)

func exporting(t *testing.T, states store.Bucket) *Exports {
	t.Helper()
	now := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	return &Exports{
		Runner: &Runner{Temp: t.TempDir(), Queue: queue.New(queue.Options{Slots: 1, Waiting: 1})},
		States: states,
		Now:    func() time.Time { return now },
	}
}

// to writes a result to a buffer, which has it when it is whole.
func to(b *bytes.Buffer) func(context.Context, func(io.Writer) error) error {
	return func(_ context.Context, result func(io.Writer) error) error {
		var all bytes.Buffer
		if err := result(&all); err != nil {
			return err
		}
		_, err := all.WriteTo(b)
		return err
	}
}

// TestExports: exports run in the background, in their turns; how each ended is stored and can be read by others.
func TestExports(t *testing.T) {
	states, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	e := exporting(t, states)
	ask := func(sql, target string, b *bytes.Buffer) Export {
		x, err := e.Start(t.Context(), Request{SQL: sql, Dialect: query.DuckDB, Views: []query.View{days(t)}, Format: query.FormatCSV, Person: "ann"}, target, to(b))
		require.NoError(t, err)
		return x
	}
	var long, good, bad bytes.Buffer
	slow := ask("SELECT count(*) FROM range(1000000000) a(i), range(1000000000) b(j) WHERE i % 7 = j % 11", "slow.csv", &long)
	for running := 0; running == 0; running, _ = e.Runner.Queue.Load() {
		time.Sleep(time.Millisecond)
	}
	fine := ask("SELECT day, count(*) AS n FROM days GROUP BY 1 ORDER BY 1", "good.csv", &good)
	for waiting := 0; waiting == 0; _, waiting = e.Runner.Queue.Load() {
		time.Sleep(time.Millisecond)
	}
	full := ask("SELECT 1", "full.csv", &bad)
	if !e.Cancel(slow.ID) || e.Cancel("none") {
		t.Error("only the running one can be cancelled")
	}
	e.Wait()
	if good.String() != "day,n\n20180301,6\n20180302,6\n" || long.Len() > 0 || bad.Len() > 0 {
		t.Errorf("%q %q %q", good.String(), long.String(), bad.String())
	}
	other := exporting(t, states)
	require.NoError(t, other.Recover(t.Context()))
	list, err := other.List(t.Context())
	require.NoError(t, err)
	got := map[string]Export{}
	for _, x := range list {
		got[x.ID] = x
	}
	if x := got[fine.ID]; x.State != ExportDone || x.Rows != 2 || x.Bytes != int64(good.Len()) || !strings.HasPrefix(x.Reads, "4 files of 2 partitions") || x.Ended.IsZero() || x.Target != "good.csv" {
		t.Errorf("done: %+v", x)
	}
	if x := got[slow.ID]; x.State != ExportCancelled {
		t.Errorf("cancelled: %+v", x)
	}
	if x := got[full.ID]; x.State != ExportFailed || x.Error != queue.ErrFull.Error() {
		t.Errorf("without a place to wait: %+v", x)
	}
	if e.Cancel(fine.ID) {
		t.Error("an export that has ended was cancelled")
	}
}

// TestExportsRecover: what a process that ended has left is said to have failed.
func TestExportsRecover(t *testing.T) {
	states, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	e := exporting(t, states)
	require.NoError(t, e.save(t.Context(), Export{ID: "x", State: ExportRunning, Position: 2}))
	require.NoError(t, e.Recover(t.Context()))
	list, err := e.List(t.Context())
	require.NoError(t, err)
	if len(list) != 1 || list[0].State != ExportFailed || !strings.Contains(list[0].Error, "the program ended") {
		t.Errorf("%+v", list)
	}
	w, err := states.Create(t.Context(), "y.json")
	require.NoError(t, err)
	_, err = w.Write([]byte(`{"id": "y", "state": "lost"}`))
	require.NoError(t, err)
	require.NoError(t, w.Commit())
	if _, err := e.List(t.Context()); err == nil || !strings.Contains(err.Error(), "y.json") {
		t.Errorf("a broken state: %v", err)
	}
}

// TestExportsFail: a target that cannot be written ends its export.
func TestExportsFail(t *testing.T) {
	e := exporting(t, nil)
	_, err := e.Start(t.Context(), Request{SQL: "SELECT 1", Format: query.FormatCSV}, "x", func(context.Context, func(io.Writer) error) error { return errors.New("no space") })
	require.NoError(t, err)
	e.Wait()
	list, err := e.List(t.Context())
	if err != nil || len(list) != 1 || list[0].State != ExportFailed || list[0].Error != "no space" {
		t.Errorf("%+v, %v", list, err)
	}
}

// FuzzReadExport: any bytes are a state or an error.
func FuzzReadExport(f *testing.F) {
	f.Add([]byte(`{"id": "x", "state": "done", "rows": 3, "asked": "2018-03-01T00:00:00Z"}`))
	f.Add([]byte(`{"id": "x", "state": "gone"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if x, err := readExport(text); err == nil && (x.ID == "" || x.State == "") {
			t.Errorf("%+v", x)
		}
	})
}
