package redash

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

func read(t testing.TB, name string) files.File {
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return files.File{Path: name, Text: string(text)}
}

// TestConvert: a query with its parameters and charts, and a dashboard with its layout and parameters; what is lost is named.
func TestConvert(t *testing.T) {
	b, left := Convert([]files.File{read(t, "dashboard.json"), read(t, "query.json")})
	var ids []string
	for _, q := range b.Queries {
		ids = append(ids, q.ID)
	}
	require.Equal(t, []string{"redash-41", "redash-43"}, ids)
	q := b.Queries[0].Doc
	require.Equal(t, "SELECT day, channel, clients, {{unknown}} -- about {{days}}\nFROM clients\n"+
		"WHERE day BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}\n  AND created = DATE {{a_date.dashed}}\n"+
		"  AND channel IN ({{channels}}) AND name LIKE ('%' || {{name}} || '%') AND os = {{os}}\nLIMIT {{most}}", q.SQL)
	require.Equal(t, []string{"usage", "weekly"}, q.Tags)
	require.Equal(t, []params.Parameter{
		{Name: "days", Title: "Days", Kind: params.Days, Default: "last 7 days"},
		{Name: "a_date", Title: "Created", Kind: params.Day, Default: "2018-03-01"},
		{Name: "channels", Title: "Channels", Kind: params.List, Default: []any{"release", "beta"},
			Choices: []string{"release", "beta", "nightly"}},
		{Name: "name", Title: "Name", Kind: params.Text, Default: "x"},
		{Name: "os", Title: "System", Kind: params.Text, Default: "Linux"},
		{Name: "most", Title: "Most", Kind: params.Number, Default: "100"},
		{Name: "unknown", Kind: params.Text},
	}, q.Parameters)
	require.Equal(t, &saved.Chart{Kind: "area", X: "day", Y: []string{"clients"}, Series: "channel", Stacked: true, Log: true}, q.Chart)
	require.Equal(t, []saved.Chart{{Kind: "bar", X: "channel", Y: []string{"clients"}}, {Kind: "number", Y: []string{"clients"}},
		{Kind: "funnel", X: "step", Y: []string{"n"}}, {Kind: "heatmap", X: "day", Series: "channel", Y: []string{"clients"}},
		{Kind: "bar", X: "channel", Y: []string{"clients", "hours"}, Right: []string{"hours"}, Horizontal: true, Share: true, Stacked: true},
	}, q.Charts)
	require.Equal(t, &saved.Chart{Kind: "number", Y: []string{"n"}}, b.Queries[1].Chart)
	day := time.Date(2018, 3, 8, 0, 0, 0, 0, time.UTC)
	x, err := params.Expand(params.Input{SQL: q.SQL, Declared: q.Parameters, Values: map[string]any{"unknown": "u"}, Today: day})
	require.NoError(t, err)
	require.Contains(t, x.SQL, "day BETWEEN '2018-03-01' AND '2018-03-07'\n  AND created = DATE '2018-03-01'\n"+
		"  AND channel IN ('release', 'beta') AND name LIKE ('%' || 'x' || '%') AND os = 'Linux'\nLIMIT 100")

	require.Len(t, b.Dashboards, 1)
	d := b.Dashboards[0].Doc
	require.Equal(t, "Clients", d.Title)
	require.Equal(t, []dashboard.Widget{
		{ID: "w91", Kind: dashboard.Text, Text: "# About\n\nthe *clients*", W: 12, H: 2},
		{ID: "w92", Kind: dashboard.Chart, Title: "By day", Query: "redash-41", Y: 2, W: 6, H: 8, Parameters: map[string]dashboard.WidgetValue{
			"a_date": {Parameter: "created"}, "name": {Value: "fox"}, "most": {Parameter: "most_w92"}}},
		{ID: "w93", Kind: dashboard.Chart, Title: "Shares", Query: "redash-41", Chart: 1, X: 6, Y: 2, W: 6, H: 8},
		{ID: "w94", Kind: dashboard.Number, Title: "Total", Query: "redash-43", X: 6, Y: 10, W: 6, H: 8},
	}, d.Widgets)
	names := map[string]dashboard.SharedParameter{}
	for _, p := range d.Parameters {
		names[p.Name] = p
	}
	require.Len(t, names, 9)
	require.Equal(t, "Days of all", names["days"].Title)
	require.Equal(t, "How many (By day)", names["most_w92"].Title)
	require.Equal(t, "redash-42", names["os"].Options)

	var all strings.Builder
	for _, l := range left {
		all.WriteString(l.Path + ": " + l.Message + "\n")
	}
	for _, want := range []string{
		"query.json: query 41: parameter unknown is not declared",
		"query.json: query 41: visualization \"Shares\": a pie is a chart of bars",
		"query.json: query 41: visualization \"Flow\": there is no kind SANKEY here: it is a table",
		"dashboard.json: query 43: parameter raw stands outside of quotes: it was a part of the SQL, and is a text now",
		"dashboard.json: query 44: want a text of 1 to 200000 characters",
		"dashboard.json: widget 95 is hidden",
		"dashboard.json: widget 96: query 44 could not be converted",
	} {
		require.Contains(t, all.String(), want)
	}
	require.Len(t, left, 7, all.String())
}

// TestForms: pages and lists of queries, and what is neither.
func TestForms(t *testing.T) {
	b, left := Convert([]files.File{{Path: "page.json", Text: `{"count": 2, "results": [{"id": 1, "name": "a", "query": "SELECT 1"}]}`},
		{Path: "list.json", Text: `[{"id": 2, "query": "SELECT {{#a}}1{{/a}}"}, {"id": 1, "name": "again", "query": "SELECT 2"}]`},
		{Path: "bad.json", Text: "{"}, {Path: "other.json", Text: "{}"},
		{Path: "finer.json", Text: `{"widgets": [{"id": 1, "text": "a", "options": {"position": {"col": 9, "row": 1, "sizeX": 3, "sizeY": 2}}},
			{"id": 2, "text": "b", "width": 2}]}`}})
	require.Len(t, b.Queries, 2)
	require.Equal(t, "Query 2", b.Queries[1].Title)
	require.Equal(t, []dashboard.Widget{{ID: "w1", Kind: dashboard.Text, Text: "a", X: 9, Y: 1, W: 3, H: 2},
		{ID: "w2", Kind: dashboard.Text, Text: "b", Y: 3, W: 12, H: 8}}, b.Dashboards[0].Widgets)
	require.Equal(t, "Dashboard 0", b.Dashboards[0].Title)
	require.Len(t, left, 4)
	require.Contains(t, left[0].Message, "unexpected end of JSON")
	require.Contains(t, left[1].Message, "neither a query nor a dashboard")
	require.Contains(t, left[2].Message, "tags of Mustache")
}

// FuzzConvert: no text stops the program, and what is converted can be stored.
func FuzzConvert(f *testing.F) {
	f.Add(read(f, "query.json").Text)
	f.Add(read(f, "dashboard.json").Text)
	f.Fuzz(func(t *testing.T, text string) {
		b, _ := Convert([]files.File{{Path: "a.json", Text: text}})
		for _, q := range b.Queries {
			require.NoError(t, q.Clean())
		}
		for _, d := range b.Dashboards {
			require.NoError(t, d.Clean())
		}
	})
}
