package examples

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/tools/generate"
)

// The days of the data; examples ask for those from the second on.
const first8, second8, last8 = "20180301", "20180302", "20180308"

// row is a row of a table, with its day.
type row struct {
	v   map[string]any
	day string
}

// at returns the value at a path of members, nil for null.
func (r row) at(path ...string) any {
	var v any = r.v
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

// text is "" for null.
func (r row) text(path ...string) string {
	v := r.at(path...)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// or returns a text, and another one for null.
func (r row) or(other string, path ...string) string {
	if r.at(path...) == nil {
		return other
	}
	return r.text(path...)
}

// number returns 0 for null.
func (r row) number(path ...string) float64 {
	switch v := r.at(path...).(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case string: // decimals
		f, _ := strconv.ParseFloat(v, 64)
		return f
	}
	return 0
}

func (r row) date() time.Time {
	t, _ := time.Parse("20060102", r.day)
	return t
}

// midnight returns the day as results write a timestamp.
func (r row) midnight() string { return r.date().Format("2006-01-02 15:04:05.000") }

// data are all rows of all tables in the days that examples ask for, read from their files without any SQL.
type data struct {
	t    *testing.T
	site *site.Site
	all  map[string][]row
}

// rows returns the rows of a table that match.
func (d *data) rows(table string, fits func(row) bool) (some []row) {
	if d.all[table] == nil {
		days, err := job.DayRange(first8, last8)
		require.NoError(d.t, err)
		for _, day := range days {
			for _, v := range sitetest.RowsOf(d.t, d.site, table, day) {
				d.all[table] = append(d.all[table], row{v, day})
			}
		}
		require.NotEmpty(d.t, d.all[table], table)
	}
	for _, r := range d.all[table] {
		if r.day >= second8 && (fits == nil || fits(r)) {
			some = append(some, r)
		}
	}
	return some
}

// group returns the rows by a key, keys in order.
func group(rows []row, key func(row) string) (keys []string, groups map[string][]row) {
	groups = map[string][]row{}
	for _, r := range rows {
		k := key(r)
		groups[k] = append(groups[k], r)
	}
	for k := range groups {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys, groups
}

// line holds the values of a group beside its key.
type line func(rows []row) []string

// grouped makes a result with a line for each key, whose parts have | between them.
func grouped(rows []row, key func(row) string, rest line) (result [][]string) {
	keys, groups := group(rows, key)
	for _, k := range keys {
		result = append(result, append(strings.Split(k, "|"), rest(groups[k])...))
	}
	return result
}

// clientsOf counts the different clients of rows.
func clientsOf(rows []row) int {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.at("client_id") != nil {
			seen[r.text("client_id")] = true
		}
	}
	return len(seen)
}

func sum(rows []row, column string) (total float64) {
	for _, r := range rows {
		total += r.number(column)
	}
	return total
}

func where(rows []row, fits func(row) bool) (some []row) {
	for _, r := range rows {
		if fits(r) {
			some = append(some, r)
		}
	}
	return some
}

func is(column string) func(row) bool { return func(r row) bool { return r.at(column) == true } }

func known(column string) func(row) bool { return func(r row) bool { return r.at(column) != nil } }

// round writes a number with at most this number of digits behind the point.
func round(x float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	return strconv.FormatFloat(math.Round(x*scale)/scale, 'f', -1, 64)
}

func percent(part, whole int) string { return round(100*float64(part)/float64(whole), 1) }

// percentile returns the value that a share of all is before, in a unit.
func percentile(rows []row, column string, share, unit float64, digits int) string {
	var all []float64
	for _, r := range where(rows, known(column)) {
		all = append(all, r.number(column))
	}
	slices.Sort(all)
	return round(all[min(int(share*float64(len(all))), len(all)-1)]/unit, digits)
}

// best returns the first lines by a number in a column, largest first, and then by another column.
func best(lines [][]string, number, name, most int) [][]string {
	slices.SortFunc(lines, func(a, b []string) int {
		x, _ := strconv.ParseFloat(a[number], 64)
		y, _ := strconv.ParseFloat(b[number], 64)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a[name], b[name]))
	})
	return lines[:min(most, len(lines))]
}

// generated returns an installation with some days of a population.
func generated(t *testing.T) (*site.Site, *query.DB) {
	dir := t.TempDir()
	s, err := sitetest.Open(filepath.Join(dir, "data"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.Tables = schema.NewSet(s.Probes).Tables
	samples := make([]int, 100)
	for i := range samples {
		samples[i] = i
	}
	s.SetSnapshots(samples, 0)
	g, err := generate.New(generate.Config{Seed: 2, Clients: 100, Days: 8, MeanBytes: 16_000})
	require.NoError(t, err)
	file := filepath.Join(dir, "pings.ndjson")
	f, err := os.Create(file)
	require.NoError(t, err)
	_, err = g.WriteSubmissions(f, generate.Options{Place: true})
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for _, file := range []string{file, eventPings(t)} {
		_, err = loader.LoadFile(t.Context(), s, file, nil, loader.LoadOptions{Decode: ingest.DefaultConfig()})
		require.NoError(t, err)
	}
	days, err := job.DayRange(first8, last8)
	require.NoError(t, err)
	etltest.Run(t, s, etl.RunOptions{Tables: schema.Names(s.Tables), Days: days})
	db, err := catalog.Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return s, db
}

// eventPings returns a file with event pings of two clients on each day. The generator's browsers of these days send none.
func eventPings(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "events.ndjson")
	f, err := os.Create(file)
	require.NoError(t, err)
	lines := json.NewEncoder(f)
	for n := range 16 {
		at := time.Date(2018, 3, 1+n/2, 12, 0, 0, 0, time.UTC)
		events := strings.Repeat(`[1200,"navigation","search","urlbar","enter",{"engine":"google"}],`, 1+n%3) +
			`[2400,"security","tls_error","page"]`
		require.NoError(t, lines.Encode(map[string]any{
			"uri":       fmt.Sprintf("/submit/telemetry/5e6c8e3a-2d9a-4b56-8a51-0000000%05d/event/Firefox/62.0/release/20180215111455?v=4", n),
			"timestamp": at.UnixNano(), "headers": map[string]string{"Date": at.Format("Mon, 02 Jan 2006 15:04:05 GMT")}, "remoteAddr": "192.0.2.7",
			"body": []byte(fmt.Sprintf(`{"type":"event","id":"5e6c8e3a-2d9a-4b56-8a51-0000000%05d","version":4,`+
				`"clientId":"1b6c8e3a-2d9a-4b56-8a51-00000000000%d",`+
				`"creationDate":"2018-03-01T12:00:00.000Z","application":{"name":"Firefox","version":"62.0","buildId":"20180215111455",`+
				`"channel":"release",`+
				`"architecture":"x86-64","displayVersion":"62.0","vendor":"Mozilla","platformVersion":"62.0","xpcomAbi":"x86_64-gcc3"},`+
				`"environment":{},"payload":{"reason":"periodic","processStartTimestamp":1519900000000,"sessionId":"a","subsessionId":"b",`+
				`"lostEventsCount":0,"events":{"parent":[%s]}}}`, n, n%2, events)),
		}))
	}
	require.NoError(t, f.Close())
	return file
}

// ask returns the names of the columns and the rows.
func runQuery(t *testing.T, db *query.DB, sql string) (columns []string, result [][]string) {
	rows, err := db.QueryIn(t.Context(), query.Presto, sql)
	require.NoError(t, err, sql)
	defer rows.Close()
	var b bytes.Buffer
	_, err = rows.Write(&b, query.FormatCSV, query.WriteOptions{})
	require.NoError(t, err, sql)
	all, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	return all[0], all[1:]
}
