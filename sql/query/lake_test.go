package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// lake is a directory of parquet files that tests write with DuckDB.
type lake struct {
	t    testing.TB
	root string
	db   *DB
	main *schema.Table
}

func newLake(t testing.TB) *lake { return lakeIn(t, t.TempDir()) }

func lakeIn(t testing.TB, root string) *lake {
	t.Helper()
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	return &lake{t, root, open(t), schema.MainSummary(probes)}
}

// shared is a lake of days that tests only read.
var shared struct {
	sync.Once
	root  string
	views []View
}

func sharedDays(t testing.TB) []View {
	t.Helper()
	shared.Do(func() { shared.views = lakeIn(t, shared.root).days() })
	return shared.views
}

func TestMain(m *testing.M) {
	root, err := os.MkdirTemp("", "query-test-")
	if err != nil {
		panic(err)
	}
	shared.root = root
	status := m.Run()
	_ = os.RemoveAll(root)
	os.Exit(status)
}

// row gives the columns that are not null, as SQL.
type row map[string]string

// write makes one file of a partition with all the table's columns, those of
// the partition included.
func (l *lake) write(table *schema.Table, partition string, rows ...row) string {
	l.t.Helper()
	values := row{}
	for part := range strings.SplitSeq(partition, "/") {
		key, value, _ := strings.Cut(part, "=")
		values[key] = quoteText(value)
	}
	selects := make([]string, len(rows))
	for i, r := range rows {
		cells := make([]string, len(table.Columns))
		for j, c := range table.Columns {
			value := "NULL"
			if v, ok := values[c.Name]; ok {
				value = v
			}
			if v, ok := r[c.Name]; ok {
				value = v
			}
			cells[j] = fmt.Sprintf("CAST(%s AS %s) AS %s", value, DuckDBType(c.Type), quoteName(c.Name))
		}
		selects[i] = "SELECT " + strings.Join(cells, ", ")
	}
	return l.copy(table.Prefix()+"/"+partition+"/part-0.parquet", strings.Join(selects, " UNION ALL "))
}

// copy writes what a query gives to a file of the lake.
func (l *lake) copy(path, sql string) string {
	l.t.Helper()
	path = filepath.Join(l.root, path)
	require.NoError(l.t, os.MkdirAll(filepath.Dir(path), 0o755))
	values(l.t, l.db, "COPY ("+sql+") TO "+quoteText(path)+" (FORMAT parquet)")
	return path
}

// garbage puts something else in place of a file.
func (l *lake) garbage(path string) {
	l.t.Helper()
	require.NoError(l.t, os.WriteFile(path, []byte("this is not parquet, but long enough to be read"), 0o644))
}

// days fills clients_daily, crash_summary and main_summary with two or three
// days; addons stays empty.
func (l *lake) days() []View {
	daily, crash := schema.ClientsDaily(), schema.CrashSummary()
	client := func(id, channel, created, pings string) row {
		return row{"client_id": quoteText(id), "normalized_channel": channel, "profile_creation_date": created,
			"pings_aggregated_by_this_row": pings, "scalar_parent_browser_engagement_total_uri_count_sum": pings}
	}
	const cohort, older = "'2018-03-01 00:00:00'", "'2017-01-15 00:00:00'"
	dailyFiles := []string{
		l.write(daily, "submission_date_obj=20180301",
			client("a", "'release'", cohort, "3"), client("b", "'release'", cohort, "99"),
			client("c", "'beta'", cohort, "50"), client("d", "'beta'", older, "NULL")),
		l.write(daily, "submission_date_obj=20180302",
			client("a", "'release'", cohort, "51"), client("c", "'beta'", cohort, "2"), client("d", "'beta'", older, "2")),
		l.write(daily, "submission_date_obj=20180303",
			client("a", "'release'", cohort, "60"), client("b", "'release'", cohort, "80"),
			client("d", "'beta'", older, "NULL"), client("e", "'Other'", "NULL", "1"), client("f", "NULL", "NULL", "1")),
	}
	crashed := func(application, compositor, process string) row {
		payload := "CAST({'crashDate': '2018-03-01', 'processType': " + process +
			", 'hasCrashEnvironment': true, 'metadata': MAP{'a': 'b'}, 'version': 1} AS " + DuckDBType(crash.Columns[crash.Index("payload")].Type) +
			")"
		return row{"application": application, "gfx_compositor": compositor, "payload": payload, "profile_created": "17000"}
	}
	crashFiles := []string{
		l.write(crash, "submission_date=2018-03-01", crashed("'Firefox'", "'d3d11'", "NULL"), crashed("'Firefox'", "'d3d11'", "'main'"),
			crashed("'Firefox'", "'d3d11'", "'content'"), crashed("'Fennec'", "'d3d11'", "NULL")),
		l.write(crash, "submission_date=2018-03-02", crashed("'Firefox'", "NULL", "'main'"),
			row{"application": "'Firefox'", "gfx_compositor": "'basic'"}),
	}
	var mainFiles []string
	for _, day := range []string{"20180301", "20180302"} {
		for i, sample := range []string{"4", "42", "99"} {
			mainFiles = append(mainFiles, l.write(l.main, "submission_date_obj="+day+"/sample_id="+sample,
				row{"document_id": quoteText(day + sample + "a"), "client_id": "'c'", "timestamp": "1504689165972861952",
					"submission_date": quoteText(day),
					"search_counts": fmt.Sprintf(
						"[{'engine': 'google', 'source': 'urlbar', 'count': %d}, {'engine': 'bing', 'source': 'searchbar', 'count': 1}]", i+1),
					"popup_notification_stats":                         "MAP{'addon': {'offered': 1}, 'web': {'offered': 2}}",
					"active_addons":                                    "[{'addon_id': 'x@y', 'name': 'X', 'scope': 1}]",
					"experiments":                                      "MAP{'e1': 'b1', 'e2': NULL}",
					"keyed_string_addon_scalars":                       "MAP{'test_x': MAP{'k': 'v'}}",
					"client_submission_date":                           "'Tue, 27 Sep 2016 16:28:23 GMT'",
					"creation_date":                                    "'2017-09-06T08:21:36.002Z'",
					"subsession_start_date":                            "'2017-09-06T00:00:00.0+02:00'",
					"subsession_length":                                "599",
					"profile_creation_date":                            "17500",
					"scalar_parent_browser_engagement_total_uri_count": fmt.Sprint(4 + i)},
				row{"document_id": quoteText(day + sample + "b"), "timestamp": "1", "submission_date": quoteText(day)}))
		}
	}
	return []View{TableView(daily, dailyFiles), TableView(crash, crashFiles), TableView(l.main, mainFiles), TableView(schema.Addons(), nil)}
}
