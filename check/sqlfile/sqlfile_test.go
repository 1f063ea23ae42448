package sqlfile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/check/sqlfile"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store"
)

const day = "20180301"

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

func probes(t *testing.T) *schema.Probes {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	return p
}

// folder writes files and returns where.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "checks [1]")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestLoad(t *testing.T) {
	tables := schema.NewSet(probes(t)).Tables
	dir := folder(t, map[string]string{
		"b_country.clients_daily.warning.sql": "-- doc: a country\n\nSELECT client_id FROM clients_daily WHERE submission_date_obj = " +
			"'{day}' AND country IS NULL",
		"a_crash.sql": "-- severity: error\n--table:crash_summary\n-- note: nothing\nSELECT 1 FROM crash_summary_v1 WHERE submission_date = " +
			"'{date}' AND cardinality(experiments) > 5",
		"README.md": "not a check",
	})
	checks, err := sqlfile.Load(context.Background(), dir, tables, check.All(tables), &worker.Runner{})
	if err != nil || len(checks) != 2 {
		t.Fatalf("%d checks, %v", len(checks), err)
	}
	a, b := checks[0], checks[1]
	if a.Name != "a_crash" || a.Table != "crash_summary" || a.Severity != check.Error || a.Rule != "the query returns no rows" {
		t.Errorf("%+v", a)
	}
	if b.Name != "b_country" || b.Table != "clients_daily" || b.Severity != check.Warning || b.Rule != "a country" {
		t.Errorf("%+v", b)
	}
}

func TestRefusedFiles(t *testing.T) {
	tables := schema.NewSet(probes(t)).Tables
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("canary"), 0o600))
	const good = "SELECT client_id FROM clients_daily"
	for _, c := range []struct{ name, text, want string }{
		{"a.clients_daily.error.sql", "SELEKT 1", "Parser Error"},
		{"a.clients_daily.error.sql", "-- dialect: duckdb\nSELECT content FROM read_text('" + secret + "')", "read_text"},
		{"a.clients_daily.error.sql", "-- dialect: spark\nSELECT 1", `no dialect "spark"`},
		{"a.clients_daily.error.sql", "", "empty"},
		{"a.clients_daily.error.sql", "SELECT 1 FROM clients_dayly", "did you mean clients_daily?"},
		{"a.clients_daily.error.sql", "SELECT clientid FROM clients_daily", "clientid"},
		{"a.clients_dayly.error.sql", good, "clients_dayly"},
		{"a.clients_daily.fatal.sql", good, `read severity "fatal"`},
		{"a.clients_daily.sql", good, "its name is neither"},
		{"A-1.clients_daily.error.sql", good, "small letters"},
		{"a.sql", good, "which table"},
		{"a.sql", "-- table: addons\n" + good, "how severe"},
		{"a.addons.error.sql", "-- table: clients_daily\n" + good, "it says table addons and clients_daily"},
		{"addons_cover.addons.error.sql", good, "another check, from the checks of the tables"},
	} {
		_, err := sqlfile.Load(context.Background(), folder(t, map[string]string{c.name: c.text}), tables, check.All(tables), &worker.Runner{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s %q: %v", c.name, c.text, err)
		}
	}
	_, err := sqlfile.Load(context.Background(), folder(t, map[string]string{"a.addons.error.sql": "x", "b.addons.error.sql": "y"}), tables,
		nil, &worker.Runner{})
	if err == nil || !strings.Contains(err.Error(), "a.addons") || !strings.Contains(err.Error(), "b.addons") {
		t.Errorf("two bad files: %v", err)
	}
	two := map[string]string{"a.addons.error.sql": "SELECT 1", "a.clients_daily.error.sql": "SELECT 1"}
	if _, err := sqlfile.Load(context.Background(), folder(t, two), tables, nil, &worker.Runner{}); err == nil ||
		!strings.Contains(err.Error(), "another check, from") {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := sqlfile.Load(context.Background(), folder(t, nil), tables, nil, &worker.Runner{}); err == nil ||
		!strings.Contains(err.Error(), "no file that ends in .sql") {
		t.Errorf("no files: %v", err)
	}
	if _, err := sqlfile.Load(context.Background(), filepath.Join(t.TempDir(), "none"), tables, nil, &worker.Runner{}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func openSite(t *testing.T) *site.Site {
	t.Helper()
	s, err := site.Open(context.Background(), filepath.Join(t.TempDir(), "data"), schema.NewSet(probes(t)))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// places gives a test an installation on the local disk, and one with its tables in a bucket.
func places(t *testing.T, do func(t *testing.T, s *site.Site)) {
	t.Run("disk", func(t *testing.T) { do(t, openSite(t)) })
	t.Run("bucket", func(t *testing.T) {
		s := openSite(t)
		for root := range s.Roots {
			s.Roots[root] = store.NewMemory()
		}
		s.CacheOf(time.Now)
		do(t, s)
	})
}

// load adds a main ping for each client, with a locale.
func load(t *testing.T, s *site.Site, name, day, locale string, clients ...string) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	require.NoError(t, err)
	for i, c := range clients {
		var m ping.Meta
		m.SetString(ping.DocumentID, name+c)
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, day)
		m.SetString(ping.AppName, "Firefox")
		m.SetString(ping.SourceVersion, "4")
		m.SetString(ping.ClientID, c)
		m.SetInt(ping.SampleID, ping.SampleOf([]byte(c)))
		m.SetInt(ping.Timestamp, int64(i))
		body := `{"version":4,"environment":{"settings":{"locale":"` + locale + `"}}}`
		require.NoError(t, w.Append(&m, []byte(body)))
	}
	if _, err := w.Close(context.Background(), name); err != nil {
		t.Fatal(err)
	}
}

func run(s *site.Site, o etl.RunOptions) error {
	o.Now = time.Now
	_, err := etl.Run(context.Background(), s, o)
	return err
}

// sees are queries that look at several tables and days: a client has one
// locale, and at most three more clients come in a day.
var sees = map[string]string{
	"locales.clients_daily.error.sql": `-- doc: a client keeps its locale
		SELECT client_id, array_agg(locale ORDER BY submission_date_obj) AS locales, map(ARRAY['n'], ARRAY[count(*)]) AS days, NULL AS nothing
		FROM clients_daily WHERE submission_date_obj <= '{day}' GROUP BY 1 HAVING count(DISTINCT locale) > 1`,
	"growth.main_summary.error.sql": `-- doc: at most three more
		SELECT submission_date_obj, count(*) AS rows FROM main_summary WHERE submission_date_obj = '{day}' GROUP BY 1
		HAVING count(*) > 3 + (SELECT count(*) FROM clients_daily WHERE submission_date_obj < '{day}')`,
}

func TestRun(t *testing.T) { places(t, testRun) }

func testRun(t *testing.T, s *site.Site) {
	more, err := sqlfile.Load(context.Background(), folder(t, sees), s.Tables, check.All(s.Tables), &worker.Runner{})
	require.NoError(t, err)
	load(t, s, "l1", day, "de", "a", "b", "c")
	all := etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{day}, Checks: check.Options{More: more}}
	require.NoError(t, run(s, all))

	// The staged files of the day are seen, not the published ones.
	load(t, s, "l2", day, "de", "d")
	err = run(s, all)
	var blocked *check.BlockedError
	if !errors.As(err, &blocked) || blocked.Results[0].Check.Name != "growth" ||
		!strings.Contains(err.Error(), "submission_date_obj=20180301 rows=4") {
		t.Fatalf("four rows: %v", err)
	}
	all.Checks.Skip = []string{"growth"}
	require.NoError(t, run(s, all))
	all.Checks.Skip = nil

	// The published files of other days and tables are seen, too.
	load(t, s, "l3", "20180302", "fr", "a", "b", "e", "f", "g", "h")
	all.Days = []string{"20180302"}
	err = run(s, all)
	if !errors.As(err, &blocked) || blocked.Results[0].Total != 2 ||
		!strings.Contains(err.Error(), "client_id=a locales=[de, fr] days={n=2} nothing null") {
		t.Fatalf("another locale: %v", err)
	}

	// And what is published is checked as it is.
	results, err := check.RunPublished(context.Background(), &s.Data, nil, "main_summary", day, more, nil)
	if err != nil || len(results) != 1 || results[0].Verdict != check.Failed {
		t.Errorf("published: %v, %v", results, err)
	}
	results, err = check.RunPublished(context.Background(), &s.Data, nil, "clients_daily", day, more, nil)
	if err != nil || len(results) != 1 || results[0].Verdict != check.Passed {
		t.Errorf("published: %v, %v", results, err)
	}
}

// TestSomeSamples shows the whole day to a query when some samples are made again.
func TestSomeSamples(t *testing.T) { places(t, testSomeSamples) }

func testSomeSamples(t *testing.T, s *site.Site) {
	clients := strings.Split("a b c d e f g h i j k l", " ")
	load(t, s, "l1", day, "de", clients...)
	o := etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{day}}
	require.NoError(t, run(s, o))
	var err error
	o.Checks.More, err = sqlfile.Load(context.Background(), folder(t, map[string]string{
		"whole.main_summary.error.sql": `SELECT count(*), count(DISTINCT sample_id) FROM main_summary WHERE submission_date_obj = '{day}' ` +
			`HAVING count(*) <> 12`,
	}), s.Tables, check.All(s.Tables), &worker.Runner{})
	require.NoError(t, err)
	o.Force = true
	o.Samples = nil
	assert.NoError(t, run(s, o))
	for _, part := range []string{"0-24", "25-49", "50-74", "75-100"} {
		if o.Samples, err = job.ParseSamples(part); err != nil {
			t.Fatal(err)
		}
		if err := run(s, o); err != nil {
			t.Errorf("samples %s: %v", part, err)
		}
	}
}

func TestFailures(t *testing.T) {
	s := openSite(t)
	load(t, s, "l1", day, "de", "a")
	if err := run(s, etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{day}}); err != nil {
		t.Fatal(err)
	}
	more, err := sqlfile.Load(context.Background(), folder(t, map[string]string{
		"number.clients_daily.error.sql": `SELECT CAST(locale AS bigint) FROM clients_daily`,
	}), s.Tables, nil, &worker.Runner{})
	require.NoError(t, err)
	results, err := check.RunPublished(context.Background(), &s.Data, nil, "clients_daily", day, more, nil)
	if err != nil || results[0].Verdict != check.Broken || !strings.Contains(results[0].Note, "de") {
		t.Errorf("a query that fails: %v, %v", results, err)
	}
	lt, err := s.Table("clients_daily")
	require.NoError(t, err)
	m, err := lt.Partition(context.Background(), day)
	require.NoError(t, err)
	s.Roots[schema.StorageRoot] = copied(t, lt.Bucket())
	results, err = check.RunPublished(context.Background(), &s.Data, nil, "clients_daily", m.Day, more, nil)
	if err != nil || results[0].Verdict != check.Broken || !strings.Contains(results[0].Note, "there is no cache") {
		t.Errorf("files elsewhere: %v, %v", results, err)
	}
}

// copied returns a bucket in memory with the same objects.
func copied(t *testing.T, from store.Bucket) store.Bucket {
	t.Helper()
	to := store.NewMemory()
	for e, err := range from.List(context.Background(), "") {
		require.NoError(t, err)
		b, err := store.ReadFile(context.Background(), from, e.Name)
		require.NoError(t, err)
		require.NoError(t, store.WriteFile(context.Background(), to, e.Name, b))
	}
	return to
}
