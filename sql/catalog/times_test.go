package catalog

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// allTimes selects all rows of the table of times.
const allTimes = "SELECT * FROM times ORDER BY n"

// timesIn are the rows of sitetest.TimesRows in the texts of each dialect.
var timesIn = map[query.Dialect][2]string{
	query.Presto: {`n,day,at,inside,days,named,submission_date
1,2018-03-01,2018-03-01 04:05:06.789012,"{""day"":""2018-03-01"",""at"":""2018-03-01 04:05:06.000001""}","[""2018-03-01"",null]","{""a"":""2018-03-01 00:00:00.000000"",""b"":null}",2018-03-01
2,1969-12-31,1969-12-31 23:59:59.999999,"{""day"":""1900-02-28"",""at"":""1582-10-15 00:00:00.000001""}",[],{},2018-03-01
3,0001-01-01,0001-01-01 00:00:00.000000,"{""day"":null,""at"":null}","[""9999-12-31""]","{""z"":""9999-12-31 23:59:59.999999""}",2018-03-01
4,,,,,,2018-03-01
`, `{"n":1,"day":"2018-03-01","at":"2018-03-01 04:05:06.789012","inside":{"day":"2018-03-01","at":"2018-03-01 04:05:06.000001"},"days":["2018-03-01",null],"named":{"a":"2018-03-01 00:00:00.000000","b":null},"submission_date":"2018-03-01"}
{"n":2,"day":"1969-12-31","at":"1969-12-31 23:59:59.999999","inside":{"day":"1900-02-28","at":"1582-10-15 00:00:00.000001"},"days":[],"named":{},"submission_date":"2018-03-01"}
{"n":3,"day":"0001-01-01","at":"0001-01-01 00:00:00.000000","inside":{"day":null,"at":null},"days":["9999-12-31"],"named":{"z":"9999-12-31 23:59:59.999999"},"submission_date":"2018-03-01"}
{"n":4,"day":null,"at":null,"inside":null,"days":null,"named":null,"submission_date":"2018-03-01"}
`},
	query.DuckDB: {`n,day,at,inside,days,named,submission_date
1,2018-03-01,2018-03-01T04:05:06.789012,"{""day"":""2018-03-01"",""at"":""2018-03-01T04:05:06.000001""}","[""2018-03-01"",null]","{""a"":""2018-03-01T00:00:00"",""b"":null}",2018-03-01
2,1969-12-31,1969-12-31T23:59:59.999999,"{""day"":""1900-02-28"",""at"":""1582-10-15T00:00:00.000001""}",[],{},2018-03-01
3,0001-01-01,0001-01-01T00:00:00,"{""day"":null,""at"":null}","[""9999-12-31""]","{""z"":""9999-12-31T23:59:59.999999""}",2018-03-01
4,,,,,,2018-03-01
`, `{"n":1,"day":"2018-03-01","at":"2018-03-01T04:05:06.789012","inside":{"day":"2018-03-01","at":"2018-03-01T04:05:06.000001"},"days":["2018-03-01",null],"named":{"a":"2018-03-01T00:00:00","b":null},"submission_date":"2018-03-01"}
{"n":2,"day":"1969-12-31","at":"1969-12-31T23:59:59.999999","inside":{"day":"1900-02-28","at":"1582-10-15T00:00:00.000001"},"days":[],"named":{},"submission_date":"2018-03-01"}
{"n":3,"day":"0001-01-01","at":"0001-01-01T00:00:00","inside":{"day":null,"at":null},"days":["9999-12-31"],"named":{"z":"9999-12-31T23:59:59.999999"},"submission_date":"2018-03-01"}
{"n":4,"day":null,"at":null,"inside":null,"days":null,"named":null,"submission_date":"2018-03-01"}
`},
}

// computedTimes are rows of Presto's functions of dates and timestamps.
var computedTimes = map[string]string{
	"SELECT typeof(at), typeof(inside), CAST(at AS varchar), CAST(at AS date), date_add('day', 1, day), at + INTERVAL '1' DAY FROM times " +
		"WHERE n = 1": `"timestamp(6)","row(day date, at timestamp(6))",` +
		`"2018-03-01 04:05:06.789012","2018-03-01","2018-03-02","2018-03-02 04:05:06.789012"`,
	"SELECT date_trunc('hour', at), date_diff('second', at, TIMESTAMP '1970-01-01 00:00:01'), at AT TIME ZONE 'UTC', to_unixtime(at), " +
		"hour(at) FROM times WHERE n = 2": `"1969-12-31 23:00:00.000000",1,` +
		`"1969-12-31 23:59:59.999999 UTC",-0.000001,23`,
	"SELECT count(*) FROM times WHERE at = TIMESTAMP '2018-03-01 04:05:06.789012' OR inside.at < DATE '1600-01-01' OR day = DATE " +
		"'0001-01-01'": "3",
	"SELECT CAST(inside AS JSON), json_format(CAST(named AS JSON)) FROM times WHERE n = 1": `{"day":"2018-03-01","at":"2018-03-01 ` +
		`04:05:06.000001"},` +
		`"{\"a\":\"2018-03-01 00:00:00.000000\",\"b\":null}"`,
	"SELECT min(at), max(day), array_agg(at ORDER BY at), max_by(n, at) FROM times": `"0001-01-01 00:00:00.000000","2018-03-01",` +
		`["0001-01-01 00:00:00.000000","1969-12-31 23:59:59.999999","2018-03-01 04:05:06.789012",null],1`,
}

// TestTimes: dates and timestamps of a table, also within other types, are the same in every format of results and for
// another reader of parquet files: nulls, before 1970, and with microseconds.
func TestTimes(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.WithTimes(t, s)
	db, err := Open(t.Context(), s, query.Options{TempDir: t.TempDir(), Threads: 1})
	require.NoError(t, err)
	defer db.Close()
	write := func(d query.Dialect, sql string, f query.Format) []byte {
		t.Helper()
		rows, err := db.QueryIn(t.Context(), d, sql)
		require.NoError(t, err, sql)
		defer rows.Close()
		var out bytes.Buffer
		_, err = rows.Write(&out, f, query.WriteOptions{})
		require.NoError(t, err, sql)
		return out.Bytes()
	}
	for d, want := range timesIn {
		assert.Equal(t, want[0], string(write(d, allTimes, query.FormatCSV)))
		assert.Equal(t, want[1], string(write(d, allTimes, query.FormatNDJSON)))
	}
	for sql, want := range computedTimes {
		var values []string
		d := json.NewDecoder(bytes.NewReader(write(query.Presto, sql, query.FormatNDJSON)))
		_, err := d.Token()
		for err == nil && d.More() {
			var v json.RawMessage
			if _, err = d.Token(); err == nil {
				err = d.Decode(&v)
			}
			values = append(values, string(v))
		}
		require.NoError(t, err, sql)
		assert.Equal(t, want, strings.Join(values, ","), sql)
	}

	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(s.Dir, "lake", "example", "times", "v1", "*", "*.parquet"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for name, f := range map[string]query.Format{"times.arrow": query.FormatArrow, "times.parquet": query.FormatParquet} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, write(query.Presto, allTimes, f), 0o600))
		files = append(files, file)
	}
	out, err := exec.Command(clienttest.Python(t, clienttest.Arrow...), append([]string{"testdata/times.py"}, files...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	zone := "tz=UTC" // in the lake
	for line := range bytes.Lines(out) {
		checkTimes(t, line, zone)
		zone = "" // a result shows timestamps without a zone
	}
}

// checkTimes compares what pyarrow reads with sitetest.TimesRows.
func checkTimes(t *testing.T, line []byte, zone string) {
	t.Helper()
	var got struct {
		Types map[string]string
		Rows  []map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	require.NoError(t, d.Decode(&got))
	at := "timestamp[us]"
	if zone != "" {
		at = "timestamp[us, " + zone + "]"
	}
	assert.Equal(t, "date32[day]", got.Types["day"])
	assert.Equal(t, at, got.Types["at"])
	assert.Equal(t, "struct<day: date32[day], at: "+at+">", got.Types["inside"])
	assert.Contains(t, got.Types["named"], "map<string, "+at)
	for i, text := range sitetest.TimesRows {
		var want map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		require.NoError(t, d.Decode(&want))
		row := got.Rows[i]
		delete(row, "submission_date")
		for name := range row {
			assert.Equal(t, want[name], row[name], "row %d: %s", i, name)
		}
	}
}
