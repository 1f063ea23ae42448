package query

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestTablesInSchemas: a table has a name in a schema in both dialects. One that is not granted is unknown like one that does
// not exist.
func TestTablesInSchemas(t *testing.T) {
	l := newLake(t)
	st := &schema.Table{Name: "app_shown", Dir: "app/shown", Version: "v1", PartitionKeys: []string{"day"}, Columns: []schema.Column{
		{Name: "n", Type: schema.MustType("long")}, {Name: "day", Type: schema.MustType("string")},
	}}
	require.Equal(t, []string{"app_shown_v1", "app.shown"}, st.Aliases())
	file := l.write(st, "day=20180301", row{"n": "1"}, row{"n": "2"})
	db := open(t, TableView(st, []string{file}))
	run := func(d Dialect, sql string) (string, error) {
		r, err := db.QueryJudged(t.Context(), d, sql)
		if err != nil {
			return "", err
		}
		defer r.Close()
		var out strings.Builder
		_, err = r.Write(&out, FormatNDJSON, WriteOptions{})
		return out.String(), err
	}
	for _, d := range []Dialect{Presto, DuckDB} {
		for _, name := range []string{"app_shown", "app.shown", `APP."shown"`} {
			got, err := run(d, "SELECT sum(n) AS s FROM "+name+" AS x WHERE x.day = '20180301'")
			require.NoError(t, err, "%v: %s", d, name)
			require.Contains(t, got, "3", "%v: %s", d, name)
		}
		messages := map[string]bool{}
		for _, name := range []string{"hidden", "absent"} { // neither is granted, and one exists elsewhere
			_, err := run(d, "SELECT 1 FROM app."+name)
			require.Error(t, err)
			messages[strings.ReplaceAll(err.Error(), name, "T")] = true
		}
		require.Len(t, messages, 1, "%v: %v", d, messages)
	}
}
