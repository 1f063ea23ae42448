package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// One client cannot fill the table, nor can all clients of a day; what is left out is counted, and groups that are there
// go on.
func TestAggregatesAreBounded(t *testing.T) {
	rows, in, out := derived(t, "search_aggregates")
	add := func(client, text string, n int) {
		in.Reset()
		row := fromJSON(t, fmt.Sprintf(`{"client_id":%q,"locale":%q,"search_counts":[`, client, text)+
			wide(n, `{"engine":"e%d","source":"s","count":1}`)+`]}`)
		require.NoError(t, in.AppendJSONRow(row.(map[string]any)))
		addRows(rows, out, in)
	}
	add("c", lastText, 1000)
	most := MaxClientBytes / MaxText
	left := out.LeftOut()["engine"]
	if n := rows.(*searchAggregates).groups.count; n > most || n < most/2 || left != int64(1000-n) {
		t.Fatalf("%d groups of a client, left out %d", n, left)
	}
	add("d", lastText, 10) // groups of another client: they are there
	if out.LeftOut()["engine"] != left {
		t.Error("searches of groups that are there are left out")
	}
	began := rows.(*searchAggregates).groups.count
	add("d", "b"+lastText[1:], most/2) // this client has not begun any
	if n := rows.(*searchAggregates).groups.count; n != began+most/2 || out.LeftOut()["engine"] != left {
		t.Errorf("%d groups of another client, left out %d", n-began, out.LeftOut()["engine"]-left)
	}
	flushRows(rows, out)
	if got := rowsOf(t, out); len(got) == 0 {
		t.Error("no rows")
	}
	out.Reset()
	rows.(*searchAggregates).most = 1000
	for i := range 20 {
		add(fmt.Sprint("client ", i), fmt.Sprint("l", i), 1)
	}
	flushRows(rows, out)
	if n := len(rowsOf(t, out)); n != 1000/(entryBytes+len("l10")+len("e0")+len("s")) {
		t.Errorf("%d rows of a day with 1000 bytes", n)
	}
}

// The partition is the day of the run, whatever the rows say; without a run it is null.
func TestAggregatesOfDay(t *testing.T) {
	tables := schema.NewSet(defaultProbes(t)).Tables
	table, err := schema.Find(tables, "search_aggregates")
	require.NoError(t, err)
	inputs := schema.Nullable(schema.Inputs(table, tables[0]))
	for day, want := range map[string]string{"20180301": `"20180301"`, "": "null"} {
		rows, err := NewRowsOf(table, inputs, day)
		require.NoError(t, err)
		in, out := column.NewBatch(inputs), column.NewBatch(table.Columns)
		row := fromJSON(t, `{"submission_date_obj":"20180302","submission_date":"20180228","search_counts":[{"engine":"g","source":"s",`+
			`"count":2}]}`)
		require.NoError(t, in.AppendJSONRow(row.(map[string]any)))
		addRows(rows, out, in)
		flushRows(rows, out)
		checkColumns(t, rowsOf(t, out)[0], `{"submission_date_obj":`+want+`,"submission_date":"20180228","sap":2,"country":null}`, day)
	}
}
