package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

func example() Bundle {
	return Bundle{
		Dashboards: []Dashboard{{"use", "ann", dashboard.Doc{
			Title: "Use: of 20180301", Description: "two\nlines\n", Tags: []string{"a", "true"}, Refresh: 300,
			Parameters: []dashboard.SharedParameter{{Parameter: params.Parameter{Name: "day", Kind: params.Day, Default: "20180301"}},
				{Parameter: params.Parameter{Name: "os", Kind: params.List, Default: []any{"Linux", "1"}}, Options: "systems"}},
			Widgets: []dashboard.Widget{
				{ID: "a", Kind: dashboard.Chart, Query: "q1", Chart: 1, W: 6, H: 4,
					Parameters: map[string]dashboard.WidgetValue{"d": {Parameter: "day"}, "n": {Value: 1.5}, "s": {Value: "2018-03-01"}}},
				{ID: "b", Kind: dashboard.Text, Text: "# Title\n\n- *point* */ end", Y: 4, W: 12, H: 2},
			},
		}}},
		Queries: []Query{{"q1", "", saved.Doc{Title: "A */ query", Description: "ends */ and\nbegins /*", SQL: "\nSELECT {{d}}\n  -- end\n\n",
			Dialect: params.Presto, Chart: &saved.Chart{Kind: "line", X: "day", Y: []string{"no"}},
			Parameters: []params.Parameter{{Name: "d", Kind: params.Day, Default: "newest-6"}}}}},
	}
}

// TestFiles: files are read as what was written, also with the line ends of other systems.
func TestFiles(t *testing.T) {
	want := example()
	all, err := want.Files()
	require.NoError(t, err)
	require.Equal(t, "dashboards/use.yaml", all[0].Path)
	require.Equal(t, `owner: ann
title: 'Use: of 20180301'
description: |
  two
  lines
tags: [a, "true"]
parameters:
  - name: day
    kind: day
    default: "20180301"
  - name: os
    kind: list
    default: [Linux, "1"]
    options: systems
refresh: 300
widgets:
  - id: a
    kind: chart
    query: q1
    chart: 1
    x: 0
    y: 0
    w: 6
    h: 4
    parameters:
      d:
        parameter: day
      n:
        value: 1.5
      s:
        value: "2018-03-01"
  - id: b
    kind: text
    text: "# Title\n\n- *point* */ end"
    x: 0
    y: 4
    w: 12
    h: 2
`, all[0].Text)
	require.Equal(t, 1, strings.Count(all[1].Text, "*/")) // the text is a comment and SQL
	got, problems := Read(all)
	require.Empty(t, problems)
	want.Dashboards[0].Description = "two\nlines" // as it is stored
	require.Equal(t, want, got)
	all[1].Text = strings.ReplaceAll(all[1].Text, "\n", "\r\n")
	got, problems = Read(all)
	require.Empty(t, problems)
	require.Equal(t, want.Queries, got.Queries)
}

// TestProblems: what is wrong with a file is said, and other files are read.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"title: [":                         "no YAML",
		"title: a\n---\ntitle: b\n":        "more than one document",
		"title: &a b\ndescription: *a\n":   "line 1: anchors and aliases are not possible",
		"titel: a\n":                       `unknown field "titel"`,
		"title: 1\n":                       "title cannot be a number",
		"title: a\n1: b\n":                 "a name that is no text",
		"title: a\nwidgets: {a: b}\n":      "widgets cannot be a object",
		"title: a\nwidgets: [{id: A B}]\n": "no id of a widget",
		"":                                 "no YAML",
		strings.Repeat("[", 40):            "no YAML",
		"a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40): "nested too deeply",
		strings.Repeat("#", maxFile+1):                            "larger than",
	} {
		b, problems := Read([]File{{"dashboards/x.yaml", text}, {"dashboards/y.yml", "title: good\n"}})
		require.Len(t, problems, 1, text)
		require.Contains(t, problems[0].Message, want)
		require.Equal(t, "dashboards/x.yaml", problems[0].Path)
		require.Len(t, b.Dashboards, 1)
	}
	for text, want := range map[string]string{
		"SELECT 1":                 "want YAML with a title",
		"/*---\ntitle: a\n---*/\n": "want a text of 1 to 200000 characters",
		"/*---\ntitle: a\nsql: x\n---*/\nSELECT 1": "its SQL follows the YAML",
		"/*---\ntitle: a\n---*/\nSELECT {{a b}}":   "line 1",
	} {
		_, err := ReadQuery(text)
		require.ErrorContains(t, err, want)
	}
	for _, name := range []string{"../x.txt", "queries/.sql", "queries/A b.sql", "x", "queries/" + strings.Repeat("a", 65) + ".sql"} {
		_, problems := Read([]File{{name, "title: a\n"}})
		require.Contains(t, problems[0].Message, "want ID.yaml", name)
	}
	_, problems := Read([]File{{"a/x.yaml", "title: a\n"}, {"b/x.yaml", "title: a\n"}})
	require.Contains(t, problems[0].Message, "the same id")
}

// FuzzRead: no text stops the program, and what is read is written as a file that is read as the same.
func FuzzRead(f *testing.F) {
	b := example()
	all, err := b.Files()
	require.NoError(f, err)
	for _, file := range all {
		f.Add(file.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ReadDashboard(text); err == nil {
			written, err := d.Text()
			require.NoError(t, err)
			again, err := ReadDashboard(written)
			require.NoError(t, err, written)
			require.Equal(t, d, again)
		}
		if q, err := ReadQuery(text); err == nil {
			written, err := q.Text()
			require.NoError(t, err)
			again, err := ReadQuery(written)
			require.NoError(t, err, written)
			require.Equal(t, q, again)
		}
	})
}
