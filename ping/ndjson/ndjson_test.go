package ndjson

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/schema"
)

// TestBadLines: a line that cannot be used is named by its number, blank lines
// counted, and the others go on.
func TestBadLines(t *testing.T) {
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	const (
		decoded = `{"meta":{"documentId":"d","submissionDate":"20180301","timestamp":1},"ping":{}}`
		request = `{"uri":"/submit/telemetry/d/main/Firefox/58/release/1","timestamp":1,"body":""}`
		row     = `{"document_id":"d","client_id":"c","submission_date_obj":"20180301"}`
	)
	for _, c := range []struct {
		what  string // a table, or decode
		lines []string
		bad   string
		out   int // lines
	}{
		{"main_summary", []string{decoded, "", request, "[1]", decoded}, "3: a submission; 4: a JSON array", 4},
		{"clients_daily", []string{row, decoded, "7", "null"}, "2: a ping with metadata, not a row; 3: no JSON object", 1},
		{"decode", []string{request, decoded, row}, "2: a ping with metadata; 3: a row", 3},
	} {
		var bad []string
		var out bytes.Buffer
		in := strings.NewReader(strings.Join(c.lines, "\n"))
		add := func(n int, err error) { bad = append(bad, fmt.Sprintf("%d: %v", n, err)) }
		if c.what == "decode" {
			d, err := ingest.New(ingest.DefaultConfig())
			require.NoError(t, err)
			require.NoError(t, Decode(d, in, &out, add))
		} else {
			table, err := schema.Find(schema.NewSet(p).Tables, c.what)
			require.NoError(t, err)
			_, err = Transform(table, schema.NewSet(p), in, &out, add)
			require.NoError(t, err)
		}
		if n := strings.Count(out.String(), "\n"); n != c.out {
			t.Errorf("%s: %d lines, want %d:\n%s", c.what, n, c.out, &out)
		}
		wants := strings.Split(c.bad, "; ")
		if len(bad) != len(wants) {
			t.Errorf("%s: %q, want %q", c.what, bad, wants)
			continue
		}
		for i, want := range wants {
			if !strings.HasPrefix(bad[i], want) {
				t.Errorf("%s: %q, want %q", c.what, bad[i], want)
			}
		}
	}
}
