package glean

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestIDs: every table of Firefox marks its ids, and each text that a client sent, which may have one.
func TestIDs(t *testing.T) {
	defs, err := Firefox()
	require.NoError(t, err)
	tables := defs.Tables()
	require.Greater(t, len(tables), 50)
	want := map[string][]string{
		"firefox_desktop_baseline":                      {"client_id"},
		"firefox_desktop_baseline_clients_daily":        {"client_id", "legacy_telemetry_client_id"},
		"firefox_desktop_baseline_clients_first_seen":   {"client_id", "legacy_telemetry_client_id"},
		"firefox_desktop_baseline_clients_last_seen":    {"client_id", "legacy_telemetry_client_id"},
		"firefox_desktop_crashes":                       {"client_id"},
		"firefox_desktop_events_stream":                 {"client_id", "legacy_telemetry_client_id"},
		"firefox_desktop_usage_reporting_clients_daily": {"usage_profile_id"},
	}
	for _, st := range tables {
		if ids, ok := want[st.Name]; ok {
			require.ElementsMatch(t, ids, st.IDs(), st.Name)
			delete(want, st.Name)
		}
		for i := range st.Columns {
			c := &st.Columns[i]
			sent := c.Name != "metadata" && c.Name != "submission_date" && c.Name != "document_id" && c.Name != "document_type" &&
				!strings.HasPrefix(c.Name, "normalized_")
			require.Equal(t, sent && c.Type.HasText(), c.ID || c.Mentions, "%s: %s", st.Name, c.Name)
			if c.Name == Metrics && c.Type.Kind == schema.Struct {
				idsOf(t, st.Name, c)
			}
		}
	}
	require.Empty(t, want)
}

// idsOf checks the marks of the metrics of a ping: those of type uuid are ids.
func idsOf(t *testing.T, table string, metrics *schema.Column) {
	t.Helper()
	for _, typ := range metrics.Type.Fields {
		for _, f := range typ.Type.Fields {
			require.Equal(t, typ.Name == "uuid", f.ID, "%s: %s.%s", table, typ.Name, f.Name)
		}
	}
}
