package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/prompt"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/site"
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

// engine runs queries of an installation like q in processes of their own, or in this one. end ends it.
func (f *queryFlags) engine(ctx context.Context, s *site.Site, q ask.Request, errs io.Writer) (_ prompt.Engine, end func(), err error) {
	if f.unsafe {
		fmt.Fprintln(errs, cli.Name+": --unsafe: the query can read and write all that you can")
		db, err := catalog.Open(ctx, s, query.Options{Threads: f.threads, MemoryLimit: f.memory, TempDir: s.ReadTemp()})
		if err != nil {
			return nil, nil, err
		}
		return prompt.Local{DB: db, Dialect: q.Dialect, Time: f.timeout}, func() { _ = db.Close() }, nil
	}
	r := &ask.Runner{Temp: s.ReadTemp(), Threads: q.Limits.Threads, Memory: q.Limits.Memory}
	return &asker{runner: r, site: s, like: q, errs: errs}, r.Close, nil
}

// asker runs queries in processes of their own.
type asker struct {
	runner *ask.Runner
	site   *site.Site
	like   ask.Request
	errs   io.Writer
	told   map[ask.Lacking]bool // what the system lacks
}

// Ask implements prompt.Engine.
func (a *asker) Ask(ctx context.Context, p prompt.Query, out io.Writer, told func(prompt.Progress)) (answer prompt.Answer, err error) {
	q, err := catalog.Request(ctx, a.site, p.SQL)
	if err != nil {
		return answer, err
	}
	q.Dialect, q.Limits, q.Format, q.Write = a.like.Dialect, a.like.Limits, p.Format, p.Write
	var of string
	s, err := a.runner.Run(ctx, q, out, func(e ask.Event) {
		switch e := e.(type) {
		case ask.Lacking:
			a.tell(e)
		case ask.Plan:
			of = e.String()
		case ask.Progress:
			told(prompt.Progress{Share: e.Percent / 100, Text: of})
		}
	})
	if s.Plan.Files > 0 {
		answer.Read = s.Plan.String()
	}
	answer.Rows = s.Rows
	return answer, err
}

// tell says once what the system lacks.
func (a *asker) tell(l ask.Lacking) {
	if a.told == nil {
		a.told = map[ask.Lacking]bool{}
	}
	if !a.told[l] {
		a.told[l] = true
		fmt.Fprintf(a.errs, "%s: queries run in a process of their own, but %s\n", cli.Name, l.Meaning())
	}
}
