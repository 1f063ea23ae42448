package flight

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// large is a query of 200,000 rows, the same each time.
const large = `SELECT x * 1000 + y AS n, IF(y % 7 = 0, NULL, 'text ' || CAST(y AS varchar)) AS s, date '2018-03-01' + x * INTERVAL '1' DAY AS d
FROM UNNEST(sequence(1, 200)) AS a(x) CROSS JOIN UNNEST(sequence(1, 1000)) AS b(y) ORDER BY 1`

// TestLargeResult: a notebook reads what CSV has, in batches of a bounded size.
func TestLargeResult(t *testing.T) {
	address, o := served(t, nil)
	got := notebook(t, "grpc://"+address, bearer("common"), call{"checksum", large})[0]
	require.Empty(t, got.Error)
	var sum struct {
		Rows   int
		SHA256 string
		Max    int
	}
	require.NoError(t, json.Unmarshal(got.Value, &sum))
	all, _, err := o.Executor.List(t.Context(), o.Person(t, "common"), queryservice.Filter{Limit: 1})
	require.NoError(t, err)
	r, err := o.Executor.Result(t.Context(), o.Person(t, "common"), all[0].ID)
	require.NoError(t, err)
	defer r.Close()
	var csv bytes.Buffer
	require.NoError(t, r.WriteCSV(&csv))
	_, rows, _ := bytes.Cut(csv.Bytes(), []byte("\n"))
	hash := sha256.Sum256(rows)
	assert.Equal(t, hex.EncodeToString(hash[:]), sum.SHA256)
	assert.EqualValues(t, 200_000, r.Rows())
	assert.Equal(t, 200_000, sum.Rows)
	assert.Less(t, sum.Max, 4<<20, "bytes of a batch: clients take no messages of more than 16 MiB")
}

// typed has a value of each kind of type.
const typed = `SELECT true AS b, CAST(1 AS integer) AS i, 9007199254740993 AS l, 0.5e0 AS d, CAST('1.50' AS decimal(10, 2)) AS n, 'é''' AS s,
date '2018-03-01' AS day, timestamp '2018-03-01 04:05:06.789' AS t, ARRAY['a', NULL] AS a, MAP(ARRAY['k'], ARRAY[1]) AS m,
CAST(ROW(1, 'x') AS ROW(one integer, two varchar)) AS r, CAST(NULL AS varchar) AS z, X'00ff' AS v`

// nested has values of the types that arrays of a client's pings have.
const nested = `SELECT CAST(ARRAY[MAP(ARRAY['id'], ARRAY[ROW('A', 1)]), NULL] AS array(map(varchar, row(name varchar, scope integer)))) AS addons,
CAST(MAP(ARRAY['k'], ARRAY[ARRAY[ROW(2), ROW(NULL)]]) AS map(varchar, array(row(value bigint)))) AS scalars,
CAST(ARRAY[ROW(MAP(ARRAY['a'], ARRAY['1']), ROW('google'))] AS array(row(user_prefs map(varchar, varchar), data row(name varchar)))) AS settings`

// TestStatements: types, plans, prepared queries, errors with their places, and what is refused.
func TestStatements(t *testing.T) {
	address, _ := served(t, nil)
	got := notebook(t, "grpc://"+address, bearer("common"),
		call{"fetch", typed}, call{"schema", typed}, call{"prepared", "SELECT count(*) FROM addons WHERE sample_id < '0'"},
		call{"fetch", "SELECT 1,\n  nothing FROM addons"}, call{"fetch", "SELECT * FROM " + bitest.Restricted()},
		call{"fetch", "SELECT * FROM " + bitest.Absent()},
		call{"schema", "SELECT * FROM " + bitest.Restricted()}, call{"bound", "SELECT ?"}, call{"update", ""}, call{"ingest", "addons"},
		call{"fetch", "CREATE TABLE x AS SELECT 1"},
		call{"fetch", "EXPLAIN SELECT * FROM " + bitest.Restricted()}, call{"fetch", "EXPLAIN SELECT * FROM " + bitest.Absent()},
		call{"fetch", nested})
	var result struct {
		Schema [][2]string
		Rows   [][]string
	}
	require.NoError(t, json.Unmarshal(got[0].Value, &result), got[0].Error)
	assert.Equal(t, [][]string{{"True", "1", "9007199254740993", "0.5", "Decimal('1.50')", `"é'"`, "datetime.date(2018, 3, 1)",
		"datetime.datetime(2018, 3, 1, 4, 5, 6, 789000)", "['a', None]", "[('k', 1)]", "{'one': 1, 'two': 'x'}", "None", `b'\x00\xff'`}},
		result.Rows)
	var nestedRows struct{ Rows [][]string }
	require.NoError(t, json.Unmarshal(got[13].Value, &nestedRows), got[13].Error)
	assert.Equal(t, [][]string{{"[[('id', {'name': 'A', 'scope': 1})], None]", "[('k', [{'value': 2}, {'value': None}])]",
		"[{'user_prefs': [('a', '1')], 'data': {'name': 'google'}}]"}}, nestedRows.Rows)
	var planned [][2]string
	require.NoError(t, json.Unmarshal(got[1].Value, &planned), got[1].Error)
	assert.Equal(t, result.Schema, planned)
	assert.JSONEq(t, `{"parameters": null, "rows": "[[(0,)], [(0,)]]"}`, string(got[2].Value), got[2].Error)

	assert.Contains(t, got[3].Error, "LINE 2:   nothing FROM addons")
	assert.Contains(t, fmt.Sprint(got[3].Details), "line")
	for _, i := range []int{4, 6} {
		assert.Equal(t, got[5].Error, strings.ReplaceAll(got[i].Error, bitest.Restricted(), bitest.Absent()),
			"a table that is not granted, and one that is not there")
	}
	assert.Equal(t, got[12].Error, strings.ReplaceAll(got[11].Error, bitest.Restricted(), bitest.Absent()))
	for _, i := range []int{7, 8, 9, 10} {
		assert.NotEmpty(t, got[i].Error, "%d", i)
	}
	assert.Equal(t, "NOT_IMPLEMENTED", got[9].Status)
}
