package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

var mixedDays = []string{"20180301", "20180302", "20180303", "20180304"}

// mixed publishes four days of a table: the first and the third in two files of one row, which get compact and narrow
// ones; the others in one file without these, as days have that are not over or whose compact file is damaged.
func mixed(t *testing.T, s *site.Site, table string) {
	t.Helper()
	lt, err := s.Table(table)
	require.NoError(t, err)
	for i, day := range mixedDays {
		row := map[string]any{"client_id": "c" + day}
		for _, c := range lt.Schema.Columns {
			if _, set := row[c.Name]; c.NotNull && !set {
				row[c.Name] = map[bool]any{true: "x", false: json.Number("1")}[c.Type.Kind == schema.String]
			}
		}
		row[lt.Schema.PartitionKeys[0]] = lt.Schema.PartitionValue(day)
		parts := []string{"", ""}[i%2:]
		if len(lt.Schema.PartitionKeys) > 1 {
			parts = []string{"sample_id=7", "sample_id=7"}[i%2:]
			row["sample_id"] = "7"
		}
		m := sitetest.PublishFiles(t, lt, day, "aaaa"+day, parts, []map[string]any{row})
		require.Equal(t, i%2 == 0, len(m.Compact) > 0, "the rule for compact files is another")
	}
}

// workerRows returns the rows of a query in a process of its own.
func workerRows(t *testing.T, s *site.Site, r *worker.Runner, d query.Dialect, sql string) string {
	t.Helper()
	q, err := Request(t.Context(), s, d, sql)
	require.NoError(t, err)
	q.Format, q.Limits.Threads = query.FormatCSV, 1
	var out bytes.Buffer
	_, err = r.Run(t.Context(), q, &out, nil)
	require.NoError(t, err, "%s: %s", d, sql)
	_, rows, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	return strings.Join(strings.Fields(rows), " ")
}

// TestMixedDays: queries read days with narrow files together with days without them, on a disk and in a bucket, in both dialects, and of
// several tables at once.
func TestMixedDays(t *testing.T) {
	const each = "20180301,2 20180302,1 20180303,2 20180304,1"
	disk, _ := publishingSite(t)
	bucket, _ := bucketSite(t)
	r := &worker.Runner{Temp: t.TempDir()}
	defer r.Close()
	for name, s := range map[string]*site.Site{"disk": disk, "bucket": bucket} {
		for _, table := range []string{"main_summary", "clients_daily", "search_clients_daily"} {
			mixed(t, s, table)
			key := "submission_date_obj"
			for sql, want := range map[string]string{
				"SELECT %[2]s, count(client_id) FROM %[1]s GROUP BY 1 ORDER BY 1":                                                each,
				"SELECT count(*) FROM %[1]s":                                                                                     "6",
				"SELECT max(client_id) FROM %[1]s WHERE %[2]s >= '20180302'":                                                     "c20180304",
				"SELECT count(*) FROM (SELECT * FROM %[1]s) AS t WHERE %[2]s IN ('20180301', '20180302')":                        "3",
				"SELECT count(*) FROM %[1]s a JOIN %[1]s b ON a.client_id = b.client_id WHERE a.%[2]s > '20180301'":              "6",
				"SELECT count(*) FROM %[1]s JOIN main_summary AS m USING (client_id)":                                            "10",
				"SELECT %[2]s FROM %[1]s WHERE client_id = 'c20180302' UNION ALL SELECT max(%[2]s) FROM %[1]s":                   "20180302 20180304",
				"SELECT a.%[2]s, count(a.client_id) FROM %[1]s a WHERE EXISTS (SELECT 1 FROM %[1]s) GROUP BY a.%[2]s ORDER BY 1": each,
			} {
				for _, d := range []query.Dialect{query.Presto, query.DuckDB} {
					sql := fmt.Sprintf(sql, table, key)
					require.Equal(t, want, workerRows(t, s, r, d, sql), "%s, %s: %s", name, d, sql)
				}
			}
		}
	}
}
