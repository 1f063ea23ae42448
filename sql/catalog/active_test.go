package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
)

// TestActiveUsers queries the view of the clients that count as active, by all of its names and in both dialects.
func TestActiveUsers(t *testing.T) {
	s := sitetest.Glean(t)
	all, err := glean.Firefox()
	require.NoError(t, err)
	s.Tables = append(s.Tables, all["firefox-desktop"].Tables()...)
	publish := func(name string, rows []map[string]any) {
		lt, err := s.Table(name)
		require.NoError(t, err)
		for i, row := range rows {
			row["client_id"] = fmt.Sprintf("00000000-0000-4000-8000-%012x", i)
			row["locale"], row["first_seen_date"], row["app_display_version"] = "en-US", "2026-10-01", "153.7.0esr"
			if bits, ok := row["days_desktop_active_bits"]; ok && bits == 1 {
				row["days_since_desktop_active"] = 0
			}
			for name, v := range row {
				if n, is := v.(int); is {
					row[name] = json.Number(strconv.Itoa(n))
				}
			}
		}
		sitetest.Publish(t, lt, "20261121", "g1", "p", rows)
	}
	publish("firefox_desktop_baseline_clients_last_seen", []map[string]any{
		{"days_seen_bits": 1, "days_active_bits": 1, "days_desktop_active_bits": 1, "days_since_seen": 0},
		{"days_seen_bits": 128, "days_desktop_active_bits": 128, "days_since_seen": 7, "days_since_desktop_active": 7, "country": "DE",
			"city": "Ulm"},
		{"days_seen_bits": 1, "days_active_bits": 0, "days_desktop_active_bits": 0, "days_since_seen": 0},
	})
	publish(sitetest.GleanTables+"baseline_clients_last_seen", []map[string]any{
		{"days_seen_bits": 1, "days_active_bits": 16383, "days_since_seen": 0, "days_since_active": 0},
	})
	const columns = "activity_segment, is_dau, is_wau, is_mau, is_daily_user, is_weekly_user, is_monthly_user, country, city, locale, " +
		"first_seen_year, " +
		"app_version_major, app_version_minor, app_version_patch"
	want := map[string][]string{
		"firefox_desktop": {
			"infrequent_user true true true true true true ?? ?? en 2026 153 7 0",
			"infrequent_user false false true false false true DE Ulm en 2026 153 7 0",
			"other false false false true true true ?? ?? en 2026 153 7 0",
		},
		"app_test": {"regular_user true true true true true true ?? ?? en 2026 153 7 0"},
	}
	for app, rows := range want {
		for _, name := range []string{app + "_active_users", app + ".active_users", app + "_active_users_v1"} {
			for _, d := range []query.Dialect{query.DuckDB, query.Presto} {
				sql := "SELECT " + columns + " FROM " + name + " WHERE submission_date = '2026-11-21' ORDER BY client_id"
				require.Equal(t, rows, answers(t, s, d, sql), "%s %s", name, d)
			}
		}
	}
	limited := readerOf(func(t *schema.Table) ([]string, bool) { return []string{"client_id"}, true })
	require.Empty(t, func() (names []string) {
		for _, v := range Tables(s.Tables, limited) {
			if v.From != "" {
				names = append(names, v.Name)
			}
		}
		return names
	}(), "a view reads columns that are not granted")
}

// answers asks a query of an installation, as a worker does, and returns the rows as texts with blanks between the values.
func answers(t *testing.T, s *site.Site, d query.Dialect, sql string) (rows []string) {
	t.Helper()
	db, err := Open(t.Context(), s, query.Options{TempDir: t.TempDir(), Threads: 1})
	require.NoError(t, err)
	defer db.Close()
	got, err := db.QueryJudged(t.Context(), d, sql)
	require.NoError(t, err, sql)
	defer got.Close()
	var out bytes.Buffer
	_, err = got.Write(&out, query.FormatCSV, query.WriteOptions{})
	require.NoError(t, err, sql)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range lines[1:] {
		rows = append(rows, strings.ReplaceAll(line, ",", " "))
	}
	return rows
}
