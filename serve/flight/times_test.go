package flight

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
)

// TestTimes: dates and timestamps of a table are Arrow's, with nulls, before 1970, and with microseconds, in the plan and in the rows.
func TestTimes(t *testing.T) {
	address, o := served(t, nil)
	sitetest.WithTimes(t, o.Site)
	const sql = "SELECT day, at, inside, days, named FROM times ORDER BY n"
	got := notebook(t, "grpc://"+address, bearer("common"), call{"fetch", sql}, call{"schema", sql})
	var result struct {
		Schema [][2]string
		Rows   [][]string
	}
	require.NoError(t, json.Unmarshal(got[0].Value, &result), got[0].Error)
	assert.Equal(t, [][2]string{
		{"day", "date32[day]"}, {"at", "timestamp[us]"}, {"inside", "struct<day: date32[day], at: timestamp[us]>"},
		{"days", "list<item: date32[day]>"}, {"named", "map<string, timestamp[us]>"},
	}, result.Schema)
	assert.Equal(t, [][]string{
		{"datetime.date(2018, 3, 1)", "datetime.datetime(2018, 3, 1, 4, 5, 6, 789012)",
			"{'day': datetime.date(2018, 3, 1), 'at': datetime.datetime(2018, 3, 1, 4, 5, 6, 1)}",
			"[datetime.date(2018, 3, 1), None]", "[('a', datetime.datetime(2018, 3, 1, 0, 0)), ('b', None)]"},
		{"datetime.date(1969, 12, 31)", "datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)",
			"{'day': datetime.date(1900, 2, 28), 'at': datetime.datetime(1582, 10, 15, 0, 0, 0, 1)}", "[]", "[]"},
		{"datetime.date(1, 1, 1)", "datetime.datetime(1, 1, 1, 0, 0)", "{'day': None, 'at': None}", "[datetime.date(9999, 12, 31)]",
			"[('z', datetime.datetime(9999, 12, 31, 23, 59, 59, 999999))]"},
		{"None", "None", "None", "None", "None"},
	}, result.Rows)
	var planned [][2]string
	require.NoError(t, json.Unmarshal(got[1].Value, &planned), got[1].Error)
	assert.Equal(t, result.Schema, planned)
}
