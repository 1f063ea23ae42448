package query

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/query/encode"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// inArrow is every, with the largest whole number that Arrow has.
var inArrow = strings.Replace(every, "170141183460469231731687303715884105727", "99999999999999999999999999999999999999", 1)

// asText reads an Arrow stream and writes it in a text format.
func asText(t *testing.T, stream string, format func(io.Writer, []string) encode.Writer) string {
	t.Helper()
	r, err := columnar.NewReader(strings.NewReader(stream), int64(len(stream)))
	require.NoError(t, err)
	defer r.Close()
	var out bytes.Buffer
	var names []string
	for _, f := range r.Fields() {
		names = append(names, f.Name)
	}
	w := format(&out, names)
	for {
		batch, err := r.Next()
		if errors.Is(err, io.EOF) {
			require.NoError(t, w.Close())
			return out.String()
		}
		require.NoError(t, err)
		require.NoError(t, columnar.Rows(batch, 0, batch.NumRows(), w.Row))
	}
}

// odd are values at the ends of their types.
const odd = `SELECT '-infinity'::TIMESTAMP AS a, 'infinity'::DATE AS b, '0044-03-15 (BC)'::DATE AS c, '290309-12-22 (BC) 00:00:00'::TIMESTAMP AS d,
	'294247-01-10 04:00:54.775806'::TIMESTAMP AS e, '1677-09-22 00:00:00'::TIMESTAMP_NS AS f, '2018-03-01 04:05:06.000000001'::TIMESTAMP_NS AS g,
	'2018-03-01 04:05:06'::TIMESTAMP_S AS h, '2018-03-01 04:05:06.7'::TIMESTAMP_MS AS i, '24:00:00'::TIME AS j, '04:05:06+02'::TIMETZ AS k,
	INTERVAL '-1 year -2 months 3 days -04:05:06.5' AS l, INTERVAL '0 days' AS m, INTERVAL '1 year' AS n, INTERVAL '-90 minutes' AS o,
	'-99999999999999999999999999999999999999'::DECIMAL(38,0) AS p, '\x5C\x27"x\x7F\xFF'::BLOB AS q, ''::BLOB AS r, '101'::BIT AS s, 5::UHUGEINT AS t,
	(-32768)::SMALLINT AS u, 4294967295::UINTEGER AS v, '-inf'::FLOAT AS w, {'a': NULL, 'b': []} AS x, MAP {} AS y, [NULL, [1]] AS z,
	[{'t': TIMESTAMP '1969-12-31 23:59:59.999999'}] AS aa, MAP {1.5::DOUBLE: 'x', 2::DOUBLE: 'y'} AS bb, [MAP {'k': ['\x00'::BLOB]}] AS cc, '0001-01-01'::DATE AS dd`

// TestArrowAsText: an Arrow stream has all that the text formats have.
func TestArrowAsText(t *testing.T) {
	db := open(t)
	for _, sql := range []string{
		inArrow, odd, "SELECT 1 AS a, 2 AS a WHERE false", "SELECT i, i % 3 = 0 AS b, repeat('x', i % 50) AS t FROM range(30000) AS r(i)",
		"SELECT repeat('ü', 3000000) AS t, [i] AS l FROM range(3) AS r(i)", "DESCRIBE SELECT 1 AS a", "SELECT ROW(1, 'x') AS r",
	} {
		stream := written(t, db, sql, FormatArrow, WriteOptions{})
		require.Equal(t, written(t, db, sql, FormatNDJSON, WriteOptions{}), asText(t, stream, encode.NDJSON), sql)
		require.Equal(t, written(t, db, sql, FormatJSON, WriteOptions{}), asText(t, stream, encode.JSON), sql)
		csv := func(w io.Writer, names []string) encode.Writer {
			out, err := encode.CSV(w, names)
			require.NoError(t, err)
			return out
		}
		require.Equal(t, written(t, db, sql, FormatCSV, WriteOptions{}), asText(t, stream, csv), sql)
	}
}

// TestArrowOfPresto: types and text follow the dialect.
func TestArrowOfPresto(t *testing.T) {
	db := open(t)
	const sql = `SELECT TIMESTAMP '2018-03-01 04:05:06.700' AS a, ARRAY[TIMESTAMP '2018-03-01 04:05:06'] AS b, now() = now() AS c,
		TIMESTAMP '2018-03-01 04:05:06.000 UTC' AS d, INTERVAL '1' DAY AS e, X'00ff' AS f, JSON '[1, 2]' AS g, CAST(1.5 AS decimal(3,1)) AS h,
		MAP(ARRAY[1e0], ARRAY[ROW(1, 'x')]) AS i, CAST('1.5' AS real) AS j, sum(n) AS k, TIME '04:05:06' AS l FROM (VALUES 1, 2) AS t(n)`
	var text [2]string
	for i, f := range []Format{FormatNDJSON, FormatArrow} {
		rows, err := db.QueryIn(t.Context(), Presto, sql)
		require.NoError(t, err)
		var out bytes.Buffer
		_, err = rows.Write(&out, f, WriteOptions{})
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		text[i] = out.String()
	}
	require.Equal(t, text[0], asText(t, text[1], encode.NDJSON))
}

// TestArrowCaps: a stream that is cut is whole, and says so.
func TestArrowCaps(t *testing.T) {
	db := open(t)
	for _, c := range []struct {
		most Cap
		cut  string
		rows int
	}{{Cap{Rows: 2}, CutRows, 2}, {Cap{Rows: 3}, "", 3}, {Cap{Bytes: 1}, CutBytes, 1}} {
		rows, err := db.Query(t.Context(), "SELECT i FROM range(3) AS t(i) ORDER BY i")
		require.NoError(t, err)
		rows.Cap(c.most)
		var out bytes.Buffer
		n, err := rows.Write(&out, FormatArrow, WriteOptions{})
		require.NoError(t, err)
		require.Equal(t, int64(c.rows), n)
		require.Equal(t, c.cut, rows.Cut())
		require.Equal(t, c.rows, strings.Count(asText(t, out.String(), encode.NDJSON), "\n"))
		require.NoError(t, rows.Close())
	}
}

// TestArrowTooLarge: what Arrow has no type for is an error.
func TestArrowTooLarge(t *testing.T) {
	db := open(t)
	for _, sql := range []string{"SELECT 170141183460469231731687303715884105727::HUGEINT AS h", "SELECT INTERVAL '9000000 hours' AS i"} {
		rows, err := db.Query(t.Context(), sql)
		require.NoError(t, err)
		_, err = rows.Write(io.Discard, FormatArrow, WriteOptions{})
		var wrong *Error
		require.ErrorAs(t, err, &wrong, sql)
		require.NoError(t, rows.Close())
	}
}

// pyarrow reads a stream and writes what it has found.
const pyarrow = `
import sys, pyarrow as pa
t = pa.ipc.open_stream(sys.stdin.buffer).read_all()
t.validate(full=True)
print(t.schema.to_string(show_field_metadata=False))
for name in ("long", "ulong", "decimal", "date", "ts", "tz", "time", "bytes", "list", "struct", "m", "span"):
    print(name, repr(t.column(name)[0].as_py()), t.column(name)[1].as_py())
`

// TestArrowInPython: another implementation reads the stream.
func TestArrowInPython(t *testing.T) {
	python := clienttest.Python(t, clienttest.Arrow...)
	stream := written(t, open(t), inArrow, FormatArrow, WriteOptions{})
	cmd := exec.Command(python, "-c", pyarrow)
	cmd.Stdin = strings.NewReader(stream)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, want := range []string{
		"decimal: decimal128(37, 6)", "ts: timestamp[us]", "tz: timestamp[us, tz=UTC]", "huge: decimal128(38, 0)",
		"m: map<string, struct<x: decimal128(5, 2)>>",
		"long 9223372036854775807 None", "ulong 18446744073709551615 None", "decimal Decimal('12.500000') None",
		"date datetime.date(2018, 3, 1) None",
		"ts datetime.datetime(2018, 3, 1, 4, 5, 6, 789000) None", `bytes b'\x00ab' None`, "list [1, None] None",
		"struct {'b': [datetime.date(2018, 3, 1)], 'a': Decimal('0.5')} None", "m [('k', {'x': Decimal('1.25')})] None",
		"span MonthDayNano(months=0, days=1, nanoseconds=7200000000000) None",
	} {
		require.Contains(t, string(out), want)
	}
}
