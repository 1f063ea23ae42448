package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/query"
)

// askRounds are alternating queries of each kind: they take milliseconds.
const askRounds = 101

// askPart compares a small query in this process, with a DuckDB of its own as pingmill query --unsafe has, with the same query
// through gate and worker.
func askPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "ask")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	view, err := askTable(ctx, dir)
	if err != nil {
		return fmt.Errorf("write a small table: %w", err)
	}
	q := ask.Request{SQL: "SELECT name, sum(n) FROM small GROUP BY 1 ORDER BY 1", Dialect: query.Presto, Views: []query.View{view}, Format: query.FormatCSV}
	r := &ask.Runner{Temp: dir}
	defer r.Close()
	through := func() error {
		_, err := r.Run(ctx, q, io.Discard, nil)
		return err
	}
	kinds := []struct {
		name  string
		ready func() // before the clock starts
		run   func() error
	}{
		{"in this process", nil, func() error { return askHere(ctx, dir, q) }},
		{"through gate and worker", nil, through},
		{"the same, the worker was started before", func() { r.Warm(); time.Sleep(200 * time.Millisecond) }, through},
	}
	wall, used := make([][]float64, len(kinds)), make([][]float64, len(kinds))
	for range askRounds {
		for i, k := range kinds {
			if k.ready != nil {
				k.ready()
			}
			before, start := askUsage(), time.Now()
			if err := k.run(); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			wall[i], used[i] = append(wall[i], time.Since(start).Seconds()*1e3), append(used[i], (askUsage()-before)*1e3)
		}
	}
	same := func(f float64) float64 { return f }
	p.printf("\n## A small query in a process of its own\n\nThree rows of a table of one file, as CSV, on all cores; medians of %d alternating rounds. A prompt starts the next worker while it waits.\n\n", askRounds)
	p.printf("| the query | ms | more | processor ms |\n|---|---|---|---|\n")
	for i, k := range kinds {
		t := median(wall[i], same)
		p.printf("| %s | %.1f | %.1f | %.1f |\n", k.name, t, t-median(wall[0], same), median(used[i], same))
	}
	return nil
}

// askUsage is the processor time of this process and of those that ended.
func askUsage() float64 {
	var ended syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended) // as usage
	return cpu(usage()) + cpu(ended)
}

// askTable is a table of a thousand rows.
func askTable(ctx context.Context, dir string) (v query.View, err error) {
	v = query.View{Name: "small", Files: []string{filepath.Join(dir, "small.parquet")}, Columns: []query.Column{{Name: "name", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}}}
	db, err := query.Open(ctx, nil, query.Options{TempDir: dir})
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryIn(ctx, query.DuckDB, "COPY (SELECT 'name ' || i % 3 AS name, i AS n FROM range(1000) AS t(i)) TO '"+v.Files[0]+"'")
	if err != nil {
		return v, err
	}
	_, err = rows.Next()
	return v, errors.Join(err, rows.Close())
}

// askHere runs a query with a DuckDB of its own.
func askHere(ctx context.Context, dir string, q ask.Request) (err error) {
	db, err := query.Open(ctx, q.Views, query.Options{TempDir: dir, Verify: func(context.Context, []query.Scan) error { return nil }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryIn(ctx, q.Dialect, q.SQL)
	if err != nil {
		return err
	}
	_, err = rows.Write(io.Discard, q.Format, q.Write)
	return errors.Join(err, rows.Close())
}
