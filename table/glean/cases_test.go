package glean

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	times "github.com/pingmill/pingmill/ping/glean"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// testCase is a known input with the right output.
type testCase struct {
	Name, Table string
	Partial     bool // of structs only the members that are listed count
	Config      struct {
		Application string
		Definitions json.RawMessage
	}
	Input        json.RawMessage
	Expect       map[string]any
	ExpectSchema *struct {
		Columns map[string]string
		Absent  []string
	} `json:"expect_schema"`
	Ping string
}

func readCases(t *testing.T) (all []*testCase) {
	t.Helper()
	f, err := os.Open("testdata/cases.jsonl")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := &testCase{}
		decode(t, lines.Text(), c)
		all = append(all, c)
	}
	require.NoError(t, lines.Err())
	return all
}

// decode reads JSON with numbers as they are written.
func decode(t testing.TB, text string, to any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(to), text)
}

// tables returns the tables of the case's definitions.
func (c *testCase) tables(t *testing.T) []*schema.Table {
	t.Helper()
	versions := []map[string]json.RawMessage{}
	if raw := c.Config.Definitions; len(raw) == 0 {
		versions = append(versions, nil)
	} else if raw[0] == '[' {
		require.NoError(t, json.Unmarshal(raw, &versions))
	} else {
		versions = append(versions, nil)
		require.NoError(t, json.Unmarshal(raw, &versions[0]))
	}
	defs := glean.Definitions{}
	for _, files := range versions {
		dir := t.TempDir()
		app := filepath.Join(dir, c.Config.Application)
		require.NoError(t, os.Mkdir(app, 0o700))
		for kind, content := range files {
			require.NoError(t, os.WriteFile(filepath.Join(app, kind+".yaml"), content, 0o600))
		}
		read, err := glean.Read(dir)
		require.NoError(t, err)
		defs = glean.Union(defs, read)
	}
	return defs.Tables()
}

func (c *testCase) table(t *testing.T, name string) *schema.Table {
	t.Helper()
	table, err := schema.Find(c.tables(t), glean.TableName(c.Config.Application, name))
	require.NoError(t, err)
	return table
}

func TestCases(t *testing.T) {
	run := map[string]func(*testCase, *testing.T){
		"column_name": (*testCase).columnNames, "parse_time": (*testCase).times, "glean_ping": (*testCase).pings,
		"baseline_clients_daily": (*testCase).daily, "baseline_clients_first_seen": (*testCase).firstSeen,
		"baseline_clients_last_seen": (*testCase).lastSeen, "usage_reporting_clients_daily": (*testCase).usage,
		"crashes": (*testCase).crashes, "events_stream": (*testCase).events,
	}
	ran := 0
	for _, c := range readCases(t) {
		if do := run[c.Table]; do != nil {
			ran++
			t.Run(c.Name, func(t *testing.T) { do(c, t) })
		}
	}
	require.Equal(t, 95, ran)
}

func (c *testCase) columnNames(t *testing.T) {
	for name, want := range c.Expect {
		require.Equal(t, want, glean.ColumnName(name), name)
	}
}

func (c *testCase) times(t *testing.T) {
	for text, want := range c.Expect {
		var got any
		if micros, ok := times.Time([]byte(text)); ok {
			got = string(column.AppendTimestamp(nil, micros))
		}
		require.Equal(t, want, got, text)
	}
}

func (c *testCase) pings(t *testing.T) {
	if c.ExpectSchema != nil {
		c.columns(t)
		return
	}
	var in struct{ Meta, Ping json.RawMessage }
	decode(t, string(c.Input), &in)
	var meta ping.Meta
	require.NoError(t, meta.ParseJSON(in.Meta))
	table := c.table(t, string(meta.Text(ping.DocTypeField)))
	out := column.NewBatch(table.Columns)
	ok, err := NewPings(table).Append(out, &meta, in.Ping)
	require.NoError(t, err)
	require.Equal(t, c.Expect["dropped"] != true, ok)
	if !ok {
		require.Zero(t, out.Rows)
		return
	}
	c.same(t, c.Expect, rowsOf(t, out)[0])
}

func rowsOf(t testing.TB, b *column.Batch) (rows []map[string]any) {
	t.Helper()
	w := column.NewRowWriter(b)
	for range b.Rows {
		row := map[string]any{}
		decode(t, string(w.AppendRow(nil)), &row)
		if text, ok := row[glean.Rest].(string); ok { // the cases have the value, not its text
			var v any
			decode(t, text, &v)
			row[glean.Rest] = v
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *testCase) same(t *testing.T, want, got map[string]any) {
	t.Helper()
	for name, w := range want {
		g, ok := got[name]
		if !ok && w != nil {
			t.Errorf("no column %s", name)
			continue
		}
		if why := differ(name, w, g, c.Partial); why != "" {
			t.Error(why)
		}
	}
}

// differ returns how a value differs from the one that is wanted; "" means not at all.
func differ(at string, want, got any, partial bool) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		for k, w := range want {
			if why := differ(at+"."+k, w, got[k], partial); why != "" {
				return why
			}
		}
		for k, g := range got {
			if _, has := want[k]; !has && g != nil && !partial {
				return fmt.Sprintf("%s.%s is %v, and should not be there", at, k, g)
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		for i := range want {
			if why := differ(fmt.Sprint(at, "[", i, "]"), want[i], got[i], partial); why != "" {
				return why
			}
		}
		return ""
	case json.Number:
		if got, ok := got.(json.Number); ok {
			a, _ := want.Float64()
			b, _ := got.Float64()
			if want == got || strings.ContainsAny(string(want)+string(got), ".e") && a == b {
				return ""
			}
		}
	}
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("%s: got %v, want %v", at, got, want)
}

// columns compares the types of the columns, named by their paths.
func (c *testCase) columns(t *testing.T) {
	table := c.table(t, c.Ping)
	for path, want := range c.ExpectSchema.Columns {
		typ, ok := typeAt(table, path)
		require.True(t, ok, path)
		require.True(t, strings.HasPrefix(typ, strings.Replace(want, "text", "string", 1)), "%s is %s, not %s", path, typ, want)
	}
	for _, path := range c.ExpectSchema.Absent {
		_, ok := typeAt(table, path)
		require.False(t, ok, path)
	}
}

func typeAt(table *schema.Table, path string) (string, bool) {
	var fields []schema.Field
	for _, c := range table.Columns {
		fields = append(fields, schema.Field{Name: c.Name, Type: c.Type})
	}
	typ := ""
	for name := range strings.SplitSeq(path, ".") {
		found := false
		for _, f := range fields {
			if f.Name == name {
				typ, fields, found = f.Type.String(), f.Type.Fields, true
				break
			}
		}
		if !found {
			return "", false
		}
	}
	return typ, true
}
