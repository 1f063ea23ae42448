package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
)

// unlisted are functions that duckdb_functions() does not name.
var unlisted = strings.Fields("coalesce if ifnull percentile_cont percentile_disc")

// TestGateLists: somebody has looked at every function of this DuckDB, and what the gate's lists name is there.
func TestGateLists(t *testing.T) {
	db := open(t)
	require.NoError(t, db.register(t.Context(), strings.Join(gate.Functions(), " ")))
	conn, err := db.connect(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	rows, err := texts(t.Context(), conn,
		"SELECT DISTINCT lower(function_name), function_type FROM duckdb_functions() WHERE internal ORDER BY ALL")
	require.NoError(t, err)
	there := map[string]bool{}
	for _, row := range rows {
		name, kind := row[0], row[1]
		there[name] = true
		if _, _, known := gate.Named(name); !known && kind != "pragma" { // a query cannot name a pragma
			t.Errorf("%s %s is on no list of package gate: allow or refuse it", kind, name)
		}
	}
	names := gate.Functions()
	for name := range gate.Refused() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if there[name] == slices.Contains(unlisted, name) {
			t.Errorf("%s is on a list of package gate, and there is no such function", name)
		}
	}
}

// TestGateRefusesByName: what is on the list of refused functions is refused in every place.
func TestGateRefusesByName(t *testing.T) {
	db := open(t)
	for name := range gate.Refused() {
		for _, sql := range []string{"SELECT %s('x')", "SELECT x FROM (SELECT 'a' x) ORDER BY main.%s(x)", "SELECT 'x'.%s()",
			"SELECT count(*) FILTER (%s(1)) OVER ()", "FROM (VALUES (%s()))"} {
			_, err := db.Gate(t.Context(), strings.ReplaceAll(sql, "%s", `"`+name+`"`), gate.Grants{})
			if err == nil {
				t.Errorf("%s: %s", name, sql)
			}
		}
	}
}
