package main

import (
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/query"
)

// queryFlags say how queries are asked.
type queryFlags struct {
	format, memory, dialect string
	threads                 int
	timeout                 time.Duration
	unsafe                  bool
}

func (f *queryFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "table", "table, csv, json, ndjson or parquet")
	flags.StringVar(&f.dialect, "dialect", string(query.Presto), "presto or duckdb")
	flags.StringVar(&f.memory, "memory", "", "memory limit, such as 4GB (default: 80 % of the machine's)")
	flags.IntVar(&f.threads, "threads", 0, "threads (default: all cores)")
	flags.DurationVar(&f.timeout, "timeout", 0, "end a query after this time, such as 30s (default: never)")
	flags.BoolVar(&f.unsafe, "unsafe", false, "run queries in this process, where they can read and write all that you can")
}

// request is a request with what the flags say.
func (f *queryFlags) request() (q ask.Request, err error) {
	if q.Format, err = query.ParseFormat(f.format); err != nil {
		return q, cli.Usage(err)
	}
	if q.Dialect, err = query.ParseDialect(f.dialect); err != nil {
		return q, cli.Usage(err)
	}
	q.Limits = ask.Limits{Threads: f.threads, Time: f.timeout}
	if f.memory != "" {
		n, err := humanize.ParseBytes(f.memory)
		if err != nil || n == 0 || n > 1<<50 {
			return q, cli.Usagef("--memory %s: want a size such as 4GB", f.memory)
		}
		q.Limits.Memory = int64(n)
	}
	if f.threads < 0 || f.timeout < 0 {
		return q, cli.Usagef("--threads and --timeout are not less than 0")
	}
	return q, nil
}
