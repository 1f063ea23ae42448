package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// checkLevels holds for every finished batch: levels are in range, every row
// begins once in every leaf and each value has its level.
func checkLevels(t testing.TB, b *column.Batch) {
	t.Helper()
	b.Finish()
	for i := range b.Leaves {
		l := &b.Leaves[i]
		entries, defined, begins := l.Levels(b.Rows), 0, 0
		for j, d := range l.Def {
			if d < 0 || d > l.MaxDef || l.MaxRep > 0 && (l.Rep[j] < 0 || l.Rep[j] > l.MaxRep || j == 0 && l.Rep[j] > 0) {
				t.Fatalf("%v: entry %d has definition level %d of %d", l.Path, j, d, l.MaxDef)
			}
			if d == l.MaxDef {
				defined++
			}
		}
		for _, r := range l.Rep {
			if r == 0 {
				begins++
			}
		}
		if l.MaxDef == 0 {
			defined = b.Rows
		}
		if l.MaxRep == 0 {
			begins = entries
		}
		if begins != b.Rows || l.MaxRep > 0 && len(l.Rep) != entries || l.MaxRep == 0 && len(l.Rep) > 0 {
			t.Fatalf("%v: %d definition and %d repetition levels, %d of them begin a row, of %d rows", l.Path, len(l.Def), len(l.Rep), begins,
				b.Rows)
		}
		n := []int{len(l.Bools), len(l.Ints), len(l.Longs), len(l.Doubles), len(l.Bytes), len(l.Decimals)}
		want := make([]int, len(n))
		want[l.Kind] = defined
		if !slices.Equal(n, want) {
			t.Fatalf("%v: %v values, want %v", l.Path, n, want)
		}
	}
}

// uniqueNames reports whether no object of a valid text has a name twice.
func uniqueNames(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	var stack []map[string]bool // nil in arrays
	name := false               // the next string is a name
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				stack = append(stack, map[string]bool{})
			case '[':
				stack = append(stack, nil)
			default:
				stack = stack[:len(stack)-1]
			}
		case string:
			if names := stack[len(stack)-1]; name {
				if names[token] {
					return fmt.Errorf("%q stands twice", token)
				}
				names[token] = true
				name = false
				continue
			}
		}
		name = len(stack) > 0 && stack[len(stack)-1] != nil
	}
}

// fuzzedTables returns the transforms that make a row of each ping, main_summary twice: with the
// default probes, and with categorical and keyed histograms.
func fuzzedTables(t testing.TB) []*Pings {
	t.Helper()
	list := []*Pings{probedTable(t)}
	for _, table := range schema.NewSet(defaultProbes(t)).Tables {
		if table.DocType != "" && table.Snapshots == nil && !table.Sparse { // of those FuzzClients and FuzzEvents
			list = append(list, NewPings(table, defaultProbes(t)))
		}
	}
	return list
}

// checkTransforms makes the rows of a body in all tables.
func checkTransforms(t *testing.T, tables []*Pings, batches []*column.Batch, body []byte, valid bool) {
	var meta ping.Meta
	require.NoError(t, meta.ParseJSON([]byte(usualMeta)))
	for i, p := range tables {
		b := batches[i]
		b.Reset()
		ok, err := p.Append(b, &meta, body)
		if ok != (err == nil) || valid && !ok {
			t.Fatalf("%s: %v, %v from %.300q", p.Table.Name, ok, err, body)
		}
		if good, err := p.Append(b, &meta, []byte(`{"id":"after"}`)); !good || err != nil {
			t.Fatalf("%s: the ping after %.300q: %v, %v", p.Table.Name, body, good, err)
		}
		checkLevels(t, b)
		requireSame(t, b, encoded(t, p, &meta, body, []byte(`{"id":"after"}`)))
		w := column.NewRowWriter(b)
		var rows [][]byte
		for range b.Rows {
			rows = append(rows, w.AppendRow(nil))
			if err := ping.Validate(rows[len(rows)-1]); err != nil {
				t.Fatalf("%s: row %.300q: %v", p.Table.Name, rows[len(rows)-1], err)
			}
		}
		if valid {
			var scanned ping.Doc
			again := column.NewBatch(b.Columns)
			require.NoError(t, scanned.ScanValid(new(ping.PathSet).Compile(), body))
			_, err := p.AppendScanned(again, &meta, body, &scanned)
			require.NoError(t, err)
			require.Equal(t, string(rows[0]), string(column.NewRowWriter(again).AppendRow(nil)), "%s: %.300q, scanned before", p.Table.Name, body)
			require.Equal(t, string(rows[0]), string(rowWithin(t, p, &meta, body)), "%s: the row of %.300q within a document", p.Table.Name, body)
			if err := uniqueNames(rows[0]); err != nil {
				t.Fatalf("%s: %v in %s", p.Table.Name, err, rows[0])
			}
			if again := appendRows(t, b.Columns, rows[0]); toJSON(fromJSON(t, string(again))) != toJSON(fromJSON(t, string(rows[0]))) {
				t.Fatalf("%s: row\n%s\nis read as\n%s", p.Table.Name, rows[0], again)
			}
		}
		if last := rows[len(rows)-1]; !bytes.Equal(last, emptyRows(t, p)) {
			t.Fatalf("%s: the row after %.300q is %s", p.Table.Name, body, last)
		}
	}
}

// rowWithin returns the row of a body that is a member of a larger document.
func rowWithin(t *testing.T, p *Pings, meta *ping.Meta, body []byte) []byte {
	t.Helper()
	var set ping.PathSet
	slot := set.Add("ping")
	var d ping.Doc
	require.NoError(t, d.Scan(set.Compile(), slices.Concat([]byte(`{"a":"\\",  "ping":`), body, []byte(`,"z":{"id":[]}}`))))
	b := column.NewBatch(p.Table.Columns)
	ok, err := p.AppendValue(b, meta, d.Value(slot))
	require.True(t, ok && err == nil, "%v", err)
	return column.NewRowWriter(b).AppendRow(nil)
}

var emptyRowCache = map[*Pings][]byte{}

// emptyRows returns the row of a ping that has an id only.
func emptyRows(t *testing.T, p *Pings) []byte {
	t.Helper()
	if emptyRowCache[p] == nil {
		var meta ping.Meta
		b := column.NewBatch(p.Table.Columns)
		require.NoError(t, meta.ParseJSON([]byte(usualMeta)))
		if _, err := p.Append(b, &meta, []byte(`{"id":"after"}`)); err != nil {
			t.Fatal(err)
		}
		emptyRowCache[p] = column.NewRowWriter(b).AppendRow(nil)
	}
	return emptyRowCache[p]
}

// addPings gives the small pings of the conformance cases to a fuzz target.
func addPings(f *testing.F) {
	paths, err := filepath.Glob("testdata/conformance/*/*.json")
	require.NoError(f, err)
	for _, path := range paths {
		if c := readCase(f, path); len(c.Input.Ping) > 0 && len(c.Input.Ping) < 4000 {
			var b bytes.Buffer
			require.NoError(f, json.Compact(&b, c.Input.Ping))
			f.Add(b.Bytes())
		}
	}
	for _, body := range []string{
		wrap("payload/histograms", `{"CAT":{"values":{"0":1,"5":2,"-1":null}},"ENUM":{"values":{"01":1,"1":2}}}`),
		wrap("payload/keyedHistograms/KEYED_CAT", `{"":{"values":{"9":1,"0":2}},"k":null}`),
		wrap("payload/processes/dynamic", `{"events":[[1,"c","m","o",null,{"telemetry_process":"x","k":[1]}]],"scalars":{"ext.one.num":1},`+
			`"keyedScalars":{"ext.one.texts":{"a":"b"}}}`),
		`{"environment":{"partner":{"partnerNames":[null,"a",1]},"addons":{"theme":null,"activePlugins":{"a":{"name":"Shockwave ` +
			`Flash","version":"1.2"}}}},"payload":{"metadata":{"a":null}}}`,
	} {
		f.Add([]byte(body))
	}
}

func newBatches(tables []*Pings) (list []*column.Batch) {
	for _, p := range tables {
		list = append(list, column.NewBatch(p.Table.Columns))
	}
	return list
}

// FuzzTransform makes rows of any valid ping.
func FuzzTransform(f *testing.F) {
	addPings(f)
	tables := fuzzedTables(f)
	batches := newBatches(tables)
	for seed := range uint64(10) {
		f.Add(random{rand.New(rand.NewPCG(53, seed))}.ping(wantedPaths(tables)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if ping.Validate(body) == nil && strings.HasPrefix(strings.TrimLeft(string(body), " \t\r\n"), "{") {
			checkTransforms(t, tables, batches, body, true)
		}
	})
}

// FuzzTransformBytes makes rows, or errors, of any bytes.
func FuzzTransformBytes(f *testing.F) {
	addPings(f)
	f.Add([]byte("{\"environment\":{\"system\":{\"sec\":{\"antivirus\":[\x00]}}}}"))
	f.Add([]byte(`{"payload":{"histograms":{"ENUM":{"values":{"0":tru,"1"}}},"keyedHistograms":{"SEARCH_COUNTS":{]}}}}`))
	tables := fuzzedTables(f)
	batches := newBatches(tables)
	f.Fuzz(func(t *testing.T, body []byte) { checkTransforms(t, tables, batches, body, false) })
}
