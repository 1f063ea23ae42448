package table

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Every main_summary row of the conformance cases, written as JSON, read and
// written again, is the same. Only the keys of maps move: they are read in order.
func TestRoundTrip(t *testing.T) {
	paths, err := filepath.Glob("testdata/conformance/main_summary/*")
	if err != nil || len(paths) < 80 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	rows := 0
	for _, path := range paths {
		c := readCase(t, path)
		var m ping.Meta
		if len(c.Input.Meta) == 0 {
			continue
		}
		require.NoError(t, m.ParseJSON(c.Input.Meta))
		probes := c.Config.probes(t)
		main := schema.MainSummary(probes)
		b := column.NewBatch(main.Columns)
		if ok, err := NewPings(main, probes).Append(b, &m, c.Input.Ping); err != nil {
			t.Fatal(err)
		} else if ok {
			rows++
			checkRoundTrip(t, strings.TrimPrefix(path, "testdata/conformance/"), b)
		}
	}
	if rows < 80 {
		t.Errorf("%d rows", rows)
	}
}

func checkRoundTrip(t *testing.T, name string, b *column.Batch) {
	t.Helper()
	text := column.NewRowWriter(b).AppendRow(nil)
	again := appendRows(t, b.Columns, text)
	if got, want := toJSON(fromJSON(t, string(again))), toJSON(fromJSON(t, string(text))); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
	if third := appendRows(t, b.Columns, again); !bytes.Equal(third, again) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, third, again)
	}
}

// appendRows reads a row and writes it again.
func appendRows(t *testing.T, cols []schema.Column, text []byte) []byte {
	t.Helper()
	b := column.NewBatch(cols)
	require.NoError(t, b.AppendJSONRow(fromJSON(t, string(text)).(map[string]any)))
	return column.NewRowWriter(b).AppendRow(nil)
}
