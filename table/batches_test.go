package table

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// lines renders rows as lines of JSON.
func lines(rows day) string {
	var s strings.Builder
	for _, r := range rows {
		s.WriteString(toJSON(r) + "\n")
	}
	return s.String()
}

// The same rows in batches of any size give the same output, in the same order.
func TestBatchSizes(t *testing.T) {
	cols := allInputs(t)
	for seed := range uint64(20) {
		rows := random{rand.New(rand.NewPCG(37, seed))}.rows(cols, 40)
		for _, name := range []string{"clients_daily", "search_clients_daily", "addons", "search_aggregates"} {
			whole := openDaily(t, name)
			whole.add(t, rows, len(rows))
			want := lines(whole.finish(t))
			again := openDaily(t, name)
			for size := 1; size <= 7; size++ {
				again.add(t, rows, size)
				again.in.Reset()
				addRows(again.rows, again.out, again.in) // no rows
				if got := lines(again.finish(t)); got != want {
					t.Fatalf("seed %d, %s in batches of %d rows:\n%s\nwant\n%s", seed, name, size, got, want)
				}
			}
		}
	}
}

// A flush between the clients of samples gives what a transform of each sample
// alone gives; output batches may go on or be used again.
func TestFlushBetweenSamples(t *testing.T) {
	cols := allInputs(t)
	var samples []day
	for seed := range uint64(6) {
		samples = append(samples, random{rand.New(rand.NewPCG(41, seed))}.rows(cols, int(10*seed)))
	}
	for _, name := range []string{"clients_daily", "search_clients_daily", "addons", "search_aggregates"} {
		going := openDaily(t, name)
		reused := openDaily(t, name)
		want, got := "", ""
		for i, rows := range samples {
			alone := openDaily(t, name)
			alone.add(t, rows, 1+i)
			want += lines(alone.finish(t))
			going.add(t, rows, 3)
			flushRows(going.rows, going.out)
			reused.add(t, rows, 5)
			got += lines(reused.finish(t))
		}
		if got != want {
			t.Errorf("%s: a reused batch gives\n%swant\n%s", name, got, want)
		}
		if got := lines(rowsOf(t, going.out)); got != want {
			t.Errorf("%s: one batch gives\n%swant\n%s", name, got, want)
		}
		if rows := reused.finish(t); len(rows) != 0 {
			t.Errorf("%s: %d rows after all were flushed", name, len(rows))
		}
	}
}

// pingCases returns the main pings of the conformance cases with default probes.
func pingCases(t testing.TB) (metas []ping.Meta, bodies [][]byte) {
	t.Helper()
	paths, err := filepath.Glob("testdata/conformance/main_summary/*")
	if err != nil || len(paths) < 80 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	for _, path := range paths {
		c := readCase(t, path)
		var m ping.Meta
		if len(c.Input.Meta) == 0 || m.ParseJSON(c.Input.Meta) != nil {
			continue
		}
		metas, bodies = append(metas, m), append(bodies, c.Input.Ping)
	}
	return metas, bodies
}

// A ping's row depends neither on the pings before it nor on its batch.
func TestPingsInOneBatch(t *testing.T) {
	metas, bodies := pingCases(t)
	probes := defaultProbes(t)
	for _, table := range schema.NewSet(probes).Tables {
		if table.DocType == "" {
			continue
		}
		var want day
		for i := range bodies {
			p, out := NewPings(table, probes), column.NewBatch(table.Columns)
			if _, err := p.Append(out, &metas[i], bodies[i]); err != nil {
				t.Fatal(err)
			}
			want = append(want, rowsOf(t, out)...)
		}
		p, out := NewPings(table, probes), column.NewBatch(table.Columns)
		for round := range 3 {
			out.Reset()
			for i := range bodies {
				if _, err := p.Append(out, &metas[i], bodies[i]); err != nil {
					t.Fatal(err)
				}
			}
			if got := rowsOf(t, out); lines(got) != lines(want) {
				t.Errorf("%s, round %d: rows differ from those of pings alone", table.Name, round)
			}
		}
	}
}
