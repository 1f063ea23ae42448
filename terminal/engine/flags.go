package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Formats lists the formats of results.
var Formats = query.Formats

// Flags holds the flags of queries.
type Flags struct {
	format, memory, dialect string
	threads                 int
	timeout                 time.Duration
	unsafe, allDays, stats  bool

	server, token, tokenFile string

	limits    guard.Set
	tableDays []string
	shown     struct {
		rows  int
		bytes int64
	}
}

// Add adds the flags to a command.
func (f *Flags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "table", "table, csv, json, ndjson, parquet or arrow")
	flags.StringVar(&f.dialect, "dialect", string(query.Presto), "presto or duckdb")
	flags.StringVar(&f.memory, "memory", "", "memory limit, such as 4GB (default: 80 % of the machine's)")
	flags.IntVar(&f.threads, "threads", 0, "threads (default: all cores)")
	flags.DurationVar(&f.timeout, "timeout", 0, "end a query after this time, such as 30s (default: never)")
	flags.BoolVar(&f.unsafe, "unsafe", false, "run queries in this process, where they can read and write all that you can")
	flags.BoolVar(&f.allDays, "all-days", false, "read as many days, files and bytes as the query wants")
	flags.BoolVar(&f.stats, "stats", false, "say what a query reads and has used even where standard error is no terminal")
	config.Flag(flags, "server", &f.server)
	config.Flag(flags, "token", &f.token)
	config.Flag(flags, "token-file", &f.tokenFile)
	config.Flag(flags, "query.days", &f.limits.Large.All)
	config.Flag(flags, "query.sampled-days", &f.limits.Large.Sampled)
	config.Flag(flags, "query.small", &f.limits.Small)
	config.Flag(flags, "query.table-days", &f.tableDays)
	config.Flag(flags, "query.max-files", &f.limits.Files)
	config.Flag(flags, "query.max-read", &f.limits.Bytes)
	config.Flag(flags, "query.max-rows", &f.shown.rows)
	config.Flag(flags, "query.max-shown", &f.shown.bytes)
}

// Settings holds the settings of queries.
type Settings struct {
	Dialect query.Dialect
	Format  query.Format
	Limits  worker.Limits
	Unsafe  bool
	Guard   guard.Set
	Shown   query.Cap // of a table on a terminal
	Stats   bool      // report what was read and used

	Server           string // "": the installation on this machine
	Token, TokenFile string // for the server
}

// Settings parses the flags.
func (f *Flags) Settings() (s Settings, err error) {
	s = Settings{Server: f.server, Token: f.token, TokenFile: f.tokenFile, Unsafe: f.unsafe, Stats: f.stats,
		Shown: query.Cap{Rows: int64(f.shown.rows), Bytes: f.shown.bytes}}
	if s.Format, err = query.ParseFormat(f.format); err != nil {
		return s, cli.Usage(err)
	}
	if s.Dialect, err = query.ParseDialect(f.dialect); err != nil {
		return s, cli.Usage(err)
	}
	s.Limits = worker.Limits{Threads: f.threads, Time: f.timeout}
	if f.memory != "" {
		n, err := humanize.ParseBytes(f.memory)
		if err != nil || n == 0 || n > 1<<50 {
			return s, cli.Usagef("--memory %s: want a size such as 4GB", f.memory)
		}
		s.Limits.Memory = int64(n)
	}
	if f.threads < 0 || f.timeout < 0 {
		return s, cli.Usagef("--threads and --timeout are not less than 0")
	}
	if f.allDays {
		return s, nil
	}
	days, err := config.QueryDays(f.tableDays)
	if err != nil {
		return s, cli.Usage(err)
	}
	s.Guard = f.limits
	s.Guard.Tables = map[string]guard.Days{}
	for table, d := range days {
		s.Guard.Tables[table] = guard.Days{All: d[0], Sampled: d[1]}
	}
	return s, nil
}

// LimitRows lists the limits: description, value, flag.
func (s Settings) LimitRows() [][]string {
	rows := [][]string{{"days of a very large table", daysText(s.Guard.Large), "--max-days"}}
	for _, table := range slices.Sorted(maps.Keys(s.Guard.Tables)) {
		rows = append(rows, []string{"days of " + table, daysText(s.Guard.Tables[table]), "--table-days"})
	}
	number := func(n int64, text string) string {
		if n == 0 {
			return "any"
		}
		return text
	}
	if s.Guard.Small > 0 {
		rows = append(rows, []string{"size from which its days are limited", humanize.IBytes(uint64(s.Guard.Small)), "--small-read"})
	}
	return append(rows,
		[]string{"files", number(int64(s.Guard.Files), humanize.Comma(int64(s.Guard.Files))), "--max-files"},
		[]string{"size of the files", number(s.Guard.Bytes, humanize.IBytes(uint64(s.Guard.Bytes))), "--max-read"},
		[]string{"rows of a table on a terminal", number(s.Shown.Rows, humanize.Comma(s.Shown.Rows)), "--max-rows"},
		[]string{"size of a table on a terminal", number(s.Shown.Bytes, humanize.IBytes(uint64(s.Shown.Bytes))), "--max-shown"},
		[]string{"memory", cmp.Or(strings.TrimPrefix(humanize.IBytes(uint64(s.Limits.Memory)), "0 B"), "80 % of the machine's"), "--memory"},
		[]string{"processors", cmp.Or(strings.TrimPrefix(strconv.Itoa(s.Limits.Threads), "0"), "all"), "--threads"},
		[]string{"time", number(int64(s.Limits.Time), s.Limits.Time.String()), "--timeout"},
	)
}

func daysText(d guard.Days) string {
	if d.All == 0 {
		return "any"
	}
	return fmt.Sprintf("%d; %d of some samples", d.All, d.Sampled)
}
