package examples

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// TestParse: all examples are SQL of Presto with the parameters that they declare, and each has what a page shows of it.
func TestParse(t *testing.T) {
	day := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	names := map[string]bool{}
	for _, e := range All {
		sql, err := e.Query(Days{day, day.AddDate(0, 0, 6)})
		require.NoError(t, err)
		_, err = syntax.Parse(sql)
		require.NoError(t, err, e.Name)
		found, err := params.Find(e.SQL, params.Presto)
		require.NoError(t, err)
		require.Len(t, found, len(e.Parameters), e.Name)
		require.NoError(t, params.Check(e.Parameters))
		require.NotNil(t, e.Chart, e.Name)
		require.NotEmpty(t, e.Title+e.Description, e.Name)
		require.NotEmpty(t, e.Tags, e.Name)
		require.False(t, names[e.Name], e.Name)
		names[e.Name] = true
	}
	require.Len(t, Saved(nil), len(All))
}

var update = flag.Bool("update", false, "write the list of examples into the documentation")

// TestDocs: the documentation has the list of the examples.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../../docs/saved-queries.md", "<!-- examples -->\n", "<!-- end -->"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	var b strings.Builder
	b.WriteString(before + begin + "| id | question | tags |\n|---|---|---|\n")
	for _, e := range All {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.Name, e.Title, strings.Join(e.Tags, ", "))
	}
	for _, e := range gleanExamples {
		fmt.Fprintf(&b, "| `APP-%s` | %s | %s |\n", e.Name, strings.ReplaceAll(e.Title, "$app", "a Glean application"),
			strings.Join(e.Tags, ", "))
	}
	b.WriteString(end + after)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	require.Equal(t, b.String(), string(text), "run go test ./query/examples -run TestDocs -update")
}
