package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// wholePart measures the path of pings from the socket to all seven tables. Each step is a process of the released
// program. It compares the steps' processor time by size, with one core and two, with another release if there is one,
// and the whole with DuckDB's time for main_summary alone.
func wholePart(ctx context.Context, o *options, p *page) error {
	sizes, err := wholeSizes(o.sizes)
	if err != nil {
		return err
	}
	dir, err := diskFolder(o.spool)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := buildProgram(ctx, o.program, dir)
	if err != nil {
		return err
	}
	var runs []wholeRun
	for _, size := range sizes {
		var candidates []wholeRun
		for _, r := range []wholeRun{{program: o.baseline, cores: 1}, {program: program, cores: 1}, {program: program, cores: 2}} {
			if r.program != "" {
				r.sender, r.size, r.dir = program, size, filepath.Join(dir, "data")
				candidates = append(candidates, r)
			}
		}
		medians, err := wholeRounds(ctx, candidates, wholeTimes(o, size))
		if err != nil {
			return fmt.Errorf("%d GB: %w", size>>30, err)
		}
		runs = append(runs, medians...)
	}
	p.printf("\n## %s\n", wholeTitle(o))
	wholeTable(p, runs, o.baseline)
	return wholeDuckDB(ctx, o, p, runs[slices.IndexFunc(runs, func(r wholeRun) bool { return r.program == program })])
}

// wholeTimes returns the number of measurements of a size. Next to another program, days that take seconds are
// measured as often as the rest.
func wholeTimes(o *options, size int64) int {
	if o.baseline != "" && size <= 1<<30 {
		return o.rounds
	}
	return 1
}

// wholeRounds runs candidates alternately and returns for each the median of every step.
func wholeRounds(ctx context.Context, candidates []wholeRun, rounds int) ([]wholeRun, error) {
	all := make([][]wholeRun, len(candidates))
	for range rounds {
		for i, r := range candidates {
			if err := r.all(ctx); err != nil {
				return nil, fmt.Errorf("%s with %d cores: %w", filepath.Base(r.program), r.cores, err)
			}
			all[i] = append(all[i], r)
		}
	}
	for i, runs := range all {
		candidates[i] = runs[0]
		for n := range runs[0].steps {
			candidates[i].steps[n] = median(runs, func(r wholeRun) float64 { return r.steps[n].cpu }).steps[n]
		}
	}
	return candidates, nil
}

// usualSizes lists the sizes in GB that are measured whenever all parts run.
const usualSizes = "1"

// wholeTitle names the section: larger days, and those beside other programs, have one of their own.
func wholeTitle(o *options) string {
	title := "The whole way of a ping"
	if o.sizes != usualSizes {
		title += ", days of " + strings.ReplaceAll(o.sizes, ",", ", ") + " GB"
	}
	if o.baseline != "" {
		title += ", beside an earlier program"
	}
	if o.spark != "" {
		title += ", beside Spark"
	}
	return title
}

// wholeSizes reads sizes in GB of JSON.
func wholeSizes(text string) (sizes []int64, err error) {
	for one := range strings.SplitSeq(text, ",") {
		gb, err := strconv.ParseFloat(one, 64)
		if err != nil || gb <= 0 {
			return nil, fmt.Errorf("sizes: %q is no number of GB", one)
		}
		sizes = append(sizes, int64(gb*(1<<30)))
	}
	return sizes, nil
}

// wholeTable reports the steps of all runs.
func wholeTable(p *page, runs []wholeRun, baseline string) {
	p.printf("\nGzipped submissions over HTTP to one edge, through spool, decoding and archive to all seven tables; each step is a " +
		"process, and the direct tables are made while decoding. " +
		"Microseconds of processor time for each submission, by step.")
	if baseline != "" {
		p.printf(" Days of up to 1 GB: medians of several rounds by turns; larger ones were measured once.")
	}
	p.printf("\n\n| step |")
	for _, r := range runs {
		p.printf(" %s |", r.title(baseline))
	}
	p.printf("\n|---|%s\n", strings.Repeat("---|", len(runs)))
	for i, s := range runs[0].steps {
		p.printf("| %s |", s.name)
		for _, r := range runs {
			p.printf(" %.0f |", r.micros(r.steps[i].cpu))
		}
		p.printf("\n")
	}
	rows := []struct {
		name string
		text func(*wholeRun) string
	}{
		{"**all**", func(r *wholeRun) string { return fmt.Sprintf("**%.0f**", r.micros(r.cpu())) }},
		{"seconds of all steps", func(r *wholeRun) string { return fmt.Sprintf("%.0f", r.wall()) }},
		{"JSON, GB/s of processor time", func(r *wholeRun) string { return fmt.Sprintf("%.2f", float64(r.json)/r.cpu()/1e9) }},
		{"submissions", func(r *wholeRun) string { return strconv.FormatInt(r.pings, 10) }},
		{"archive, bytes a submission", func(r *wholeRun) string { return strconv.FormatInt(r.archive/r.pings, 10) }},
		{"most memory of a step, MB", func(r *wholeRun) string { return fmt.Sprintf("%.0f", r.peak()/1e6) }},
	}
	for _, row := range rows {
		p.printf("| %s |", row.name)
		for i := range runs {
			p.printf(" %s |", row.text(&runs[i]))
		}
		p.printf("\n")
	}
}

func (r *wholeRun) title(baseline string) string {
	t := fmt.Sprintf("%.3g GB, %d core", float64(r.size)/(1<<30), r.cores)
	if r.cores > 1 {
		t += "s"
	}
	if r.program == baseline {
		t += ", before"
	}
	return t
}

// wholeDuckDB compares with the same main pings in DuckDB: a file of gzipped lines, typed JSON, main_summary and nothing else.
func wholeDuckDB(ctx context.Context, o *options, p *page, r wholeRun) error {
	dir := filepath.Join(o.dir, "whole")
	defer os.RemoveAll(dir)
	c, err := makeCorpus(ctx, dir, o.bytes)
	if err != nil {
		return err
	}
	m, err := alternate(ctx, o.dir, min(o.rounds, 3), []trial{{"duckdb-main", c.gzip}})
	if err != nil {
		return err
	}
	duck := float64(c.bytes) / m["duckdb-main"].Seconds / 1e9
	whole := float64(r.json) / r.cpu() / 1e9
	p.printf("\nDuckDB makes main_summary alone from a gzipped file of such pings at %.2f GB/s of processor time; the whole way of "+
		"pingmill, from the socket to seven tables, is %.2f times as fast.\n", duck, whole/duck)
	spark, err := sparkMain(ctx, o, c)
	if errors.Is(err, errNoSpark) {
		return nil
	}
	if err != nil {
		return err
	}
	p.printf("Spark (%s, one core) takes %.0f s of processor time for the file that DuckDB reads in %.1f s, %.2f GB/s: the whole way is "+
		"%.1f times as fast.\n",
		spark.version, spark.Seconds, m["duckdb-main"].Seconds, float64(c.bytes)/spark.Seconds/1e9, whole/(float64(c.bytes)/spark.Seconds/1e9))
	return nil
}
