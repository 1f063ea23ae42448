package table

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// conformanceCase is a known input with the right output. Only the columns
// listed count.
type conformanceCase struct {
	Table   string
	Partial bool // structs list only the members to check
	Input   struct {
		Meta, Ping  json.RawMessage
		MainSummary []map[string]any `json:"main_summary"`
	}
	Config        *probesConfig
	Expect        map[string]any
	ExpectDerived map[string]any   `json:"expect_derived"`
	ExpectSchema  *expectedColumns `json:"expect_schema"`
	ExpectAbsent  []string         `json:"expect_absent_columns"`
}

type expectedColumns struct {
	Columns map[string]string
	Absent  []string
}

// probesConfig are the definitions of a case.
type probesConfig struct {
	Scalars      json.RawMessage
	AddonScalars json.RawMessage `json:"addon_scalars"`
	Histograms   map[string]any
	Whitelist    []string `json:"histogram_whitelist"`
	UserPrefs    []any    `json:"user_prefs"`
}

// probes writes the definitions to a folder and loads them.
func (c *probesConfig) probes(t *testing.T) *schema.Probes {
	t.Helper()
	if c == nil {
		return defaultProbes(t)
	}
	dir := t.TempDir()
	if c.Whitelist == nil {
		for name := range c.Histograms {
			c.Whitelist = append(c.Whitelist, name)
		}
		sort.Strings(c.Whitelist)
	}
	list := map[string]any{"histogram_whitelist": c.Whitelist}
	if c.UserPrefs != nil {
		list["user_prefs"] = c.UserPrefs
	}
	for name, content := range map[string]any{
		"Scalars.yaml": c.Scalars, "AddonScalars.yaml": c.AddonScalars, "Histograms.json": c.Histograms, "main_summary.yaml": list,
	} {
		b, err := json.Marshal(content)
		require.NoError(t, err)
		if string(b) == "null" {
			b = []byte("{}")
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	p, err := schema.LoadProbes(dir)
	require.NoError(t, err)
	return p
}

func readCase(t testing.TB, path string) *conformanceCase {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		if b, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	var c conformanceCase
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	require.NoError(t, d.Decode(&c))
	return &c
}

func TestConformance(t *testing.T) {
	paths, err := filepath.Glob("testdata/conformance/*/*")
	if err != nil || len(paths) < 150 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimPrefix(path, "testdata/conformance/"), func(t *testing.T) {
			readCase(t, path).run(t)
		})
	}
}

func (c *conformanceCase) run(t *testing.T) {
	probes := c.Config.probes(t)
	table, err := schema.Find(schema.NewSet(probes).Tables, c.Table)
	require.NoError(t, err)
	switch {
	case c.ExpectSchema != nil:
		c.ExpectSchema.check(t, table)
	case table.DocType != "":
		c.checkPing(t, table, probes)
	default:
		c.checkRows(t, table, probes)
	}
}

func (e *expectedColumns) check(t *testing.T, table *schema.Table) {
	long := strings.NewReplacer("s", "string", "b", "boolean", "i", "int", "l", "long", "d", "double")
	for name, typ := range e.Columns {
		words := strings.FieldsFunc(typ, func(r rune) bool { return strings.ContainsRune("<>, ", r) })
		want := strings.ReplaceAll(typ, " ", "")
		if !strings.Contains(want, "map") {
			want = long.Replace(words[0])
		} else {
			want = strings.NewReplacer("map", "map", "s", "string", "b", "boolean", "i", "int").Replace(want)
		}
		i := table.Index(name)
		if i < 0 || table.Columns[i].Type.String() != want {
			t.Errorf("column %s: index %d, want type %s", name, i, want)
		}
	}
	for _, name := range e.Absent {
		if table.Index(name) >= 0 {
			t.Errorf("column %s must not be there", name)
		}
	}
}

func (c *conformanceCase) checkPing(t *testing.T, table *schema.Table, probes *schema.Probes) {
	var meta ping.Meta
	require.NoError(t, meta.ParseJSON(c.Input.Meta))
	out := column.NewBatch(table.Columns)
	ok, err := NewPings(table, probes).Append(out, &meta, c.Input.Ping)
	require.NoError(t, err)
	if c.Expect["dropped"] == true {
		if ok || out.Rows != 0 {
			t.Fatal("a row came out where none should")
		}
		return
	}
	rows := rowsOf(t, out)
	if wants, several := c.Expect["rows"].([]any); several {
		c.compareRows(t, rows, wants)
		return
	}
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, want := range []map[string]any{c.Expect, c.ExpectDerived} {
		if d := c.difference(want, rows[0]); d != "" {
			t.Error(d)
		}
	}
	for _, name := range c.ExpectAbsent {
		if _, ok := rows[0][name]; ok {
			t.Errorf("column %s must not be there", name)
		}
	}
}

func (c *conformanceCase) checkRows(t *testing.T, table *schema.Table, probes *schema.Probes) {
	inputs := schema.Nullable(schema.Inputs(table, schema.MainSummary(probes)))
	in, out := column.NewBatch(inputs), column.NewBatch(table.Columns)
	for _, row := range c.Input.MainSummary {
		require.NoError(t, in.AppendJSONRow(row))
	}
	rows, err := NewRows(table, inputs)
	require.NoError(t, err)
	addRows(rows, out, in)
	flushRows(rows, out)
	c.compareRows(t, rowsOf(t, out), c.Expect["rows"].([]any))
}

// compareRows compares rows with the wanted ones, in any order.
func (c *conformanceCase) compareRows(t *testing.T, got []map[string]any, wants []any) {
	t.Helper()
	if len(got) != len(wants) {
		t.Fatalf("%d rows, want %d", len(got), len(wants))
	}
	for _, want := range wants {
		why := "no rows left"
		for i := range got {
			if why = c.difference(want.(map[string]any), got[i]); why == "" {
				got = append(got[:i], got[i+1:]...)
				break
			}
		}
		if why != "" {
			t.Errorf("no row like %v: %s", want, why)
		}
	}
}

// difference returns how the wanted columns differ from a row's.
func (c *conformanceCase) difference(want, row map[string]any) string {
	for name, w := range want {
		got, ok := row[name]
		if !ok && w != nil {
			return name + ": not in the row"
		}
		if !same(w, got, name, c.Partial) {
			return fmt.Sprintf("%s: got %v, want %v", name, got, w)
		}
	}
	return ""
}
