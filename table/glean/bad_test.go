package glean

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// many returns n members, each with its number.
func many(n int, member string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(member, i)
	}
	return strings.Join(all, ",")
}

// TestUndefinedMetrics: metrics without definitions stay in additional_properties, up to its bound; beyond it the value is counted.
func TestUndefinedMetrics(t *testing.T) {
	table := everyType(t)
	some := `{"metrics":{"counter":{"a.x":7,` + many(20_000, `"b.m%d":1`) + `}}}`
	row, leftOut, err := rowOf(t, table, some)
	require.NoError(t, err)
	require.Empty(t, leftOut)
	whole(t, some, row)
	all := `{"metrics":{"counter":{"a.x":7,` + many(100_000, `"b.metric_%d":1`) + `}}}`
	row, leftOut, err = rowOf(t, table, all)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{glean.Rest: 1}, leftOut)
	require.Nil(t, row[glean.Rest])
	require.EqualValues(t, "7", fmt.Sprint(asObject(asObject(row[glean.Metrics])["counter"])["a_x"]))
}

// TestManyLabels: a metric with more labels than a map may have stays in additional_properties as a whole.
func TestManyLabels(t *testing.T) {
	table := everyType(t)
	for n, left := range map[int]bool{maxElements: false, maxElements + 1: true, 3 * maxElements: true} {
		document := `{"metrics":{"labeled_counter":{"a.x":{` + many(n, `"l%d":1`) + `}},"dual_labeled_counter":{"a.x":{"k":{` +
			many(n, `"l%d":1`) + `}}}}}`
		row, leftOut, err := rowOf(t, table, document)
		require.NoError(t, err)
		require.Empty(t, leftOut)
		require.Equal(t, left, row[glean.Rest] != nil, n)
		whole(t, document, row)
	}
}

// TestManyEvents takes 500 events with 50 extras each, and events beyond the bound as a whole.
func TestManyEvents(t *testing.T) {
	table := everyType(t)
	event := `{"timestamp":%d,"category":"c","name":"n","extra":{` + strings.ReplaceAll(many(50, `"k%d":"v"`), "%", "%%") + `}}`
	document := `{"events":[` + many(500, event) + `]}`
	row, leftOut, err := rowOf(t, table, document)
	require.NoError(t, err)
	require.Empty(t, leftOut)
	require.Nil(t, row[glean.Rest])
	require.Len(t, row[glean.Events], 500)
	whole(t, document, row)
	document = `{"events":[` + many(maxElements+1, `{"timestamp":%d,"category":"c","name":"n"}`) + `]}`
	row, _, err = rowOf(t, table, document)
	require.NoError(t, err)
	require.NotNil(t, row[glean.Rest])
	whole(t, document, row)
}

// TestCollidingNames: of metrics whose names give one column the defined one has it. Of built-in metrics, which are known by
// their columns, the first one in the ping has it.
func TestCollidingNames(t *testing.T) {
	document := `{"metrics":{"counter":{"a_x":1,"a.x":2,"a..x":3,"aX":4}}}`
	row, _, err := rowOf(t, everyType(t), document)
	require.NoError(t, err)
	require.EqualValues(t, "2", fmt.Sprint(asObject(asObject(row[glean.Metrics])["counter"])["a_x"]))
	whole(t, document, row)

	defs, err := glean.Firefox()
	require.NoError(t, err)
	table, err := schema.Find(defs.Tables(), "firefox_desktop_baseline")
	require.NoError(t, err)
	row, _, err = rowOf(t, table, `{"metrics":{"counter":{"browser_engagement.uri_count":5,"browser.engagement.uri_count":6}}}`)
	require.NoError(t, err)
	require.EqualValues(t, "5", fmt.Sprint(asObject(asObject(row[glean.Metrics])["counter"])["browser_engagement_uri_count"]))
	require.Empty(t, differ("", map[string]any{"metrics": map[string]any{"counter": map[string]any{"browser.engagement.uri_count": "6"}}},
		asTexts(row[glean.Rest]), false))
}

// asTexts returns a value with numbers as texts.
func asTexts(v any) any {
	m, is := v.(map[string]any)
	if !is {
		return fmt.Sprint(v)
	}
	out := map[string]any{}
	for name, member := range m {
		out[name] = asTexts(member)
	}
	return out
}

// TestDeepNesting: nesting of any depth is an error or a text, and takes no stack.
func TestDeepNesting(t *testing.T) {
	table := everyType(t)
	for _, depth := range []int{100, 10_000, 200_000} {
		value := strings.Repeat(`{"a":[`, depth) + strings.Repeat(`]}`, depth)
		document := `{"metrics":{"object":{"a.x":` + value + `},"counter":{"a.x":` + value + `}},"other":` + value + `}`
		if err := ping.Validate([]byte(document)); err != nil {
			require.ErrorContains(t, err, "levels")
			continue // decoding rejects it
		}
		row, leftOut, err := valueOf(t, table, document)
		require.NoError(t, err)
		if len(leftOut) == 0 {
			require.Equal(t, value, row["object"], depth)
			require.Equal(t, `{"metrics":{"counter":{"a.x":`+value+`}},"other":`+value+`}`, row[glean.Rest], depth)
		}
	}
}

// valueOf returns the texts of the object a.x and of additional_properties in the row of a document.
func valueOf(t *testing.T, table *schema.Table, document string) (texts map[string]string, leftOut map[string]int64, err error) {
	t.Helper()
	var meta ping.Meta
	meta.SetText(ping.DocumentID, []byte("00000000-0000-4000-8000-000000000001"))
	out := column.NewBatch(table.Columns)
	if _, err := NewPings(table).Append(out, &meta, []byte(document)); err != nil {
		return nil, nil, err
	}
	out.Finish()
	in := newRows(out)
	return map[string]string{
		"object":   string(in.text(glean.Metrics, "object", "a_x").value(0)),
		glean.Rest: string(in.text(glean.Rest).value(0)),
	}, out.LeftOut(), nil
}

// TestManyColumns makes a row of a ping with 20,000 defined metrics.
func TestManyColumns(t *testing.T) {
	defs := glean.Definitions{"app": {ID: "app", Pings: []*glean.Ping{{Name: "one"}}}}
	for i := range 20_000 {
		defs["app"].Metrics = append(defs["app"].Metrics,
			&glean.Metric{ID: fmt.Sprintf("a.m%d", i), Type: types[i%len(types)], Pings: []string{"one"}})
	}
	table, err := schema.Find(defs.Tables(), "app_one")
	require.NoError(t, err)
	document := `{"metrics":{"counter":{"a.m1":1,"a.m26":2},"boolean":{"a.m0":true}}}`
	row, _, err := rowOf(t, table, document)
	require.NoError(t, err)
	require.Nil(t, row[glean.Rest])
	counters := asObject(asObject(row[glean.Metrics])["counter"])
	require.Equal(t, "1 2 <nil>\n", fmt.Sprintln(counters["a_m1"], counters["a_m26"], counters["a_m51"]))
}
