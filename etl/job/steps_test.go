package job_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/pingmill/pingmill/etl/job"
)

// files is a small pipeline in a folder: source/DAY holds the input, TABLE/DAY the published files, and
// staging/TABLE/DAY/GENERATION/LO-HI what tasks have done. Its bytes depend only on the sources.
type files struct {
	dir     string
	graph   *job.Graph
	samples []job.Samples
	bytes   int64 // of the input of each task
	// before, if set, is called at the beginning of the stages plan, do, rename (in the middle of Do), commit
	// and publish (in the middle of Commit); t is set for do and rename.
	before func(ctx context.Context, stage string, u job.Unit, t job.Task) error

	mu  sync.Mutex
	did map[job.Task]int
}

// published is the content of TABLE/DAY.
type published struct {
	Generation string   `json:"generation"`
	Parts      []string `json:"parts"`
}

var theGraph = []job.Node{
	{Name: "main_summary"},
	{Name: "crash_summary"},
	{Name: "clients_daily", Needs: []string{"main_summary"}},
	{Name: "churn", Needs: []string{"clients_daily", "crash_summary"}},
}

func newGraph(tb testing.TB) *job.Graph {
	tb.Helper()
	g, err := job.New(theGraph)
	require.NoError(tb, err)
	return g
}

func newFiles(dir string, g *job.Graph) *files {
	return &files{dir: dir, graph: g, samples: []job.Samples{{Lo: 0, Hi: 49}, {Lo: 50, Hi: 99}, {Lo: 100, Hi: 100}}, did: map[job.Task]int{}}
}

func (f *files) stage(ctx context.Context, stage string, u job.Unit, t job.Task) error {
	if f.before == nil {
		return nil
	}
	return f.before(ctx, stage, u, t)
}

func (f *files) sources(u job.Unit) map[string]string {
	paths := make(map[string]string)
	for _, need := range f.graph.Needs(u.Table) {
		paths[need] = filepath.Join(f.dir, need, u.Day)
	}
	if len(paths) == 0 {
		paths["source"] = filepath.Join(f.dir, "source", u.Day)
	}
	return paths
}

func (f *files) Plan(ctx context.Context, u job.Unit) (job.Plan, error) {
	if err := f.stage(ctx, "plan", u, job.Task{}); err != nil {
		return job.Plan{}, err
	}
	var p job.Plan
	for name, path := range f.sources(u) {
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return job.Plan{Missing: "no " + name + " of " + u.Day}, nil
		}
		if err != nil {
			return job.Plan{}, err
		}
		p.Inputs = append(p.Inputs, job.Input{Name: name, Generation: digest(string(b))})
		p.Generation = digest(u.Table, p.Generation, name, string(b))
	}
	if len(p.Inputs) == 2 { // the order of a map is not stable
		if p.Inputs[0].Name > p.Inputs[1].Name {
			p.Inputs[0], p.Inputs[1] = p.Inputs[1], p.Inputs[0]
		}
		p.Generation = digest(u.Table, p.Inputs[0].Generation, p.Inputs[1].Generation)
	}
	for _, s := range f.samples {
		p.Tasks = append(p.Tasks, job.Task{Table: u.Table, Day: u.Day, Lo: s.Lo, Hi: s.Hi, Bytes: f.bytes})
	}
	if b, err := os.ReadFile(filepath.Join(f.dir, u.Table, u.Day)); err == nil {
		var old published
		if err := json.Unmarshal(b, &old); err != nil {
			return p, err
		}
		p.Current = old.Generation == p.Generation
		p.Published = job.Result{RowsOut: 101, Bytes: int64(len(b))}
	}
	return p, nil
}

func (f *files) staged(p job.Plan, t job.Task) string {
	return filepath.Join(f.dir, "staging", t.Table, t.Day, p.Generation, t.Samples().String())
}

func (f *files) Done(_ context.Context, _ job.Unit, p job.Plan, t job.Task) (job.Result, bool) {
	path := f.staged(p, t)
	info, err := os.Stat(path)
	if err != nil {
		return job.Result{}, false
	}
	return job.Result{RowsOut: int64(t.Hi - t.Lo + 1), Bytes: info.Size(), Output: strconv.Quote(path)}, true
}

func (f *files) Do(ctx context.Context, u job.Unit, p job.Plan, t job.Task) (job.Result, error) {
	f.mu.Lock()
	f.did[t]++
	f.mu.Unlock()
	if err := f.stage(ctx, "do", u, t); err != nil {
		return job.Result{}, err
	}
	var b strings.Builder
	for s := t.Lo; s <= t.Hi; s++ {
		fmt.Fprintf(&b, "%d %s\n", s, digest(p.Generation, strconv.Itoa(s)))
	}
	path := f.staged(p, t)
	err := writeWhole(path, b.String(), func() error { return f.stage(ctx, "rename", u, t) })
	rows := int64(t.Hi - t.Lo + 1)
	return job.Result{RowsIn: 2 * rows, RowsOut: rows, Rejected: 1, Bytes: int64(b.Len()), Output: strconv.Quote(path)}, err
}

func (f *files) Commit(ctx context.Context, u job.Unit, p job.Plan, results []job.Result) (job.Result, error) {
	if err := f.stage(ctx, "commit", u, job.Task{}); err != nil {
		return job.Result{}, err
	}
	out := published{Generation: p.Generation}
	var sum job.Result
	for _, r := range results {
		path, err := strconv.Unquote(r.Output)
		if err != nil {
			return sum, err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return sum, err
		}
		out.Parts = append(out.Parts, string(b))
		sum = sum.Add(r)
	}
	b, err := json.Marshal(out)
	if err != nil {
		return sum, err
	}
	err = writeWhole(filepath.Join(f.dir, u.Table, u.Day), string(b), func() error { return f.stage(ctx, "publish", u, job.Task{}) })
	if err != nil {
		return sum, err
	}
	return sum, os.RemoveAll(filepath.Join(f.dir, "staging", u.Table, u.Day))
}

// writeWhole writes a file that is there whole or not at all, and calls before in the last moment.
func writeWhole(path, content string, before func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, []byte(content), 0o644); err != nil {
		return err
	}
	if err := before(); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func digest(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))[:16]
}

// writeSources makes the source of each day.
func writeSources(tb testing.TB, dir string, days ...string) {
	tb.Helper()
	for _, day := range days {
		require.NoError(tb, writeWhole(filepath.Join(dir, "source", day), "pings of "+day, func() error { return nil }))
	}
}

// tables is every published file with its content.
func tables(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	all := make(map[string]string)
	for _, n := range theGraph {
		paths, err := filepath.Glob(filepath.Join(dir, n.Name, "*"))
		require.NoError(tb, err)
		for _, path := range paths {
			b, err := os.ReadFile(path)
			require.NoError(tb, err)
			if !strings.HasSuffix(path, ".tmp") {
				all[n.Name+"/"+filepath.Base(path)] = string(b)
			}
		}
	}
	return all
}

// clock moves a millisecond each time it is read.
func clock() func() time.Time {
	var ticks atomic.Int64
	start := time.Date(2018, 1, 10, 0, 5, 0, 0, time.UTC)
	return func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Millisecond) }
}

func openDB(path string) (*sql.DB, error) { return sql.Open("sqlite", job.DSN(path)) }

func openLedger(tb testing.TB, dir string) (*job.Ledger, *sql.DB) {
	tb.Helper()
	db, err := openDB(filepath.Join(dir, "ledger.db"))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	l, err := job.OpenLedger(tb.Context(), db)
	require.NoError(tb, err)
	return l, db
}

// days returns the day range of most tests.
func days(tb testing.TB, from, to string) []string {
	tb.Helper()
	d, err := job.DayRange(from, to)
	require.NoError(tb, err)
	return d
}

// setup returns a pipeline with sources for the days, its ledger, and the units of all tables.
func setup(tb testing.TB, days ...string) (*files, *job.Ledger, []job.Unit) {
	tb.Helper()
	dir := tb.TempDir()
	f := newFiles(dir, newGraph(tb))
	writeSources(tb, dir, days...)
	l, _ := openLedger(tb, dir)
	units, err := f.graph.Units(f.graph.Order(), days)
	require.NoError(tb, err)
	return f, l, units
}

func options() job.Options { return job.Options{Workers: 4, Code: "v1", Now: clock()} }

// outcomes counts a report's units, in the words of its String.
func outcomes(r job.Report) map[job.Outcome]int {
	n := make(map[job.Outcome]int)
	for _, u := range r.Units {
		n[u.Outcome]++
	}
	return n
}
