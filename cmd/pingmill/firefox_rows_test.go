package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gleanRows returns the rows of Glean tables that another program computed from the captured pings, by table.
func gleanRows(t *testing.T) map[string][]map[string]any {
	t.Helper()
	return rowsByTable(t, "expected_glean.ndjson")
}

var timestampForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?Z?$`)

// known returns a value without null members and without objects of such members alone, and with timestamps in one form.
func known(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := len(v)
		for name, member := range v {
			if v[name] = known(member); v[name] == nil || name == "user_agent" {
				delete(v, name)
			}
		}
		if all > 0 && len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = known(v[i])
		}
	case string:
		if m := timestampForm.FindStringSubmatch(v); m != nil {
			return m[1] + " " + m[2] + "." + (strings.TrimPrefix(m[3], ".") + "000000")[:6]
		}
	}
	return v
}

// equalGleanRows compares every cell of the tables that another program computed, but for the user agent.
func equalGleanRows(t *testing.T, data string) {
	t.Helper()
	for table, want := range gleanRows(t) {
		var got []map[string]any
		d := json.NewDecoder(strings.NewReader(mustCall(t, "query", "--data", data, "--format", "ndjson",
			"SELECT * FROM "+table+" WHERE submission_date BETWEEN '2026-11-21' AND '2026-11-22'")))
		d.UseNumber()
		for d.More() {
			var row map[string]any
			require.NoError(t, d.Decode(&row))
			got = append(got, row)
		}
		for _, rows := range [][]map[string]any{want, got} {
			for i := range rows {
				rows[i], _ = known(rows[i]).(map[string]any)
			}
		}
		equalRows(t, table, got, want)
	}
}
