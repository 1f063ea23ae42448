package query

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written returns a query's result in a format.
func written(t *testing.T, db *DB, sql string, f Format, opts WriteOptions) string {
	t.Helper()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	defer rows.Close()
	var b bytes.Buffer
	if _, err := rows.Write(&b, f, opts); err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return b.String()
}

// every has a row of each type and a row of nulls.
const every = `SELECT * FROM (VALUES (
	true, 9223372036854775807::BIGINT, 18446744073709551615::UBIGINT, 170141183460469231731687303715884105727::HUGEINT, -7::TINYINT,
	0.1::DOUBLE, 1e300::DOUBLE, 'nan'::DOUBLE, 1.5::FLOAT, 12.5::DECIMAL(37,6), -0.5::DECIMAL(2,2), 'a "b", c',
	DATE '2018-03-01', TIMESTAMP '2018-03-01 04:05:06.789', TIMESTAMPTZ '2018-03-01 04:05:06+02', TIME '04:05:06', INTERVAL '1 day 2 hours',
	'\x00ab'::BLOB, '00112233-4455-6677-8899-aabbccddeeff'::UUID, 'infinity'::TIMESTAMP,
	[1, NULL], {'b': [DATE '2018-03-01'], 'a': 0.5::DECIMAL(3,1)}, MAP{'k': {'x': 1.25::DECIMAL(5,2)}}, MAP{3: 'c', 1: 'a'},
	MAP{DATE '2018-03-01': [1]}, '{"n": 12345678901234567890, "l": [1,
	2]}'::JSON, ['[1]'::JSON], 'x'::ENUM('x'), ['x'::ENUM('x')], [1, 2]::INTEGER[2], MAP{[1]: 2}),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
	AS t("bool", "long", ulong, huge, tiny, "double", big, nan, "float", "decimal", fraction, "text", "date", ts, tz, "time", span, bytes, id, inf, list, "struct", m, im, dm, js, jl, e, el, arr, lm)`

func TestJSON(t *testing.T) {
	db := open(t)
	first := `{"bool":true,"long":9223372036854775807,"ulong":18446744073709551615,"huge":170141183460469231731687303715884105727,"tiny":-7,` +
		`"double":0.1,"big":1e+300,"nan":"NaN","float":1.5,"decimal":"12.500000","fraction":"-0.50","text":"a \"b\", c",` +
		`"date":"2018-03-01","ts":"2018-03-01T04:05:06.789","tz":"2018-03-01T02:05:06Z","time":"04:05:06","span":"1 day 02:00:00",` +
		`"bytes":"\\x00ab","id":"00112233-4455-6677-8899-aabbccddeeff","inf":"infinity",` +
		`"list":[1,null],"struct":{"b":["2018-03-01"],"a":"0.5"},"m":{"k":{"x":"1.25"}},"im":{"3":"c","1":"a"},` +
		`"dm":{"2018-03-01":[1]},"js":{"n":12345678901234567890,"l":[1,2]},"jl":["[1]"],"e":"x","el":["x"],"arr":[1,2],"lm":"{[1]=2}"}`
	lines := strings.Split(written(t, db, every, FormatNDJSON, WriteOptions{}), "\n")
	if len(lines) != 3 || lines[2] != "" || lines[0] != first {
		t.Errorf("ndjson got\n%s\nwant\n%s", lines[0], first)
	}
	var nulls map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &nulls); err != nil || len(nulls) != 31 {
		t.Errorf("%v: %s", err, lines[1])
	}
	for name, v := range nulls {
		if v != nil {
			t.Errorf("%s is %v in a row of nulls", name, v)
		}
	}
	array := written(t, db, every, FormatJSON, WriteOptions{})
	if array != "[\n"+first+",\n"+lines[1]+"\n]\n" {
		t.Errorf("json got\n%s", array)
	}
	if got := written(t, db, "SELECT 1 AS a WHERE false", FormatJSON, WriteOptions{}); got != "[\n]\n" {
		t.Errorf("empty json: %q", got)
	}
	if got := written(t, db, "SELECT 1 AS a WHERE false", FormatNDJSON, WriteOptions{}); got != "" {
		t.Errorf("empty ndjson: %q", got)
	}
	if got := written(t, db, "SELECT 1 AS a, 2 AS a, 3 AS a_1, NULL AS n, ROW(1, 'x') AS r", FormatNDJSON,
		WriteOptions{}); got != `{"a":1,"a_1":2,"a_1_1":3,"n":null,"r":"(1, x)"}`+"\n" {
		t.Errorf("names twice: %s", got)
	}
	if got := written(t, db, `SELECT chr(1) || chr(127) || e'\t\r\n\\"' || 'ü' AS s`, FormatNDJSON,
		WriteOptions{}); got != `{"s":"\u0001\u007f\t\r\n\\\"ü"}`+"\n" {
		t.Errorf("escapes: %s", got)
	}
	if b, err := json.Marshal(Object{{Name: "b", Value: int64(1)}, {Name: "a", Value: Object{}}}); err != nil ||
		string(b) != `{"b":1,"a":{}}` {
		t.Errorf("object: %s %v", b, err)
	}
}

func TestCSV(t *testing.T) {
	db := open(t)
	got := written(t, db, `SELECT * FROM (VALUES (1, 'a,b', [1, 2]), (NULL, '', NULL), (2, e'x "y"\nz', []), (3, ' padded ', NULL)) AS `+
		`t("n", "t x", "l,")`, FormatCSV, WriteOptions{})
	want := "n,t x,\"l,\"\n1,\"a,b\",\"[1,2]\"\n,\"\",\n2,\"x \"\"y\"\"\nz\",[]\n3,\" padded \",\n"
	if got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	records, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(records) != 5 || records[3][1] != "x \"y\"\nz" {
		t.Errorf("read back: %v %v", records, err)
	}
	if got := written(t, db, "SELECT * FROM (VALUES ('a'), (NULL)) AS t(x)", FormatCSV, WriteOptions{}); got != "x\na\n\"\"\n" {
		t.Errorf("one column: %q", got)
	}
	got = written(t, db, `SELECT true AS b, '{"a": 1}'::JSON AS j, 1e0 AS f, 'infinity'::DOUBLE AS i, CAST(2 AS FLOAT) / 3 AS g, `+
		`1::UTINYINT AS u1, 2::USMALLINT AS u2, 3::UINTEGER AS u4, 4::UBIGINT AS u8, 5::SMALLINT AS s, 6::HUGEINT AS h`, FormatCSV,
		WriteOptions{})
	if want := "b,j,f,i,g,u1,u2,u4,u8,s,h\ntrue,\"{\"\"a\"\": 1}\",1,Infinity,0.6666667,1,2,3,4,5,6\n"; got != want {
		t.Errorf("scalars\n got %q\nwant %q", got, want)
	}
	if got := written(t, db, "SELECT 1 AS a WHERE false", FormatCSV, WriteOptions{}); got != "a\n" {
		t.Errorf("no rows: %q", got)
	}
}

func TestTable(t *testing.T) {
	db := open(t)
	const people = `SELECT * FROM (VALUES ('a', 1, 1.50), ('日本', 1000, NULL), (chr(27) || e'[31mred\n' || chr(8238), NULL, -2.25)) AS ` +
		`t(name, n, "decimal")`
	want := ` name                       |    n | decimal
----------------------------+------+---------
 a                          |    1 |    1.50
 日本                       | 1000 |    NULL
 \x1b[31mred\n\u202e        | NULL |   -2.25
(3 rows)
`
	want = strings.ReplaceAll(want, "       |", "|")
	want = strings.ReplaceAll(want, "-------+", "+")
	if got := written(t, db, people, FormatTable, WriteOptions{}); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") ||
		strings.Count(got, " | ") != 8 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	long := `SELECT repeat('x', 200) AS long, 1 AS n`
	if got := written(t, db, long, FormatTable, WriteOptions{}); !strings.Contains(got, strings.Repeat("x", 200)) {
		t.Errorf("cut without a terminal:\n%s", got)
	}
	for _, line := range strings.Split(written(t, db, long, FormatTable, WriteOptions{Width: 40}), "\n") {
		if n := len([]rune(line)); n > 40 {
			t.Errorf("%d characters on a terminal of 40: %s", n, line)
		}
	}
	if got := written(t, db, `SELECT '日本語日本語' AS a`, FormatTable, WriteOptions{Width: 10}); !strings.Contains(got, " 日本語日…\n") {
		t.Errorf("wide characters:\n%s", got)
	}
	wide := written(t, db, `SELECT 1 AS aaaaaaaaaaaaaaa, 2 AS bbbbbbbbbbbbbbbbbbbb, 3 AS cccccccccccccc, repeat('y', 99) AS d UNION ALL `+
		`SELECT 4, 5, 6, NULL ORDER BY 1`, FormatTable, WriteOptions{Width: 50})
	if want := "-[ row 1 ]----------------------------------------\naaaaaaaaaaaaaaa      | 1\n"; !strings.HasPrefix(wide, want) ||
		!strings.Contains(wide, "\nd                    | yyyyyyyyyyyyyyyyyyyyyyyyyy…\n-[ row 2 ]") ||
		!strings.HasSuffix(wide, "| NULL\n(2 rows)\n") {
		t.Errorf("row by row:\n%s", wide)
	}
	if got := written(t, db, "SELECT 1 AS one", FormatTable, WriteOptions{}); got != " one\n-----\n   1\n(1 row)\n" {
		t.Errorf("one row:\n%s", got)
	}
	if got := written(t, db, "SELECT 1 AS one WHERE false", FormatTable, WriteOptions{Width: 80}); got != " one\n-----\n(0 rows)\n" {
		t.Errorf("no rows:\n%s", got)
	}
	if got := written(t, db, "SELECT range AS n FROM range(12345)", FormatTable, WriteOptions{}); !strings.HasSuffix(got,
		" 12344\n(12,345 rows)\n") || strings.Count(got, "\n") != 12348 {
		t.Errorf("many rows end with %q", got[len(got)-40:])
	}
}

func TestParquet(t *testing.T) {
	db := open(t)
	path := filepath.Join(t.TempDir(), "out.parquet")
	rows, err := db.Query(t.Context(), `SELECT sum(i) AS total, CAST(3 AS decimal(27, 6)) AS d, MAP{'a': 1} AS m, 1 AS total, NULL AS `+
		`nothing, ROW(1) AS r, TIMESTAMP '2018-03-01 00:00:00' AS t FROM range(9223372036854775807, 9223372036854775807 - 2, -1) AS x(i) `+
		`WHERE i % 2 = 1 -- the end`)
	require.NoError(t, err)
	defer rows.Close()
	file, err := os.Create(path)
	require.NoError(t, err)
	n, err := rows.Write(file, FormatParquet, WriteOptions{})
	if err != nil || n != 1 {
		t.Fatalf("%d rows, %v", n, err)
	}
	require.NoError(t, file.Close())
	if got := values(t, db, "SELECT *, typeof(total), typeof(d) FROM read_parquet("+quoteText(path)+
		")"); got != `9223372036854775807,"3.000000",{"a":1},1,null,"(1)","2018-03-01T00:00:00","BIGINT","DECIMAL(27,6)"` {
		t.Errorf("read back %s", got)
	}
	for sql, want := range map[string]string{
		"SHOW TABLES": "Not supported: parquet output of a statement that is not a SELECT",
		"SELECT CAST(sum(x) AS BIGINT) AS s FROM (VALUES (9223372036854775807), (1)) AS t(x)": "Conversion Error: ",
	} {
		rows, err := db.Query(t.Context(), sql)
		require.NoError(t, err)
		if _, err := rows.Write(io.Discard, FormatParquet, WriteOptions{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", sql, err)
		}
		assert.NoError(t, rows.Close())
	}
	left, err := filepath.Glob(filepath.Join(db.tempDir, "result-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// full fails after some bytes, like a full disk or a closed pipe.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestWriteFails(t *testing.T) {
	db := open(t)
	for _, f := range Formats {
		for _, left := range []int{0, 100000} {
			rows, err := db.Query(t.Context(), "SELECT range, md5(CAST(range AS varchar)) FROM range(20000)")
			require.NoError(t, err)
			n, err := rows.Write(&full{left}, f, WriteOptions{})
			if !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(err.Error(), "write result: ") || n >= 20000 {
				t.Errorf("%s: %d rows, %v", f, n, err)
			}
			assert.NoError(t, rows.Close())
		}
	}
	rows, err := db.Query(t.Context(), "SELECT 1")
	require.NoError(t, err)
	if _, err := rows.Write(io.Discard, "xml", WriteOptions{}); err == nil ||
		err.Error() != `no output format "xml": want table, csv, json, ndjson, parquet, arrow, spreadsheet` {
		t.Errorf("unknown format: %v", err)
	}
	if f, err := ParseFormat("CSV"); f != FormatCSV || err != nil {
		t.Errorf("ParseFormat: %s %v", f, err)
	}
	assert.NoError(t, rows.Close())
	if _, err := rows.Next(); err == nil {
		t.Error("rows can be read after Close")
	}
}
