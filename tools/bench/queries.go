package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// question is a query that is measured.
type question struct {
	what, sql string
	most      float64 // s of processor time it may take; 0: only twice DuckDB's
	duckdb    string  // the same for DuckDB, where it is written otherwise
}

// Conditions of questions.
const (
	month = "submission_date_obj BETWEEN '20180601' AND '20180630'"
	one   = "submission_date_obj = '20180301' AND sample_id = '42'"
	ten   = "submission_date_obj = '20180301' AND sample_id IN ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')"
)

// yearQuestions are asked of a year of small days. CLIENT is a client with many pings.
var yearQuestions = []question{
	{"pings by day, a year", "SELECT submission_date_obj, count(*) FROM main_summary GROUP BY 1 ORDER BY 1", 1, ""},
	{"one client's history, a year", "SELECT submission_date_obj, timestamp, app_version, os, country, subsession_length, active_ticks, " +
		"scalar_parent_browser_engagement_total_uri_count, search_counts FROM main_summary WHERE client_id = 'CLIENT' " +
		"ORDER BY timestamp", 0.3, ""},
	{"clients by day, a year", "SELECT submission_date_obj, count(DISTINCT client_id) FROM main_summary GROUP BY 1 ORDER BY 1", 0, ""},
	{"search volume by engine, a month",
		"SELECT engine, sum(count) FROM main_summary CROSS JOIN UNNEST(search_counts) AS s(engine, source, count) WHERE " + month +
			" GROUP BY 1 ORDER BY 2 DESC", 0,
		"SELECT s.engine, sum(s.count) FROM (SELECT unnest(search_counts) AS s FROM main_summary WHERE " + month +
			") GROUP BY 1 ORDER BY 2 DESC"},
	{"top add-ons, a month", "SELECT addon_id, count(DISTINCT client_id) FROM addons WHERE " + month +
		" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10", 0, ""},
	{"percentiles of a histogram, a month",
		"SELECT key, sum(value) FROM main_summary CROSS JOIN UNNEST(histogram_parent_gc_max_pause_ms_2) AS h(key, value) WHERE " + month +
			" GROUP BY 1 ORDER BY 1", 0,
		"SELECT key, sum(value) FROM (SELECT unnest(map_entries(histogram_parent_gc_max_pause_ms_2), recursive := true) FROM main_summary " +
			"WHERE " + month + ") GROUP BY 1 ORDER BY 1"},
	{"hours by country and system, a quarter", "SELECT country, os, sum(subsession_length) / 3600 FROM main_summary WHERE " +
		"submission_date_obj BETWEEN '20180601' AND '20180831' GROUP BY 1, 2 ORDER BY 3 DESC", 0, ""},
	{"one sample, a month", "SELECT submission_date_obj, avg(active_ticks) FROM main_summary WHERE sample_id = '42' AND " + month +
		" GROUP BY 1 ORDER BY 1", 0, ""},
	{"retention of a month's clients",
		"WITH f AS (SELECT client_id, min(submission_date_obj) AS d FROM clients_daily WHERE " + month + " GROUP BY 1) " +
			"SELECT d, count(DISTINCT client_id) FROM f JOIN clients_daily c USING (client_id) WHERE c.submission_date_obj BETWEEN '20180701' " +
			"AND '20180707' GROUP BY 1 ORDER BY 1", 0, ""},
	{"crashes per 1,000 hours by version, a month",
		"SELECT app_version, sum(crash_submit_attempt_main_sum) * 1000 / sum(subsession_hours_sum) FROM clients_daily WHERE " + month +
			" GROUP BY 1 ORDER BY 1", 0, ""},
	{"all columns of a day", "SELECT * FROM main_summary WHERE submission_date_obj = '20180615'", 0, ""},
	{"all columns of a client, a month", "SELECT * FROM main_summary WHERE client_id = 'CLIENT' AND " + month, 0, ""},
}

// dayQuestions are asked of one large day.
var dayQuestions = []question{
	{"pings of a sample", "SELECT count(*), count(DISTINCT client_id) FROM main_summary WHERE submission_date_obj = '20180301' AND " +
		"sample_id = '42'", 0, ""},
	{"hours of a sample by country", "SELECT country, sum(subsession_length) / 3600 FROM main_summary WHERE submission_date_obj = " +
		"'20180301' AND sample_id = '42' GROUP BY 1 ORDER BY 2 DESC", 0, ""},
	{"searches of ten samples by engine",
		"SELECT engine, sum(count) FROM main_summary CROSS JOIN UNNEST(search_counts) AS s(engine, source, count) WHERE " + ten +
			" GROUP BY 1 ORDER BY 2 DESC", 0,
		"SELECT s.engine, sum(s.count) FROM (SELECT unnest(search_counts) AS s FROM main_summary WHERE " + ten + ") GROUP BY 1 ORDER BY 2 DESC"},
	{"a histogram of a sample", "SELECT key, sum(value) FROM main_summary CROSS JOIN UNNEST(histogram_parent_gc_max_pause_ms_2) AS " +
		"h(key, value) WHERE " + one + " GROUP BY 1 ORDER BY 1", 0,
		"SELECT key, sum(value) FROM (SELECT unnest(map_entries(histogram_parent_gc_max_pause_ms_2), recursive := true) FROM main_summary " +
			"WHERE " + one + ") GROUP BY 1 ORDER BY 1"},
}

// yearPart measures queries of a year of 1,000 pings a day.
func yearPart(ctx context.Context, o *options, p *page) error {
	i := installation{dir: o.year, clients: 880, days: o.yearDays, meanBytes: 20_000}
	return i.part(ctx, o, p, "Queries of a year", fmt.Sprintf("%d days of 1,000 main pings", i.days), yearQuestions)
}

// dayPart measures queries of a day of 10 GB.
func dayPart(ctx context.Context, o *options, p *page) error {
	i := installation{dir: o.day, clients: int(o.dayBytes / 80_000 * 88 / 100), days: 1, meanBytes: 80_000}
	return i.part(ctx, o, p, "Queries of a large day", fmt.Sprintf("One day of %.1f GB of JSON", float64(o.dayBytes)/1e9), dayQuestions)
}

// part measures the queries on both systems alternately, and writes a table of the medians.
func (i installation) part(ctx context.Context, o *options, p *page, title, what string, questions []question) error {
	if i.dir == "" {
		i.dir = filepath.Join(o.dir, "installation")
		defer os.RemoveAll(i.dir)
	}
	if err := i.makeTables(ctx); err != nil {
		return err
	}
	client, err := i.client(ctx)
	if err != nil {
		return err
	}
	p.printf("\n## %s\n\n%s. Each query is a process: `pingmill query`, with its worker, and one that only runs DuckDB over one sorted "+
		"file a day with the same rows, which DuckDB wrote with zstd; one thread each. Times are medians of %d, in s; the bar is twice "+
		"DuckDB's processor time, or what is named. The work is what a query takes beyond the first row, the processes alone. Load of the "+
		"machine: %s.\n\n"+
		"| query | rows | pingmill, processor | DuckDB, processor | ratio | ratio of the work | bar | pingmill, wall | DuckDB, wall "+
		"|\n|---|---|---|---|---|---|---|---|---|\n", title, what, o.rounds, machineLoad())
	var nothing [2]float64 // pingmill's and DuckDB's
	for n, q := range slices.Concat([]question{{what: "`SELECT 1`", sql: "SELECT 1"}}, questions) {
		sql := replaceClient(q.sql, client)
		duckdb := sql
		if q.duckdb != "" {
			duckdb = q.duckdb
		}
		var ours, theirs []spent
		for range o.rounds {
			a, err := i.pingmill(ctx, sql)
			if err != nil {
				return err
			}
			b, err := i.other(ctx, duckdb)
			if err != nil {
				return err
			}
			if a.rows != b.rows {
				return fmt.Errorf("%s: pingmill gives %d rows, DuckDB %d", q.what, a.rows, b.rows)
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
		cpu, wall := func(s spent) float64 { return s.cpu }, func(s spent) float64 { return s.wall }
		a, b := median(ours, cpu).cpu, median(theirs, cpu).cpu
		bar := "2.00"
		if q.most > 0 {
			bar = fmt.Sprintf("%.1f s", q.most)
		}
		work := ""
		if n == 0 {
			nothing, bar = [2]float64{a, b}, ""
		} else if b > nothing[1] {
			work = fmt.Sprintf("%.2f", (a-nothing[0])/(b-nothing[1]))
		}
		p.printf("| %s | %d | %.3f | %.3f | %.2f | %s | %s | %.3f | %.3f |\n", q.what, ours[0].rows, a, b, a/b, work, bar,
			median(ours, wall).wall, median(theirs, wall).wall)
		fmt.Fprintf(os.Stderr, "%-45s %.3f %.3f s cpu, %.2f\n", q.what, a, b, a/b)
	}
	return nil
}
