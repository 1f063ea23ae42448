package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

func init() {
	candidates["longitudinal-pingmill"] = longitudinalPingmill
	candidates["longitudinal-duckdb"] = longitudinalDuckDB
}

const (
	longitudinalClients = 20_000
	longitudinalPings   = 100 // of a client, at most
)

// longitudinalRows are clients with an array for each field over 1 to 100 pings, as SQL of DuckDB.
var longitudinalRows = fmt.Sprintf(
	`SELECT printf('%%08d', c) AS client_id, ['Windows_NT', 'Linux', 'Darwin'][1 + c %% 3] AS os, 'release' AS normalized_channel,
list_transform(p, lambda i: strftime(DATE '2018-06-30' - i::INTEGER, '%%Y-%%m-%%dT00:00:00.000Z')) AS submission_date,
list_transform(p, lambda i: ['DE', 'US', 'FR'][1 + c %% 3]) AS geo_country,
list_transform(p, lambda i: (hash(c, i) %% 80000)::BIGINT) AS session_length,
list_transform(p, lambda i: ['shutdown', 'daily', 'environment-change'][1 + (hash(i, c) %% 3)::INTEGER]) AS reason,
list_transform(p, lambda i: {'build_id': '20180' || (400 + i %% 99), 'version': (55 + (hash(c, i // 20) %% 7))::VARCHAR, 'architecture': 'x86-64', 'application_name': 'Firefox', 'vendor': 'Mozilla'}) AS build,
list_transform(p, lambda i: {'e10s_enabled': hash(c) %% 5 > 0, 'locale': 'de', 'default_search_engine': 'google', 'telemetry_enabled': true,
  'update': {'channel': 'release', 'enabled': true}, 'user_prefs': MAP{'browser.cache.disk.capacity': '1048576', 'a': (hash(c, i) %% 9)::VARCHAR}}) AS settings,
list_transform(p, lambda i: {'name': 'Windows_NT', 'version': '10.' || (c %% 3), 'locale': 'de', 'windows_build_number': 16299}) AS system_os,
list_transform(p, lambda i: map_from_entries(list_transform(range(1 + c %% 6), lambda a: {'k': 'addon' || a || '@x', 'v': {'name': 'Add-on ' || a,
  'version': '1.' || (i %% 4), 'scope': 1, 'is_system': a < 3, 'foreign_install': false, 'install_day': 17000, 'update_day': 17100, 'description': 'An add-on'}}))) AS active_addons,
list_transform(p, lambda i: {'active_ticks': (hash(i, c) %% 700)::BIGINT, 'uptime': (hash(c, i) %% 900)::BIGINT, 'first_paint': 1200::BIGINT, 'main': 40::BIGINT, 'session_restored': 2000::BIGINT}) AS simple_measurements,
list_transform(p, lambda i: {'value': CASE WHEN hash(c, i) %% 4 = 0 THEN NULL ELSE (hash(c, i) %% 300)::BIGINT END}) AS scalar_parent_browser_engagement_total_uri_count,
MAP{'search_enter': list_transform(p, lambda i: {'value': (hash(c, i) %% 5)::BIGINT}), 'search_alias': list_transform(p, lambda i: {'value': NULL::BIGINT})}
  AS scalar_parent_browser_engagement_navigation_searchbar,
list_transform(p, lambda i: {'values': list_transform(range(50), lambda b: (hash(c, i, b) %% 3)::INTEGER), 'sum': (hash(c, i) %% 999)::BIGINT}) AS fx_tab_switch_total_e10s_ms
FROM (SELECT c, range(1 + (hash(c) %% %d)::BIGINT) AS p FROM range(%d) AS t(c))`, longitudinalPings, longitudinalClients)

// longitudinalQuestions are the documented questions; those of DuckDB are written as its users would.
var longitudinalQuestions = []question{
	{"newest values: e10s by system", "SELECT os, settings[1].e10s_enabled AS e10s, count(*) FROM longitudinal GROUP BY 1, 2 ORDER BY 1, 2", 0,
		""},
	{"two arrays: hours by reason",
		"SELECT r, sum(sl) / 3600 FROM longitudinal CROSS JOIN UNNEST(session_length, reason) AS t(sl, r) GROUP BY 1 ORDER BY 1", 0,
		"SELECT r, sum(sl) // 3600 FROM (SELECT unnest(session_length) AS sl, unnest(reason) AS r FROM longitudinal) GROUP BY 1 ORDER BY 1"},
	{"a member of all pings: versions", "SELECT b.version, count(*) FROM longitudinal CROSS JOIN UNNEST(build) AS t(b) GROUP BY 1 ORDER BY 1",
		0,
		"SELECT b.version, count(*) FROM (SELECT unnest(build) AS b FROM longitudinal) GROUP BY 1 ORDER BY 1"},
	{"an add-on of the newest ping",
		"SELECT element_at(active_addons[1], 'addon4@x').version AS v, count(*) FROM longitudinal GROUP BY 1 ORDER BY 1", 0,
		"SELECT active_addons[1]['addon4@x'].version AS v, count(*) FROM longitudinal GROUP BY 1 ORDER BY 1"},
	{"a preference of the newest ping", "SELECT settings[1].user_prefs['a'] AS pref, count(*) FROM longitudinal GROUP BY 1 ORDER BY 1", 0, ""},
	{"a scalar: pages by client", "SELECT client_id, sum(m.value) FROM longitudinal CROSS JOIN " +
		"UNNEST(scalar_parent_browser_engagement_total_uri_count) AS t(m) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10", 0,
		"SELECT client_id, sum(m.value) FROM (SELECT client_id, unnest(scalar_parent_browser_engagement_total_uri_count) AS m FROM " +
			"longitudinal) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10"},
	{"a keyed scalar, reduced", "SELECT key, sum(reduce(val, BIGINT '0', (s, x) -> s + coalesce(x.value, 0), s -> s)) FROM longitudinal " +
		"CROSS JOIN UNNEST(scalar_parent_browser_engagement_navigation_searchbar) AS t(key, val) GROUP BY 1 ORDER BY 1", 0,
		"SELECT e.key, sum(list_reduce(list_transform(e.value, lambda x: coalesce(x.value, 0)), lambda s, x: s + x, 0)) FROM " +
			"(SELECT unnest(map_entries(scalar_parent_browser_engagement_navigation_searchbar)) AS e FROM longitudinal) GROUP BY 1 ORDER BY 1"},
	{"days between the oldest and the newest ping", "SELECT date_diff('day', date_parse(element_at(submission_date, -1), " +
		"'%Y-%m-%dT00:00:00.000Z'), date_parse(submission_date[1], '%Y-%m-%dT00:00:00.000Z')) AS days, count(*) FROM longitudinal GROUP BY " +
		"1 ORDER BY 1", 0,
		"SELECT date_diff('day', strptime(submission_date[-1], '%Y-%m-%dT00:00:00.000Z'), strptime(submission_date[1], " +
			"'%Y-%m-%dT00:00:00.000Z')) AS days, count(*) FROM longitudinal GROUP BY 1 ORDER BY 1"},
	{"all columns of a client", "SELECT * FROM longitudinal WHERE client_id = '00004242'", 0, ""},
}

// longitudinalPart measures questions about arrays of pings beside plain DuckDB on the same file.
func longitudinalPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "longitudinal")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for the clients: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "clients.parquet")
	if _, err := duck(ctx, "COPY ("+longitudinalRows+" ORDER BY 1 DESC) TO "+duckdb.Text(file)+
		" (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2500)"); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("find the clients: %w", err)
	}
	p.printf("\n## Arrays of clients' pings\n\n%d clients with 1 to %d pings each, in a file of %.0f MB with arrays of structs and maps, "+
		"as `longitudinal` has them. Presto's SQL through translator, gate and DuckDB; "+
		"beside it DuckDB alone on the same file, in its own words; one thread each. Processor time in s, medians of %d.\n\n"+
		"| question | rows | pingmill | DuckDB | ratio |\n|---|---|---|---|---|\n", longitudinalClients, longitudinalPings,
		float64(info.Size())/1e6, o.rounds)
	for n, q := range longitudinalQuestions {
		var ours, theirs []result
		for range o.rounds {
			a, err := longitudinalAsk(ctx, "longitudinal-pingmill", file, n)
			if err != nil {
				return err
			}
			b, err := longitudinalAsk(ctx, "longitudinal-duckdb", file, n)
			if err != nil {
				return err
			}
			if a.Units != b.Units {
				return fmt.Errorf("%s: pingmill gives %d rows, DuckDB %d", q.what, a.Units, b.Units)
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
		seconds := func(r result) float64 { return r.Seconds }
		a, b := median(ours, seconds).Seconds, median(theirs, seconds).Seconds
		p.printf("| %s | %d | %.3f | %.3f | %.2f |\n", q.what, ours[0].Units, a, b, a/b)
	}
	return nil
}

// longitudinalAsk has a candidate answer the nth question in its own process.
func longitudinalAsk(ctx context.Context, candidate, file string, n int) (r result, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, fmt.Errorf("find own program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "-child", candidate, "-input", file, "-output", strconv.Itoa(n))
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("measure %s, question %d: %w", candidate, n, err)
	}
	return r, json.Unmarshal(b, &r)
}

// longitudinalView opens DuckDB with a view of the file.
func longitudinalView(ctx context.Context, file string) (*sql.DB, error) {
	db, err := sql.Open("duckdb", "?threads=1")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	if _, err := db.ExecContext(ctx, "CREATE VIEW longitudinal AS SELECT * FROM read_parquet("+duckdb.Text(file)+")"); err != nil {
		return nil, errors.Join(fmt.Errorf("DuckDB: %w", err), db.Close())
	}
	return db, nil
}

// longitudinalDuckDB has DuckDB answer a question.
func longitudinalDuckDB(ctx context.Context, file, n string) (rows, _ int64, err error) {
	db, err := longitudinalView(ctx, file)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	at, err := strconv.Atoi(n)
	if err != nil {
		return 0, 0, fmt.Errorf("read the number of the question: %w", err)
	}
	q := longitudinalQuestions[at]
	text := q.duckdb
	if text == "" {
		text = q.sql
	}
	return duckdbRows(ctx, db, text)
}

// longitudinalPingmill has pingmill's SQL answer a question over a view of the file.
func longitudinalPingmill(ctx context.Context, file, n string) (rows, _ int64, err error) {
	at, err := strconv.Atoi(n)
	if err != nil {
		return 0, 0, fmt.Errorf("read the number of the question: %w", err)
	}
	view := query.View{Name: "longitudinal", Files: []string{file}}
	if view.Columns, err = longitudinalColumns(ctx, file); err != nil {
		return 0, 0, err
	}
	db, err := query.Open(ctx, []query.View{view}, query.Options{Threads: 1, TempDir: filepath.Dir(file)})
	if err != nil {
		return 0, 0, fmt.Errorf("open the view: %w", err)
	}
	defer db.Close()
	result, err := db.QueryIn(ctx, query.Presto, longitudinalQuestions[at].sql)
	if err != nil {
		return 0, 0, fmt.Errorf("ask: %w", err)
	}
	defer result.Close()
	for ; ; rows++ {
		if _, err := result.Next(); errors.Is(err, io.EOF) {
			return rows, 0, nil
		} else if err != nil {
			return rows, 0, fmt.Errorf("read a row: %w", err)
		}
	}
}

// longitudinalColumns reads the columns of the file, as a catalog knows them.
func longitudinalColumns(ctx context.Context, file string) (columns []query.Column, err error) {
	db, err := longitudinalView(ctx, file)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx,
		"SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'longitudinal' ORDER BY ordinal_position")
	if err != nil {
		return nil, fmt.Errorf("DuckDB: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var c query.Column
		if err := rows.Scan(&c.Name, &c.Type); err != nil {
			return nil, fmt.Errorf("DuckDB: %w", err)
		}
		columns = append(columns, c)
	}
	return columns, rows.Err()
}
