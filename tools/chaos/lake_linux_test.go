package chaos

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tables are the seven, and some of the Glean pings of the same clients, with their columns of the day and of the client in telemetry.
var tables = []struct{ name, day, client string }{
	{"main_summary", "submission_date_obj", "client_id"},
	{"addons", "submission_date_obj", "client_id"},
	{"clients_daily", "submission_date_obj", "client_id"},
	{"search_clients_daily", "submission_date_obj", "client_id"},
	{"crash_summary", "submission_date", "client_id"},
	{"telemetry_new_profile_parquet", "submission", "client_id"},
	{"telemetry_update_parquet", "submission_date_obj", "client_id"},
	{"firefox_desktop_baseline", "submission_date", "metrics.uuid.legacy_telemetry_client_id"},
	{"firefox_desktop_events_stream", "submission_date", "legacy_telemetry_client_id"},
	{"firefox_desktop_baseline_clients_daily", "submission_date", "legacy_telemetry_client_id"},
}

// The days of the population.
const firstDay, lastDay = "20180301", "20180303"

// rows are the tables' contents: by table and day the number of rows and a sum of
// their hashes.
type rows map[string]string

// contents asks for the rows of some tables, or of all, without those of a client
// if that is not "", and of one day (YYYYMMDD) if that is not "".
func contents(data, without, day string, names ...string) (rows, result) {
	return contentsAt([]string{"--data", data}, without, day, names...)
}

// contentsAt asks an installation that flags name.
func contentsAt(at []string, without, day string, names ...string) (rows, result) {
	var parts []string
	for _, t := range tables {
		if len(names) > 0 && !slices.Contains(names, t.name) {
			continue
		}
		var where []string
		if without != "" {
			where = append(where, fmt.Sprintf("%s IS DISTINCT FROM '%s'", t.client, without))
		}
		if day != "" {
			value := day
			if t.day == "submission_date" {
				value = day[:4] + "-" + day[4:6] + "-" + day[6:]
			}
			where = append(where, fmt.Sprintf("%s = '%s'", t.day, value))
		}
		condition := ""
		if len(where) > 0 {
			condition = " WHERE " + strings.Join(where, " AND ")
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s', replace(%s, '-', ''), count(*), sum(hash(t)) FROM %s t%s GROUP BY 2",
			t.name, t.day, t.name, condition))
	}
	args := append([]string{"query", "--all-days", "--dialect", "duckdb", "--format", "csv"}, at...)
	r := pingmill(append(args, strings.Join(parts, " UNION ALL "))...)
	return parseRows(r.out), r
}

func parseRows(csv string) rows {
	all := rows{}
	for i, line := range strings.Split(strings.TrimSpace(csv), "\n") {
		f := strings.Split(strings.TrimSpace(line), ",")
		if i > 0 && len(f) == 4 {
			all[f[0]+" "+f[1]] = f[2] + " rows, hash " + f[3]
		}
	}
	return all
}

// only returns the rows of a table, of a day, or of both.
func (r rows) only(table, day string) rows {
	some := rows{}
	for k, v := range r {
		name, d, _ := strings.Cut(k, " ")
		if (table == "" || name == table) && (day == "" || d == day) {
			some[k] = v
		}
	}
	return some
}

// differences lists what is not as wanted.
func (r rows) differences(want rows) (all []string) {
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if r[k] != want[k] {
			all = append(all, fmt.Sprintf("%s: %q, want %q", k, r[k], want[k]))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(r)) {
		if _, ok := want[k]; !ok {
			all = append(all, fmt.Sprintf("%s: %q, want none", k, r[k]))
		}
	}
	return all
}

// installation is copied for every trial.
type installation struct {
	data   string // folder
	client string // one of its clients
	truth  rows
	rest   rows // without those of the client
}

// newInstallation makes a small population's pings into tables. Some of the pings
// come in a second load, so that days have more than one file.
func newInstallation(t *testing.T) *installation {
	t.Helper()
	dir := t.TempDir()
	in := &installation{data: filepath.Join(dir, "data")}
	for i, clients := range []string{"14", "6"} {
		pings := filepath.Join(dir, clients+".ndjson")
		must(t, "generate", "--seed", []string{"9", "11"}[i], "--clients", clients, "--days", "3", "--damaged", "0.05", "--glean", "--output",
			pings)
		must(t, "load", "--data", in.data, pings)
	}
	must(t, runAll(in.data)...)
	r := must(t, "query", "--data", in.data, "--format", "csv",
		"SELECT min(client_id) FROM clients_daily WHERE submission_date_obj = '"+lastDay+"'")
	_, id, _ := strings.Cut(strings.TrimSpace(r.out), "\n")
	in.client = strings.TrimSpace(id)
	var q result
	if in.truth, q = contents(in.data, "", ""); !q.ok() || len(in.truth) < 15 {
		t.Fatalf("%d partitions: %v", len(in.truth), q)
	}
	if in.rest, q = contents(in.data, in.client, ""); !q.ok() {
		t.Fatal(q)
	}
	return in
}

func runAll(data string, args ...string) []string {
	return append([]string{"run", "all", "--data", data, "--from", firstDay, "--to", lastDay}, args...)
}

// copyTree copies a folder with its hard links.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("copy: %v %s", err, out)
	}
}
