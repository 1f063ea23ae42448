// Command bench measures pingmill against DuckDB with a generated corpus and writes medians and ratios to a page.
//
// Every measurement is a separate process on one core. It counts user and system time, so that neither the other
// candidate nor its garbage affects it. Candidates alternate; a ratio compares the medians of one call.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/terminal/cli/start"
)

// options are the flags.
type options struct {
	dir     string
	out     string
	bytes   int64
	rounds  int
	rows    int
	only    string
	child   string
	input   string
	output  string
	profile string
	spool   string

	python string
	installations
	removal

	sizes, program, baseline, spark string
	limit                           time.Duration
}

// removal are the flags of the removal of clients from a lake.
type removal struct {
	lake                   string // folder
	clients, removed, days int
}

// installations are the flags of the year and the large day of queries.
type installations struct {
	year, day string // folders
	yearDays  int
	dayBytes  int64
}

func main() {
	start.Done() // candidates have the memory that the program has
	var o options
	flag.StringVar(&o.dir, "dir", "", "folder for the corpus; best in memory (default: one under /dev/shm, removed at the end)")
	flag.StringVar(&o.out, "out", "", "page to put the sections into (default: standard output only)")
	flag.Int64Var(&o.bytes, "bytes", 1<<30, "size of the corpus, bytes of JSON")
	flag.IntVar(&o.rounds, "rounds", 5, "alternating rounds")
	flag.IntVar(&o.rows, "rows", 1_000_000, "main_summary rows of the daily table's input")
	flag.StringVar(&o.only, "only", "", "comma-separated parts, whose sections replace those of the page: kernel, main, memory, daily, "+
		"parquet, decode, glean, archive-codec, edge, floor, pieces, stall, web, ask, size, clickhouse, polars, people, year, day, "+
		"longitudinal, small-day, whole, removal "+
		"(default: all but clickhouse, polars, people, year, day, removal)")
	flag.DurationVar(&o.limit, "limit", 20*time.Minute, "the longest that a part may take")
	flag.StringVar(&o.spool, "spool", "",
		"folder on a disk for the edge's spool (default: the temporary folder, or here if that is in memory)")
	flag.StringVar(&o.year, "year", "", "folder for the year of queries, made if it is empty and kept (default: made in the corpus's folder)")
	flag.StringVar(&o.day, "day", "", "the same for the large day")
	flag.IntVar(&o.yearDays, "year-days", 365, "days of that year; questions of a month need 130")
	flag.Int64Var(&o.dayBytes, "day-bytes", 10_000_000_000, "size of the large day, bytes of JSON")
	flag.StringVar(&o.lake, "lake", "", "folder for the lake of the removal, made if it is empty and kept (default: on a disk, removed at "+
		"the end)")
	flag.IntVar(&o.clients, "clients", 2_000_000, "clients of that lake")
	flag.IntVar(&o.removed, "removed", 10_000, "clients that are removed from it")
	flag.IntVar(&o.days, "days", 30, "days of that lake")
	flag.StringVar(&o.sizes, "sizes", usualSizes, "sizes of the whole way, comma-separated GB of JSON")
	flag.StringVar(&o.program, "program", "", "program for the whole way and the small days (default: built from this folder)")
	flag.StringVar(&o.baseline, "baseline", "", "an earlier program, measured beside it")
	flag.StringVar(&o.spark, "spark", "", "a spark-submit: the whole way is compared with Spark, too")
	flag.StringVar(&o.python, "python", "", "a Python with chdb and polars: parts clickhouse and polars are measured")
	flag.StringVar(&o.child, "child", "", "run one candidate (used by the program itself)")
	flag.StringVar(&o.input, "input", "", "input of the candidate")
	flag.StringVar(&o.output, "output", "", "output of the candidate")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a profile of the candidate")
	flag.Parse()
	run := bench
	if o.child != "" {
		run = child
	}
	if err := run(context.Background(), &o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// result is the report of a candidate's process.
type result struct {
	Units   int64   // pings or rows
	JSON    int64   // bytes of JSON it stands for
	Seconds float64 // user and system time
	Wall    float64
	Peak    int64 // bytes of memory at the most
}

func (r result) rate() float64 { return float64(r.Units) / r.Seconds }

// candidates are the processes that can be measured, by name.
var candidates = map[string]candidate{}

func child(ctx context.Context, o *options) error {
	f, ok := candidates[o.child]
	if !ok {
		return fmt.Errorf("no candidate %q", o.child)
	}
	if o.profile != "" {
		w, err := os.Create(o.profile)
		if err != nil {
			return fmt.Errorf("create profile: %w", err)
		}
		defer w.Close()
		if err := pprof.StartCPUProfile(w); err != nil {
			return fmt.Errorf("start profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	before, start := usage(), time.Now()
	units, bytes, err := f(ctx, o.input, o.output)
	if err != nil {
		return fmt.Errorf("%s: %w", o.child, err)
	}
	after := usage()
	return json.NewEncoder(os.Stdout).Encode(result{
		Units: units, JSON: bytes, Seconds: cpu(after) - cpu(before), Wall: time.Since(start).Seconds(), Peak: peakOf("self"),
	})
}

// peakOf returns the peak memory of a process, self or a process id, in bytes. Unlike getrusage it does not include
// the parent's memory.
func peakOf(process string) int64 {
	// 0 if the kernel writes it otherwise
	kb, _ := strconv.ParseInt(strings.TrimSuffix(procField("/proc/"+process+"/status", "VmHWM"), " kB"), 10, 64)
	return kb * 1024
}

// procField returns the value of the first line of a name in a file of /proc, if there is one.
func procField(file, name string) string {
	b, _ := os.ReadFile(file)
	for l := range strings.Lines(string(b)) {
		if field, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(field) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it cannot fail for the process itself
	return u
}

func cpu(u syscall.Rusage) float64 {
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// measure runs a candidate once in its own process, on one core.
func measure(ctx context.Context, name, input, output string) (r result, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, fmt.Errorf("find own program: %w", err)
	}
	if err := os.RemoveAll(output); err != nil {
		return r, fmt.Errorf("clear output: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "-child", name, "-input", input, "-output", output)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("measure %s: %w", name, err)
	}
	return r, json.Unmarshal(b, &r)
}

// median returns the element with the median of a number.
func median[T any](all []T, by func(T) float64) T {
	all = slices.SortedFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(by(a), by(b)) })
	return all[len(all)/2]
}

// trial is a candidate with its input.
type trial struct{ name, input string }

// alternate measures the trials alternately and returns their medians by name.
func alternate(ctx context.Context, dir string, rounds int, trials []trial) (map[string]result, error) {
	all := map[string][]result{}
	for round := range rounds {
		for _, t := range trials {
			r, err := measure(ctx, t.name, t.input, filepath.Join(dir, "out"))
			if err != nil {
				return nil, err
			}
			all[t.name] = append(all[t.name], r)
			fmt.Fprintf(os.Stderr, "round %d %-16s %8.0f/s  %6.2f s cpu  %6.2f s wall  %5.0f MB\n",
				round+1, t.name, r.rate(), r.Seconds, r.Wall, float64(r.Peak)/1e6)
		}
	}
	medians := map[string]result{}
	for name, rs := range all {
		medians[name] = median(rs, func(r result) float64 { return r.Seconds })
	}
	return medians, os.RemoveAll(filepath.Join(dir, "out"))
}

func bench(ctx context.Context, o *options) error {
	if o.dir == "" {
		base := "/dev/shm"
		if _, err := os.Stat(base); err != nil {
			base = os.TempDir()
		}
		dir, err := os.MkdirTemp(base, "pingmill-bench-")
		if err != nil {
			return fmt.Errorf("make folder for the corpus: %w", err)
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	out := &page{}
	failed := out.begin()
	for _, p := range parts {
		if p.apart && o.only == "" || o.only != "" && !slices.Contains(strings.Split(o.only, ","), p.name) {
			continue
		}
		start := time.Now()
		failed = errors.Join(failed, out.part(p.name, func(section *page) error {
			ctx, cancel := context.WithTimeout(ctx, o.limit)
			defer cancel()
			return p.run(ctx, o, section)
		}))
		fmt.Fprintf(os.Stderr, "part %s took %.0f s\n", p.name, time.Since(start).Seconds())
		if o.out != "" { // after each part: what was measured is not lost
			failed = errors.Join(failed, out.save(o.out, o.only == ""))
		}
	}
	fmt.Print(out.text.String())
	return failed
}

// parts lists the measurements; each writes one or more sections. A part that is apart takes long or has its own
// target: it runs only with -only.
var parts = []struct {
	name  string
	apart bool
	run   func(context.Context, *options, *page) error
}{
	{"kernel", false, kernelPart}, {"main", false, mainPart}, {"memory", false, memoryPart}, {"daily", false, dailyPart},
	{"parquet", false, parquetPart}, {"decode", false, decodePart}, {"glean", false, gleanPart}, {"archive-codec", false, archiveCodecPart},
	{"edge", false, edgePart}, {"floor", false, floorPart},
	{"pieces", false, edgePiecesPart}, {"stall", false, stallPart}, {"web", false, webPart},
	{"ask", false, askPart}, {"size", false, sizePart},
	{"clickhouse", true, clickhousePart}, {"polars", true, polarsPart},
	{"people", true, peoplePart}, {"year", true, yearPart}, {"day", true, dayPart}, {"longitudinal", false, longitudinalPart},
	{"small-day", false, smallDayPart}, {"whole", false, wholePart}, {"removal", true, removalPart},
}
