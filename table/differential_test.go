package table

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// dailyTable is a transform of main_summary rows with its batches.
type dailyTable struct {
	table   *schema.Table
	inputs  []schema.Column
	rows    Rows
	in, out *column.Batch
}

var defaultTables = sync.OnceValues(func() ([]*schema.Table, error) {
	p, err := loadDefaults()
	return schema.NewSet(p).Tables, err
})

func openDaily(t testing.TB, name string) *dailyTable {
	t.Helper()
	tables, err := defaultTables()
	require.NoError(t, err)
	return openDailyOf(t, tables, name)
}

// openDailyOf is openDaily with a set of tables.
func openDailyOf(t testing.TB, tables []*schema.Table, name string) *dailyTable {
	t.Helper()
	table, err := schema.Find(tables, name)
	require.NoError(t, err)
	d := &dailyTable{table: table, inputs: schema.Nullable(schema.Inputs(table, tables[0]))}
	if d.rows, err = NewRows(table, d.inputs); err != nil {
		t.Fatal(err)
	}
	d.in, d.out = column.NewBatch(d.inputs), column.NewBatch(table.Columns)
	return d
}

// add gives the rows to the transform in batches of some rows, all in the same
// memory.
func (d *dailyTable) add(t testing.TB, rows day, size int) {
	t.Helper()
	for i := 0; i < len(rows); i += size {
		d.in.Reset()
		for _, row := range rows[i:min(len(rows), i+size)] {
			require.NoError(t, d.in.AppendJSONRow(row))
		}
		addRows(d.rows, d.out, d.in)
	}
}

// finish flushes, returns the rows that came out and forgets them.
func (d *dailyTable) finish(t testing.TB) day {
	t.Helper()
	flushRows(d.rows, d.out)
	checkLevels(t, d.out)
	rows := rowsOf(t, d.out)
	d.out.Reset()
	return rows
}

// dailyRows returns a table of rows given as JSON.
func dailyRows(t testing.TB, name string, rows ...string) day {
	t.Helper()
	var all day
	for _, r := range rows {
		all = append(all, fromJSON(t, r).(map[string]any))
	}
	d := openDaily(t, name)
	d.add(t, all, len(all)+1)
	return d.finish(t)
}

// equal compares a row with the model's.
func equal(got, want any) bool {
	a, ok := want.(approx)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	n, ok := got.(json.Number)
	if !ok {
		return false
	}
	f, err := n.Float64()
	return err == nil && math.Abs(f-a.value) <= 1e-12*max(1, a.magnitude)
}

// checkModel compares rows with those of the model by their keys.
func checkModel(t *testing.T, got day, want map[string]map[string]any, keys ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for _, row := range got {
		key := keyOf(keys...)(row)
		w, ok := want[key]
		if !ok {
			t.Fatalf("a row of %s", key)
		}
		if len(w) != len(row) {
			t.Fatalf("%d columns, want %d", len(row), len(w))
		}
		for name, v := range w {
			if !equal(row[name], v) {
				t.Errorf("%s of %s is %s, want %v", name, key, toJSON(row[name]), v)
			}
		}
	}
}

// dailySet is the daily transforms, which are used over and over.
type dailySet struct{ clients, searches, addons, aggregates *dailyTable }

func newDailySet(t testing.TB) *dailySet {
	t.Helper()
	return &dailySet{openDaily(t, "clients_daily"), openDaily(t, "search_clients_daily"), openDaily(t, "addons"),
		openDaily(t, "search_aggregates")}
}

// check compares all tables of a day with the model, added in batches of
// the given size.
func (s *dailySet) check(t *testing.T, rows day, size int) {
	t.Helper()
	s.clients.add(t, rows, size)
	checkModel(t, s.clients.finish(t), modelClients(t, rows), "client_id")
	s.searches.add(t, rows, size)
	searches := s.searches.finish(t)
	checkModel(t, searches, modelSearches(t, rows), "client_id", "submission_date", "engine", "source")
	s.aggregates.add(t, rows, size)
	aggregates := s.aggregates.finish(t)
	checkModel(t, aggregates, modelAggregates(rows), aggregateKeys...)
	sameSearches(t, searches, aggregates)
	s.addons.add(t, rows, size)
	got, want := s.addons.finish(t), modelAddons(rows)
	if len(got) != len(want) {
		t.Fatalf("%d add-on rows, want %d", len(got), len(want))
	}
	for i := range got {
		if g, w := toJSON(got[i]), toJSON(want[i]); g != w {
			t.Errorf("add-on row %d is %s, want %s", i, g, w)
		}
	}
}

// texts are the values that random text columns take, by column; others are
// short words.
var texts = map[string][]any{
	"client_id": {nil, "", "a", "b", "c", "f3ed1ab0-b5b4-4b1a-9f5e-8a4b8b2f8c11", "f3ed1ab0-b5b4-4b1a-9f5e-8a4b8b2f8c12"},
	"document_id": {nil, "", "d1", "d2", "d3", "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002",
		"00000000-0000-0000-0000-0000000000021"},
	"country":             {nil, "??", "", "DE", "US"},
	"submission_date":     {nil, "20180301", "20180302", ""},
	"submission_date_obj": {nil, "20180301", "20180302"},
	"subsession_start_date": {nil, "2018-03-01T10:00:00.0+01:00", "2018-3-2", "2018-02-29T00:00", "2018-03-01t", "0001-01-01 ", "9999-12-31",
		""},
}

var words = []any{nil, nil, "", "x", "??", "é😀", strings.Repeat("long ", 40)}

var engines, sources = []any{nil, "", "google", "bing"}, []any{nil, "", "abouthome", "contextmenu", "newtab", "searchbar", "system",
	"urlbar", "sap:x", "sap:y", "follow-on:z", "follow-on", "Urlbar", "sap"}

type random struct{ *rand.Rand }

func (r random) pick(list []any) any { return list[r.IntN(len(list))] }

// integer returns a number of some bits, often a special one.
func (r random) integer(bits int) any {
	limit := int64(1)<<(bits-1) - 1
	switch r.IntN(6) {
	case 0, 1:
		return nil
	case 2:
		return json.Number(fmt.Sprint([]int64{0, 1, -1, limit, -limit - 1, limit - 1, 9999, 10000, 720}[r.IntN(9)]))
	case 3:
		return json.Number(fmt.Sprint(r.Int64N(limit) - limit/2))
	}
	return json.Number(fmt.Sprint(r.IntN(40) - 10))
}

// value returns a random value of a column.
func (r random) value(c *schema.Column) any {
	if list, ok := texts[c.Name]; ok {
		return r.pick(list)
	}
	switch c.Name {
	case "search_counts":
		return r.list(func() any {
			return map[string]any{"engine": r.pick(engines), "source": r.pick(sources), "count": r.integer(64)}
		})
	case "active_addons":
		return r.list(r.addon)
	case "experiments":
		if r.IntN(3) == 0 {
			return nil
		}
		m := map[string]any{}
		for range r.IntN(4) {
			m[[]string{"", "e1", "e2", "e3"}[r.IntN(4)]] = r.pick(words)
		}
		return m
	case "profile_creation_date", "profile_reset_date":
		return r.pick([]any{nil, json.Number("0"), json.Number("-1"), json.Number("17000"), json.Number("-719163"), json.Number("2932896"),
			json.Number("2932897"), r.integer(64)})
	}
	switch c.Type.Kind {
	case schema.Boolean:
		return r.pick([]any{nil, true, false})
	case schema.Int:
		return r.integer(32)
	case schema.Long:
		return r.integer(64)
	}
	return r.pick(words)
}

func (r random) list(element func() any) any {
	if r.IntN(4) == 0 {
		return nil
	}
	list := []any{}
	for range r.IntN(5) {
		list = append(list, element())
	}
	return list
}

func (r random) addon() any {
	a := map[string]any{"addon_id": r.pick([]any{"followonsearch@mozilla.com", "", "x", "y"}), "version": r.pick(words),
		"scope": r.integer(32), "is_system": r.pick([]any{nil, true, false})}
	for _, name := range []string{"name", "type"} {
		a[name] = r.pick(words)
	}
	return a
}

// rows returns a day of random rows, of which each may miss any column.
func (r random) rows(cols []schema.Column, n int) day {
	rows := make(day, n)
	for i := range rows {
		rows[i] = map[string]any{}
		for j := range cols {
			rows[i][cols[j].Name] = r.value(&cols[j])
		}
	}
	return rows
}

// allInputs returns the columns that any of the daily tables reads.
func allInputs(t testing.TB) []schema.Column {
	t.Helper()
	seen := map[string]bool{}
	var cols []schema.Column
	for _, name := range []string{"clients_daily", "search_clients_daily", "addons", "search_aggregates"} {
		for _, c := range openDaily(t, name).inputs {
			if !seen[c.Name] {
				seen[c.Name] = true
				cols = append(cols, c)
			}
		}
	}
	return cols
}

// TestDailyModel compares random days with the model.
func TestDailyModel(t *testing.T) {
	cols, tables := allInputs(t), newDailySet(t)
	for seed := range uint64(400) {
		r := random{rand.New(rand.NewPCG(31, seed))}
		rows := r.rows(cols, r.IntN(25))
		tables.check(t, rows, 1+r.IntN(30))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
