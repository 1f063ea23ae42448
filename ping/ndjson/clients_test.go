package ndjson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// clientsCase is a case of testdata/longitudinal.jsonl: pings in their order of arrival, and all rows. A column that a row
// does not list is null.
type clientsCase struct {
	Name       string            `json:"name"`
	Pings      []json.RawMessage `json:"pings"`
	Histograms json.RawMessage   `json:"histograms"`
	Scalars    json.RawMessage   `json:"scalars"`
	Rows       []map[string]any  `json:"rows"`
	Absent     []string          `json:"absent"`
}

// TestTransformClients makes the rows of longitudinal for each case.
func TestTransformClients(t *testing.T) {
	f, err := os.Open("testdata/longitudinal.jsonl")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	cases := 0
	for lines.Scan() {
		var c clientsCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		cases++
		t.Run(c.Name, c.run)
	}
	require.NoError(t, lines.Err())
	require.Equal(t, 61, cases)
}

func (c *clientsCase) run(t *testing.T) {
	table, p := longitudinal(t, c.Histograms, c.Scalars)
	for _, name := range c.Absent {
		require.Negative(t, table.Index(name), name)
	}
	rows := c.rows(t, table, p)
	require.Len(t, rows, len(c.Rows))
	for _, want := range c.Rows {
		i := 0
		for i < len(rows) && rows[i]["client_id"] != want["client_id"] {
			i++
		}
		require.Less(t, i, len(rows), want["client_id"])
		for name, value := range rows[i] {
			require.Equal(t, want[name], value, name)
		}
		for name := range want {
			require.Contains(t, rows[i], name)
		}
	}
}

func (c *clientsCase) rows(t *testing.T, table *schema.Table, p *schema.Probes) (rows []map[string]any) {
	var in, out bytes.Buffer
	for _, line := range c.Pings {
		in.Write(append(line, '\n'))
	}
	_, err := Transform(table, schema.NewSet(p), &in, &out, func(n int, err error) { t.Errorf("line %d: %v", n, err) })
	require.NoError(t, err)
	for line := range strings.Lines(out.String()) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	return rows
}

// longitudinal returns the table with definitions of probes.
func longitudinal(t *testing.T, histograms, scalars []byte) (*schema.Table, *schema.Probes) {
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"Histograms.json": histograms, "Scalars.yaml": scalars, "AddonScalars.yaml": []byte("{}"),
		"main_summary.yaml": []byte("histogram_whitelist: []"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	p, err := schema.LoadProbes(dir)
	require.NoError(t, err)
	table, err := schema.NewSet(p).Find("longitudinal")
	require.NoError(t, err)
	return table, p
}

// TestTransformClientsLines: a line that is no ping is named, and the client's other pings have a row.
func TestTransformClientsLines(t *testing.T) {
	table, p := longitudinal(t, []byte("{}"), []byte("{}"))
	in := strings.NewReader(`{"uri":"/submit/telemetry/x"}
{"meta":{"clientId":"c","documentId":"d"},"ping":{"payload":{"info":{"subsessionStartDate":"2018-03-01T09:00:00.0+01:00","profileSubsessionCounter":1}}}}
`)
	var out bytes.Buffer
	var bad []int
	_, err := Transform(table, schema.NewSet(p), in, &out, func(n int, _ error) { bad = append(bad, n) })
	require.NoError(t, err)
	require.Equal(t, []int{1}, bad)
	require.Contains(t, out.String(), `"subsession_start_date":["2018-03-01T09:00:00.000+01:00"]`)
}
