package table

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// usualMeta is the metadata of a ping that has a row in every table.
const usualMeta = `{"documentId":"d","submissionDate":"20180301","timestamp":1519862400000000000}`

// pingTable returns the transform of a table made from pings.
func pingTable(t testing.TB, name string, p *schema.Probes) *Pings {
	t.Helper()
	table, err := schema.Find(schema.NewSet(p).Tables, name)
	require.NoError(t, err)
	return NewPings(table, p)
}

// pingRowOf returns the row of one ping.
func pingRowOf(t testing.TB, p *Pings, meta, body string) map[string]any {
	t.Helper()
	var m ping.Meta
	require.NoError(t, m.ParseJSON([]byte(meta)))
	out := column.NewBatch(p.Table.Columns)
	if ok, err := p.Append(out, &m, []byte(body)); err != nil || !ok {
		t.Fatalf("append %.200s: %v, %v", body, ok, err)
	}
	return rowsOf(t, out)[0]
}

// fromJSON decodes a text, numbers as they are written.
func fromJSON(t testing.TB, s string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// toJSON writes a decoded value.
func toJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// checkColumns compares columns of a row with an object of wanted values.
func checkColumns(t *testing.T, row map[string]any, want, about string) {
	t.Helper()
	for name, w := range fromJSON(t, want).(map[string]any) {
		got, ok := row[name]
		if !ok || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: %s is %s, want %s", about, name, toJSON(got), toJSON(w))
		}
	}
}

// pingCase is a ping and columns of its row, worked out from the semantics.
type pingCase struct{ body, want string }

func checkPings(t *testing.T, p *Pings, cases []pingCase) {
	t.Helper()
	for _, c := range cases {
		checkColumns(t, pingRowOf(t, p, usualMeta, c.body), c.want, c.body)
	}
}

// mainTable is main_summary with the default probes.
func mainTable(t testing.TB) *Pings {
	t.Helper()
	return pingTable(t, "main_summary", defaultProbes(t))
}

// probesOf loads definitions given as file contents.
func probesOf(t testing.TB, files map[string]string) *schema.Probes {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	p, err := schema.LoadProbes(dir)
	require.NoError(t, err)
	return p
}

var loadDefaults = sync.OnceValues(func() (*schema.Probes, error) { return schema.LoadProbes("") })

func defaultProbes(t testing.TB) *schema.Probes {
	t.Helper()
	p, err := loadDefaults()
	require.NoError(t, err)
	return p
}

// rowsOf renders a batch and decodes it again.
func rowsOf(t testing.TB, b *column.Batch) []map[string]any {
	t.Helper()
	w := column.NewRowWriter(b)
	var rows []map[string]any
	for range b.Rows {
		var row map[string]any
		d := json.NewDecoder(bytes.NewReader(w.AppendRow(nil)))
		d.UseNumber()
		require.NoError(t, d.Decode(&row))
		rows = append(rows, row)
	}
	return rows
}

// addRows and flushRows let a transform add all its rows to one batch.
func addRows(r Rows, out, in *column.Batch) { _ = r.Add(out, in, everyRow) }

func flushRows(r Rows, out *column.Batch) { _ = r.Flush(out, everyRow) }

func everyRow() error { return nil }
