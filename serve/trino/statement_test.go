package trino

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// everyType has expressions of each type, with the type and the value in the form of the protocol.
var everyType = [][3]string{
	{"true", "boolean", "true"}, {"TINYINT '1'", "tinyint", "1"}, {"SMALLINT '2'", "smallint", "2"}, {"3", "integer", "3"},
	{"9007199254740993", "bigint", "9007199254740993"}, {"REAL '0.1'", "real", "0.1"}, {"0.5e0", "double", "0.5"},
	{"1.50", "decimal(3, 2)", `"1.50"`}, {"'x'", "varchar(1)", `"x"`},
	{"CAST('é' AS varchar)", "varchar", `"é"`}, {"X'00ff'", "varbinary", `"AP8="`},
	{`JSON '{"a": 1}'`, "json", `"{\"a\":1}"`}, {"date '2018-03-01'", "date", `"2018-03-01"`},
	{"time '04:05:06.789'", "time(3)", `"04:05:06.789"`},
	{"timestamp '2018-03-01 04:05:06.789012'", "timestamp(6)", `"2018-03-01 04:05:06.789012"`},
	{"timestamp '2018-03-01 04:05:06'", "timestamp(0)", `"2018-03-01 04:05:06"`},
	{"timestamp '2018-03-01 04:05:06.789 +02:00'", "timestamp(3) with time zone", `"2018-03-01 04:05:06.789 +02:00"`},
	{"INTERVAL '3' DAY", "interval day to second", `"3 00:00:00.000"`}, {"INTERVAL '2' MONTH", "interval year to month", `"0-2"`},
	{"ARRAY[1, NULL]", "array(integer)", "[1,null]"}, {"MAP(ARRAY['k'], ARRAY[0.5e0])", "map(varchar(1), double)", `{"k":0.5}`},
	{"CAST(ROW(1, 'b') AS row(x integer, y varchar))", "row(x integer, y varchar)", `[1,"b"]`}, {"ROW(1)", "row(integer)", "[1]"},
	{"nan()", "double", `"NaN"`}, {"-infinity()", "double", `"-Infinity"`}, {"NULL", "unknown", "null"},
	{"UUID '11111111-2222-3333-4444-555555555555'", "uuid", `"11111111-2222-3333-4444-555555555555"`},
	{"ARRAY[MAP(ARRAY['k'], ARRAY[CAST(ROW(X'00') AS row(b varbinary))])]", "array(map(varchar(1), row(b varbinary)))", `[{"k":["AA=="]}]`},
	{"approx_set(1)", "varchar", `"HyperLogLog of 1 values"`},
}

// signatures are some of the types as clients decode by them.
var signatures = map[string]string{
	"boolean":        `{"rawType":"boolean","arguments":[]}`,
	"decimal(3, 2)":  `{"rawType":"decimal","arguments":[{"kind":"LONG","value":3},{"kind":"LONG","value":2}]}`,
	"varchar":        `{"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}`,
	"timestamp(6)":   `{"rawType":"timestamp","arguments":[{"kind":"LONG","value":6}]}`,
	"array(integer)": `{"rawType":"array","arguments":[{"kind":"TYPE","value":{"rawType":"integer","arguments":[]}}]}`,
	"row(integer)": `{"rawType":"row","arguments":[{"kind":"NAMED_TYPE","value":{"typeSignature":` +
		`{"rawType":"integer","arguments":[]}}}]}`,
}

// TestTypes: types and values have the protocol's form. Clients that do not know other precisions get milliseconds.
func TestTypes(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	var list []string
	for _, c := range everyType {
		list = append(list, c[0])
	}
	sql := "SELECT " + strings.Join(list, ", ")
	got := a.with("X-Trino-Client-Capabilities", "PATH,PARAMETRIC_DATETIME").run(sql)
	require.Nil(t, got.Error, "%+v", got.Error)
	require.Len(t, got.Data, 1)
	want := make([]string, len(everyType))
	for i, c := range everyType {
		assert.Equal(t, c[1], got.Columns[i].Type, c[0])
		if s := signatures[c[1]]; s != "" {
			assert.JSONEq(t, s, string(got.Columns[i].TypeSignature), c[0])
		}
		want[i] = c[2]
	}
	assert.Equal(t, "["+strings.Join(want, ",")+"]", got.rows())

	old := a.run("SELECT timestamp '2018-03-01 04:05:06.789012', timestamp '2018-03-01 04:05:06 +02:00', ARRAY[time '04:05:06.78']")
	assert.Equal(t, `["2018-03-01 04:05:06.789","2018-03-01 04:05:06.000 +02:00",["04:05:06.780"]]`, old.rows())
	assert.Equal(t, "timestamp", old.Columns[0].Type)
	assert.JSONEq(t, `{"rawType":"timestamp with time zone","arguments":[]}`, string(old.Columns[1].TypeSignature))
}

// statements lists statements with their rows or errors.
var statements = [][2]string{
	{"SHOW CATALOGS", `["hive"]`}, {"SHOW SCHEMAS", "[\"default\"]\n[\"information_schema\"]"}, {"SHOW TABLES LIKE 'add%'", `["addons"]`},
	{"SHOW COLUMNS FROM addons LIKE 'scope'", `["scope","integer","","Where it is installed (a bit mask)"]`},
	{"SHOW SESSION", `["query_max_run_time","","","varchar","The longest time of a statement, from its arrival to its end"]`},
	{"SHOW TABLES FROM system.runtime LIKE 'n%'", `["nodes"]`},
	{"DESCRIBE information_schema.schemata", "[\"catalog_name\",\"varchar(4)\",\"\",\"\"]\n" +
		`["schema_name","varchar","",""]`},
	{"USE hive.default", ""}, {"USE nothing", "SCHEMA_NOT_FOUND: there is no schema nothing"},
	{"USE other.default", "CATALOG_NOT_FOUND: there is no catalog other"}, {"SET SESSION query_max_run_time = '10s'", ""},
	{"SET SESSION query_max_run_time = 'long'", `INVALID_SESSION_PROPERTY: want a time such as 30s or 1.5h of at most 100d, not "long"`},
	{"SET SESSION other = '1'", `INVALID_SESSION_PROPERTY: there is no property "other" with such a value: SHOW SESSION lists all`},
	{"SET TIME ZONE 'UTC'", ""},
	{"SET TIME ZONE 'Asia/Tokyo'", "NOT_SUPPORTED: the zone of all sessions is UTC: write x AT TIME ZONE 'Europe/Berlin'"},
	{"SELECT table_name FROM hive.information_schema.tables WHERE table_schema = 'default' AND table_name LIKE 'add%'", `["addons"]`},
	{`SELECT data_type, type_name FROM system.jdbc.columns WHERE table_name LIKE 'add\_ns' ESCAPE '\' ` +
		"OR column_name = 'addon_id'", `[12,"varchar"]`},
	{"SELECT * FROM system.runtime.nodes", `["pingmill","","435-pingmill-test",true,"active"]`},
	{"SELECT comment FROM system.metadata.table_comments WHERE table_name = 'addons'",
		`["One row for each active add-on of each main ping with a client id."]`},
	{"WITH t AS (SELECT * FROM information_schema.columns) SELECT count(*) > 5 FROM t", "[true]"},
	{"SELECT count(*) FROM system.jdbc.tables a JOIN system.jdbc.tables b ON a.table_name = b.table_name " +
		"WHERE a.table_name = 'addons'", "[1]"},
	{"EXECUTE IMMEDIATE 'SELECT ? - ?' USING 1, -2", "[3]"},
	{"EXECUTE IMMEDIATE 'SELECT ''a'', ? LIMIT ?' USING ARRAY[1, 2], BIGINT '5'", `["a",[1,2]]`},
	{"EXECUTE IMMEDIATE 'SHOW CATALOGS'", `["hive"]`},
	{"EXECUTE IMMEDIATE 'SELECT ?'", "INVALID_PARAMETER_USAGE: the statement has 1 parameters, and 0 values were given"},
	{"EXECUTE IMMEDIATE 'SELECT (?)' USING 1) UNION SELECT (2", "SYNTAX_ERROR: the brackets of a parameter do not match"},
	{"EXECUTE IMMEDIATE 'SELECT ?' USING 1; SELECT 2", "SYNTAX_ERROR: a parameter has no ;"},
	{"EXECUTE IMMEDIATE 'EXECUTE x'", "NOT_SUPPORTED: a prepared statement cannot be about prepared statements"},
	{"EXECUTE nothing", "NOT_FOUND: Prepared statement not found: nothing"},
	{"SELECT 1;", "[1]"}, {"SELECT 1; SELECT 2", "SYNTAX_ERROR: line 1:11: there is more than one statement (run them one after the other)"},
	{"USE hive.default; SELECT 1", "SYNTAX_ERROR: there is more than one statement, or a quote is missing"},
	{"SELECT (", "SYNTAX_ERROR: line 1:9: found the end of the query, expected an expression"},
	{"SELECT nothing FROM addons", "COLUMN_NOT_FOUND: line 1:8: column nothing is not known"},
	{"SELECT nothing()", "FUNCTION_NOT_FOUND: line 1:8: there is no function nothing"},
	{"DROP TABLE addons", "NOT_SUPPORTED: line 1:1: DROP is not supported (the tables are read-only: ask with SELECT)"},
	{"START TRANSACTION READ ONLY", ""}, {"COMMIT", ""},
	{"CALL system.runtime.kill_query(query_id => 'x', message => 'y')", `NOT_FOUND: there is no query "x"`},
	{"SELECT CAST('x' AS integer)", "INVALID_CAST_ARGUMENT: line 1:8: Cannot cast 'x' to INT"},
}

// TestStatements: what statements are answered with.
func TestStatements(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	for _, c := range statements {
		assert.Equal(t, c[1], a.outcome(c[0]), c[0])
	}
	assert.Contains(t, a.outcome("SHOW CREATE TABLE addons"), `   \"scope\" integer COMMENT 'Where it is installed (a bit mask)',\n`)
	assert.Contains(t, a.outcome("SHOW FUNCTIONS LIKE 'abs'"), `["abs","bigint","bigint","scalar","true","Value without its sign."]`)
	got := a.run("SELECT 1,\n  nothing FROM addons")
	require.NotNil(t, got.Error)
	assert.Equal(t, 47, got.Error.ErrorCode)
	assert.Equal(t, "USER_ERROR", got.Error.ErrorType)
	assert.Equal(t, 2, got.Error.ErrorLocation.LineNumber)
	assert.Equal(t, 3, got.Error.ErrorLocation.ColumnNumber)
	assert.Equal(t, "FAILED", got.Stats.State)
}

// TestSession: a client keeps its session by the headers of responses, and sends it with each statement.
func TestSession(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	for sql, want := range map[string][2]string{
		"USE hive.default": {"X-Trino-Set-Catalog", "hive"}, "USE information_schema": {"X-Trino-Set-Schema", "information_schema"},
		"SET SESSION query_max_run_time = '1.5h'": {"X-Trino-Set-Session", "query_max_run_time=1.5h"},
		"RESET SESSION query_max_run_time":        {"X-Trino-Clear-Session", "query_max_run_time"},
		"PREPARE p FROM SELECT ?, 'é'":            {"X-Trino-Added-Prepare", "p=SELECT+%3F%2C+%27%C3%A9%27"},
		"ROLLBACK":                                {"X-Trino-Clear-Transaction-Id", "true"},
	} {
		got := a.run(sql)
		assert.Equal(t, want[1], got.header.Get(want[0]), sql)
		assert.Equal(t, strings.Fields(sql)[0], strings.Fields(got.UpdateType)[0])
	}
	assert.NotEmpty(t, a.run("START TRANSACTION").header.Get("X-Trino-Started-Transaction-Id"))

	in := a.with("X-Trino-Catalog", "system").with("X-Trino-Schema", "runtime")
	assert.Equal(t, "[1]", in.outcome("WITH t AS (SELECT * FROM nodes) SELECT count(*) FROM t"))
	assert.Equal(t, `["nodes"]`, in.outcome("SHOW TABLES LIKE 'n%'"))
	assert.Contains(t, in.outcome("DESCRIBE nodes"), `["node_id","varchar(8)","",""]`)
	assert.Contains(t, in.outcome("SELECT count(*) FROM hive.default.addons"), "[")

	long := "SELECT ?, '" + strings.Repeat("long", 2000) + "'"
	for _, text := range []string{"SELECT ?, 1", long} {
		added := a.run("PREPARE p FROM " + text).header.Get("X-Trino-Added-Prepare")
		p := a.with("X-Trino-Prepared-Statement", added)
		assert.Less(t, len(added), 1000)
		assert.True(t, strings.HasPrefix(p.outcome("EXECUTE p USING 'it''s'"), `["it's",`))
		assert.Equal(t, `[0,"unknown"]`, p.outcome("DESCRIBE INPUT p"))
		assert.Contains(t, p.outcome("DESCRIBE OUTPUT p"), `["NULL","","","","unknown",0,false]`)
		assert.Equal(t, "p", p.run("DEALLOCATE PREPARE p").header.Get("X-Trino-Deallocated-Prepare"))
	}
	got := a.with("X-Trino-Session", "query_max_run_time=1s").run(endless)
	require.NotNil(t, got.Error)
	assert.Equal(t, "EXCEEDED_TIME_LIMIT", got.Error.ErrorName)
	assert.Equal(t, "INSUFFICIENT_RESOURCES", got.Error.ErrorType)
	o.Until(t, "common", queryservice.Cancelled, 1)
	for name, value := range map[string]string{
		"X-Trino-Session": "novalue", "X-Trino-Prepared-Statement": "p=%zz", "X-Trino-prepared-statement": "p=%24zstd%3AAAAA",
	} {
		res, _ := a.with(name, value).send(http.MethodPost, "/v1/statement", "SELECT 1")
		assert.Equal(t, http.StatusBadRequest, res.StatusCode, name)
	}
}

// endless runs for hours.
const endless = `SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)
CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5`

// TestPages: a large result comes in pages, each of which can be asked for again until the next one was.
func TestPages(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	got := a.begin("SELECT x, rpad('', 1000, 'x') FROM UNNEST(sequence(1, 900)) AS t(x) CROSS JOIN UNNEST(sequence(1, 3)) AS u(y) ORDER BY x")
	first := got.Next
	pages := 0
	for got.Next != "" {
		at, rows := got.Next, len(got.Data)
		a.follow(got)
		if len(got.Data) > rows {
			pages++
			again := &answer{Next: at, header: http.Header{}}
			a.follow(again)
			assert.Equal(t, got.Data[rows:], again.Data)
			assert.Equal(t, got.Next, again.Next)
		}
	}
	require.Nil(t, got.Error)
	assert.Len(t, got.Data, 2700)
	assert.Greater(t, pages, 1)
	res, _ := a.send(http.MethodGet, first, "")
	assert.Equal(t, http.StatusGone, res.StatusCode)
	for i, row := range got.Data {
		require.True(t, strings.HasPrefix(string(row), fmt.Sprintf("[%d,", i/3+1)))
	}
}

// TestGoClient: the client of Go's database/sql, with parameters.
func TestGoClient(t *testing.T) {
	address, o := served(t, nil)
	db := driver(t, address, o.Tokens["common"])
	var n int64
	var name string
	var at time.Time
	require.NoError(t, db.QueryRow("SELECT count(*), ?, timestamp '2018-03-01 04:05:06.789 UTC' FROM addons WHERE sample_id >= ?",
		"it's", "0").
		Scan(&n, &name, &at))
	assert.NotZero(t, n)
	assert.Equal(t, "it's", name)
	assert.Equal(t, time.Date(2018, 3, 1, 4, 5, 6, 789e6, time.UTC), at.UTC())
	rows, err := db.Query("SELECT x FROM UNNEST(sequence(1, 1000)) AS t(x)")
	require.NoError(t, err)
	sum := 0
	for rows.Next() {
		var x int
		require.NoError(t, rows.Scan(&x))
		sum += x
	}
	require.NoError(t, rows.Err())
	assert.Equal(t, 500500, sum)
	require.ErrorContains(t, db.QueryRow("SELECT * FROM "+bitest.Absent()).Scan(&n), "there is no table")
	require.ErrorContains(t, db.QueryRow(bitest.Midway).Scan(&n), "x")
}
