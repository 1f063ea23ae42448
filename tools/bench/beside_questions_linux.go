package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

// clickhouseQuestionWords are questions of a year that ClickHouse writes differently, by their names. Questions with lists or all
// columns are left out.
var clickhouseQuestionWords = map[string]string{
	"search volume by engine, a month": "SELECT s.engine, sum(s.count) FROM main_summary ARRAY JOIN search_counts AS s WHERE " + month +
		" GROUP BY 1 ORDER BY 2 DESC",
	"percentiles of a histogram, a month": "SELECT key, sum(value) FROM main_summary ARRAY JOIN " +
		"mapKeys(histogram_parent_gc_max_pause_ms_2) AS key, mapValues(histogram_parent_gc_max_pause_ms_2) AS value WHERE " + month +
		" GROUP BY 1 ORDER BY 1",
	"hours by country and system, a quarter": "SELECT country, os, intDiv(sum(subsession_length), 3600) FROM main_summary WHERE " +
		"submission_date_obj BETWEEN '20180601' AND '20180831' GROUP BY 1, 2 ORDER BY 3 DESC",
	"crashes per 1,000 hours by version, a month": "SELECT app_version, sum(crash_submit_attempt_main_sum) * 1000 / " +
		"sum(toFloat64(subsession_hours_sum)) FROM clients_daily WHERE " + month + " GROUP BY 1 ORDER BY 1",
}

// clickhouseQuestions compares nine questions of a year on the same rows.
func clickhouseQuestions(ctx context.Context, o *options, p *page) error {
	i := installation{dir: o.year, clients: 880, days: o.yearDays, meanBytes: 20_000}
	if i.dir == "" {
		i.dir = filepath.Join(o.dir, "installation")
		defer os.RemoveAll(i.dir)
	}
	if err := i.makeTables(ctx); err != nil {
		return err
	}
	tables := filepath.Join(o.dir, "clickhouse-year")
	defer os.RemoveAll(tables)
	statements := []string{"SET use_hive_partitioning = 0, max_threads = 1"} // the day is a column of the files, too
	for _, t := range queried {
		statements = append(statements, "CREATE TABLE "+t.name+" ENGINE = MergeTree ORDER BY (submission_date_obj, sample_id, client_id) "+
			"SETTINGS allow_nullable_key = 1 AS SELECT * FROM file("+duckdb.Text(filepath.Join(i.duckdb(), t.name, "*/data.parquet"))+
			", Parquet)", "OPTIMIZE TABLE "+t.name+" FINAL")
	}
	statements = append(statements, "SELECT 1")
	if _, err := beside(ctx, o, map[string]any{"tool": "clickhouse", "folder": tables, "statements": statements}); err != nil {
		return err
	}
	p.printf("\n## Queries of a year, beside ClickHouse\n\n%d days of 1,000 main pings, the same rows in all. pingmill and DuckDB as in "+
		"[queries of a year](#queries-of-a-year); ClickHouse (chdb) has tables by day, sample and client, merged into as few parts as it "+
		"makes. Processor time in s of one thread, medians of %d. A process of ClickHouse is Python that loads it; the second time is of the "+
		"same query again in this process, beside what pingmill takes beyond `SELECT 1`. Load of the machine: %s. All values are the "+
		"same.\n\n| query | rows | pingmill | beyond `SELECT 1` | DuckDB | ClickHouse, process | again | pingmill ÷ process | beyond ÷ again "+
		"|\n|---|---|---|---|---|---|---|---|---|\n", i.days, o.rounds, machineLoad())
	for _, q := range yearQuestions {
		if strings.Contains(q.sql, "SELECT *") || strings.Contains(q.sql, "CLIENT") {
			continue
		}
		if err := i.besideClickhouse(ctx, o, p, tables, q); err != nil {
			return fmt.Errorf("%s: %w", q.what, err)
		}
	}
	p.printf("\nAn open session of ClickHouse wins: it has merged the days into a few parts and holds their marks. " +
		"pingmill reads a file of each day, with its footer of up to 475 columns, its manifest and its checksum, for each query.\n")
	return nil
}

// besideClickhouse measures one question.
func (i installation) besideClickhouse(ctx context.Context, o *options, p *page, tables string, q question) error {
	theirs, other := q.sql, q.sql
	if s := clickhouseQuestionWords[q.what]; s != "" {
		theirs = s
	}
	if q.duckdb != "" {
		other = q.duckdb
	}
	var a, beyond, b, c, again []float64
	var answer string
	for range o.rounds {
		cmd := exec.CommandContext(ctx, i.binary(), "query", "--all-days", "--threads", "1", "--format", "csv", "--data", i.data(), q.sql)
		ours, err := run(cmd, func(out string) int64 { answer = out; return 0 })
		if err != nil {
			return err
		}
		one, err := i.pingmill(ctx, "SELECT 1")
		if err != nil {
			return err
		}
		duck, err := i.other(ctx, other)
		if err != nil {
			return err
		}
		statement := theirs + " SETTINGS max_threads = 1, use_query_cache = 0, format_csv_null_representation = ''"
		r, err := beside(ctx, o, map[string]any{"tool": "clickhouse", "folder": tables, "statements": []string{statement, statement}})
		if err != nil {
			return err
		}
		_, rows, _ := strings.Cut(answer, "\n") // without the names
		if !sameCSV(rows, r.CSV) {
			return fmt.Errorf("%w: pingmill %.500s, ClickHouse %.500s", errOtherAnswer, rows, r.CSV)
		}
		a, beyond, b = append(a, ours.cpu), append(beyond, ours.cpu-one.cpu), append(b, duck.cpu)
		c, again = append(c, r.process-r.Each[1]), append(again, r.Each[1])
	}
	ours, whole, second := median(a, itself), median(c, itself), median(again, itself)
	more := median(beyond, itself)
	p.printf("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f |\n", q.what, strings.Count(answer, "\n")-1, ours, more,
		median(b, itself), whole, second, ours/whole, more/second)
	fmt.Fprintf(os.Stderr, "%-45s %.3f %.3f %.3f\n", q.what, ours, whole, second)
	return nil
}

// sameCSV reports whether two texts have the same rows in any order. Decimals have six digits.
func sameCSV(a, b string) bool {
	rows := func(text string) ([][]string, error) {
		all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		slices.SortFunc(all, slices.Compare)
		return all, err
	}
	x, err1 := rows(a)
	y, err2 := rows(b)
	return errors.Join(err1, err2) == nil && slices.EqualFunc(x, y, func(x, y []string) bool { return slices.EqualFunc(x, y, sameValue) })
}

func sameValue(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if errors.Join(err1, err2) != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-6*max(1, math.Abs(x))
}

// duckCSV returns the rows of a query by DuckDB as CSV without names.
func duckCSV(ctx context.Context, query string) (string, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return "", fmt.Errorf("DuckDB: %w", err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", fmt.Errorf("DuckDB: %w", err)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	values, texts := make([]any, len(names)), make([]string, len(names))
	for i := range values {
		values[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return "", fmt.Errorf("DuckDB: %w", err)
		}
		for i, v := range values {
			texts[i] = fmt.Sprint(*v.(*any))
		}
		if err := w.Write(texts); err != nil {
			return "", err
		}
	}
	w.Flush()
	return out.String(), rows.Err()
}
