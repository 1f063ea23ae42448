package main

import (
	"bytes"
	"context"
	_ "embed" // the program in Python
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

//go:embed beside.py
var besideProgram string

// errNoPython means that no Python with the tools was given.
var errNoPython = errors.New("no Python was given; run make bench-beside, which installs chdb and polars")

// besideResult is the report of a job in Python. Seconds begins with the libraries loaded; process includes their start.
type besideResult struct {
	CSV     string
	Rows    int64
	Seconds float64
	Wall    float64
	Peak    int64
	Each    []float64 // seconds of each statement
	process float64
}

func (r besideResult) result() result {
	return result{Units: r.Rows, Seconds: r.Seconds, Wall: r.Wall, Peak: r.Peak}
}

// beside runs a job with a tool in Python.
func beside(ctx context.Context, o *options, job map[string]any) (r besideResult, err error) {
	text, err := json.Marshal(job)
	if err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, o.python, "-c", besideProgram)
	cmd.Env = append(os.Environ(), "POLARS_MAX_THREADS=1")
	cmd.Stdin = bytes.NewReader(text)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", job["tool"], err, errs.String()[max(0, errs.Len()-2000):])
	}
	s := cmd.ProcessState
	r.process = (s.UserTime() + s.SystemTime()).Seconds()
	return r, json.Unmarshal(out, &r)
}

// alternateBeside measures candidates of this program and a job in Python alternately.
func alternateBeside(
	ctx context.Context, o *options, trials []trial, clear string, job map[string]any,
) (map[string]result, besideResult, error) {
	all, theirs := map[string][]result{}, []besideResult{}
	for round := range o.rounds {
		for _, t := range trials {
			r, err := measure(ctx, t.name, t.input, filepath.Join(o.dir, t.name))
			if err != nil {
				return nil, besideResult{}, err
			}
			all[t.name] = append(all[t.name], r)
		}
		if err := os.RemoveAll(clear); err != nil {
			return nil, besideResult{}, err
		}
		r, err := beside(ctx, o, job)
		if err != nil {
			return nil, r, err
		}
		theirs = append(theirs, r)
		fmt.Fprintf(os.Stderr, "round %d %s %.2f s cpu %.2f s wall %.0f MB\n", round+1, job["tool"], r.Seconds, r.Wall, float64(r.Peak)/1e6)
	}
	medians := map[string]result{}
	for name, rs := range all {
		medians[name] = median(rs, func(r result) float64 { return r.Seconds })
	}
	return medians, median(theirs, func(r besideResult) float64 { return r.Seconds }), nil
}

var (
	clickhouseList  = regexp.MustCompile(`(\w+)\[\]`)
	clickhousePrefs = regexp.MustCompile(`("dom\.ipc\.[^"]*") INTEGER`)
)

var clickhouseWords = strings.NewReplacer(
	"MAP(VARCHAR", "Map(String", "STRUCT(", "Tuple(", "VARCHAR", "Nullable(String)", "BIGINT", "Nullable(Int64)", "INTEGER", "Nullable(Int32)",
	"BOOLEAN", "Nullable(Bool)", "DOUBLE", "Nullable(Float64)", `"`, "`")

// clickhouseTypes writes DuckDB's types and paths as ClickHouse has them.
func clickhouseTypes(text string) string {
	return clickhouseWords.Replace(clickhouseList.ReplaceAllString(text, "Array($1)"))
}

// clickhouseMain returns the statements that make main_summary from lines in a table.
func clickhouseMain(input string) []string {
	meta, ping, exprs := duckdb.Paths(schema.MainSummary(probes()))
	// ClickHouse refuses a line with 0.5 for an integer, as these preferences have. It reads them as texts.
	ping = clickhousePrefs.ReplaceAllString(ping, "$1 VARCHAR")
	for i, e := range exprs {
		if path, name, _ := strings.Cut(e, " AS "); strings.Contains(path, `."userPrefs"."dom.ipc.`) {
			exprs[i] = "toInt32OrNull(" + path + ") AS " + name
		}
	}
	lines := clickhouseTypes(`"meta" ` + meta + `, "ping" ` + ping)
	return []string{
		"CREATE TABLE main_summary ENGINE = MergeTree ORDER BY (sample_id, client_id) SETTINGS allow_nullable_key = 1 AS SELECT " +
			clickhouseTypes(strings.Join(exprs, ", ")) + " FROM file(" + duckdb.Text(input) + ", JSONEachRow, " + duckdb.Text(lines) + ") " +
			"SETTINGS max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0, input_format_skip_unknown_fields = 1, " +
			"input_format_json_ignore_unknown_keys_in_named_tuple = 1, input_format_json_defaults_for_missing_elements_in_named_tuple = 1, " +
			"input_format_json_read_numbers_as_strings = 1",
		"SELECT count(), uniqExact(client_id), sum(subsession_length), sum(profile_creation_date), uniqExact(document_id) FROM main_summary",
	}
}

// clickhousePart compares pings → main_summary with ClickHouse, then questions of a year.
func clickhousePart(ctx context.Context, o *options, p *page) error {
	if o.python == "" {
		return errNoPython
	}
	if err := clickhouseLoad(ctx, o, p); err != nil {
		return err
	}
	return clickhouseQuestions(ctx, o, p)
}

func clickhouseLoad(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "main")
	c, err := makeCorpus(ctx, dir, o.bytes)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tables := filepath.Join(dir, "clickhouse")
	m, theirs, err := alternateBeside(ctx, o, []trial{{"pingmill-file", c.plain}, {"duckdb-main", c.plain}}, tables,
		map[string]any{"tool": "clickhouse", "folder": tables, "statements": clickhouseMain(c.plain)})
	if err != nil {
		return err
	}
	same, err := sameSums(ctx, filepath.Join(o.dir, "pingmill-file"), theirs.CSV)
	if err != nil {
		return err
	}
	size, err := treeBytes(tables)
	if err != nil {
		return err
	}
	empty := filepath.Join(dir, "none.ndjson")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		return err
	}
	before, err := beside(ctx, o, map[string]any{"tool": "clickhouse", "folder": tables + "-none", "statements": clickhouseMain(empty)})
	if err != nil {
		return err
	}
	pings := theirs.result()
	pings.Seconds -= before.Seconds
	p.printf("\n## Pings to main_summary, beside ClickHouse\n\n%d main pings, %.2f GB of plain NDJSON, by one thread each: pingmill and "+
		"DuckDB write a parquet file, ClickHouse (chdb, loaded before) a table by sample and client in a folder. ClickHouse makes the "+
		"columns that DuckDB makes, which need no more than a cast. Load of the machine: %s. The tables have the same %s.\n\n"+
		"| what | pings/s | GB/s | ÷ ClickHouse | wall s | peak MB |\n|---|---|---|---|---|---|\n", c.pings, float64(c.bytes)/1e9, machineLoad(),
		same)
	for _, l := range []struct {
		what string
		r    result
	}{{"pingmill", m["pingmill-file"]}, {"DuckDB", m["duckdb-main"]}, {"ClickHouse", theirs.result()},
		{"ClickHouse, without what it takes for no pings", pings}} {
		p.printf("| %s | %.0f | %.2f | %.2f | %.2f | %.0f |\n", l.what, float64(c.pings)/l.r.Seconds, gigabytes(c.bytes, l.r),
			theirs.Seconds/l.r.Seconds, l.r.Wall, float64(l.r.Peak)/1e6)
	}
	info, err := os.Stat(filepath.Join(o.dir, "pingmill-file"))
	if err != nil {
		return err
	}
	p.printf("\nThe file of pingmill takes %.0f bytes a ping, the table of ClickHouse %.0f with fewer columns. For no pings at all the "+
		"statement takes ClickHouse %.1f s.\n", float64(info.Size())/float64(c.pings), float64(size)/float64(c.pings), before.Seconds)
	return nil
}

// sameSums compares rows, clients and sums of a main_summary file with ClickHouse's. It returns what is equal, as text.
func sameSums(ctx context.Context, file, csv string) (string, error) {
	ours, err := duckCSV(ctx, "SELECT count(*), count(DISTINCT client_id), sum(subsession_length), sum(profile_creation_date), "+
		"count(DISTINCT document_id) FROM read_parquet("+duckdb.Text(file)+")")
	if err != nil {
		return "", err
	}
	if !sameCSV(ours, csv) {
		return "", fmt.Errorf("%w: pingmill %s, ClickHouse %s", errOtherAnswer, ours, csv)
	}
	return "rows, clients, documents and sums of two columns", nil
}

var errOtherAnswer = errors.New("the answers differ")
