package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/terminal/cli"

	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/terminal/cli/start"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// midnightVariable makes the test binary the program, with a clock for which it
// is the midnight after splitDay at this time.
const midnightVariable = "PINGMILL_TEST_MIDNIGHT"

const splitDay = "20180301"

var splitMidnight = time.Date(2018, 3, 2, 0, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	_ = os.Setenv("PINGMILL_WEB_LISTEN", "127.0.0.1:0")          // servers run side by side
	other := os.Getenv(weekServer) + os.Getenv(midnightVariable) // a process for which it is another time
	if binary := os.Getenv(binaryVariable); binary != "" && other == "" && filepath.Base(os.Args[0]) == "pingmill" {
		panic(syscall.Exec(binary, append([]string{"pingmill"}, os.Args[1:]...), os.Environ()))
	}
	worker.Main()
	start.Done()
	if name := os.Getenv(weekServer); name != "" {
		os.Exit(serveWeek(name, os.Args[1:], os.Stdin, os.Stdout))
	}
	text := os.Getenv(midnightVariable)
	if text == "" {
		_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.NumCPU())) // they wait for others most of the time; the command line comes later
		testscript.Main(suite{m}, map[string]func(){"pingmill": main, "panics": func() { panic(0) }})
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	ahead := splitMidnight.Sub(at)
	root := newRoot()
	own, _, err := root.Find([]string{"serve"})
	if err != nil {
		panic(err)
	}
	root.RemoveCommand(own)
	root.AddCommand(newServeAt(clock.Clock{
		Now:  func() time.Time { return time.Now().Add(ahead) },
		Wait: func(ctx context.Context, d time.Duration) error { return clock.Wait(ctx, min(d, 200*time.Millisecond)) },
	}, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = root.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pingmill:", err)
		os.Exit(cli.ExitFailed)
	}
	os.Exit(0)
}

// splitPart returns a process that runs one part of the service.
func splitPart(t *testing.T, data, only string, midnight time.Time, args ...string) *server {
	t.Helper()
	s := serverOf(t, os.Args[0], data)
	s.env = []string{midnightVariable + "=" + midnight.Format(time.RFC3339Nano)}
	s.args = append([]string{"--only", only}, args...)
	if only != service.PartEdge {
		s.awaited = s.private
	}
	return s
}

// TestSplit runs edge, decoding and schedule as processes of their own, which
// are killed in turn while submissions come and a day ends. Every acknowledged
// submission is in the archive once, and the day is published.
func TestSplit(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	midnight := time.Now().Add(7 * time.Second)
	edge := splitPart(t, data, service.PartEdge, midnight, "--segment-age", "300ms")
	decode := splitPart(t, data, service.PartDecode, midnight, "--archive-every", "2s", "--publish-every", "500ms")
	schedule := splitPart(t, data, service.PartSchedule, midnight)

	schedule.start() // the order does not matter
	decode.start()
	decode.checkPage("/__heartbeat__", 503, `"archive": "ok"`, `no edge has opened the spool`)
	edge.start()
	var ids send.IDs
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		r := rand.New(rand.NewPCG(1, 2))
		for range 3 {
			for _, s := range []*server{edge, decode, schedule} {
				<-time.After(time.Duration(r.Int64N(int64(800 * time.Millisecond))))
				s.kill()
				s.start()
			}
		}
	}()
	report := sendSplit(t, edge, &ids)
	<-killed
	checkParts(t, edge, decode, schedule)
	decode.stop() // while the edge runs
	decode.start()
	site := openSite(t, data)
	a, err := loader.AwaitAccount(context.Background(), site.Archive, &ids, loader.AwaitOptions{
		Wait: time.Minute, Every: 100 * time.Millisecond, Clock: clock.System(),
	})
	if err != nil || !a.Faultless() || report.Acknowledged < report.Submissions*9/10 {
		t.Errorf("%d acknowledged of %d: %+v, %v", report.Acknowledged, report.Submissions, a, err)
	}
	awaitPublished(t, data)
	for _, s := range []*server{edge, decode, schedule} {
		s.stop()
	}
	account(t, data, &ids)
	edge.start() // it deletes files of segments that a killed process had removed from the spool but not yet given back
	edge.stop()
	left, err := os.ReadDir(filepath.Join(data, "spool"))
	if err != nil || len(left) != 4 {
		t.Errorf("the spool has %v, %v; want the floor, the identity and the locks", left, err)
	}
}

// sendSplit sends a population for some seconds.
func sendSplit(t *testing.T, edge *server, ids *send.IDs) send.Report {
	t.Helper()
	const count, rate = 2000, 250
	g, err := generate.New(generate.Config{Seed: 4, Clients: count/3 + 10, Days: 3, MeanBytes: 16_000, Gzip: true, Damaged: 0.02,
		Duplicates: 0.02})
	require.NoError(t, err)
	to, err := url.Parse("http://" + edge.address)
	require.NoError(t, err)
	report, err := send.Run(context.Background(), g, send.Options{
		To: to, Rate: rate, Concurrency: 32, Retries: -1, Limit: count, Backoff: 50 * time.Millisecond, MaxBackoff: time.Second,
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error { return clock.Wait(ctx, min(d, time.Second)) }},
		IDs:   ids,
	})
	require.NoError(t, err)
	return report
}

// checkParts asks each process for what its parts know, and for that alone.
func checkParts(t *testing.T, edge, decode, schedule *server) {
	t.Helper()
	for _, c := range []struct {
		s         *server
		only      string
		has, lack []string
		healthy   []string
	}{
		{edge, service.PartEdge, []string{"pingmill_submissions_total", "pingmill_spool_bytes"},
			[]string{"pingmill_decoded_total", "pingmill_edge_lag_seconds", "pingmill_partitions_total"}, []string{`"disk": "ok"`}},
		{decode, service.PartDecode, []string{"pingmill_decoded_total", "pingmill_edge_lag_seconds"},
			[]string{"pingmill_submissions_total", "pingmill_table_freshness"}, []string{`"spool": "ok"`, `"archive": "ok"`, `"ledger": "ok"`}},
		{schedule, service.PartSchedule, []string{"pingmill_partitions_total"}, []string{"pingmill_submissions_total", "pingmill_decoded_total"},
			[]string{`"archive": "ok"`, `"ledger": "ok"`}},
	} {
		c.s.checkPage("/metrics", 200, c.has...)
		_, text := c.s.page("/metrics")
		if i := slices.IndexFunc(c.lack, func(name string) bool { return strings.Contains(text, name) }); i >= 0 {
			t.Errorf("the metrics of %s have %s", c.only, c.lack[i])
		}
		c.s.checkPage("/__heartbeat__", 200, c.healthy...)
		c.s.checkPage("/status", 200, `"spool"`)
		mustCall(t, "health", "--only", c.only, "--listen", c.s.address, "--private", c.s.private)
	}
	for _, c := range []struct{ only, private, want string }{
		{service.PartDecode, "127.0.0.1:0", "another process decodes it"},
		{"edge,decode", "127.0.0.1:0", "another process has it open"},
		{service.PartSchedule, decode.private, "address already in use: each process needs its own"},
	} {
		code, _, errs := call(nil, "serve", "--data", edge.data, "--listen", "127.0.0.1:0", "--private", c.private, "--only", c.only)
		want := cli.ExitFailed
		if c.only == service.PartSchedule { // its address is taken
			want = cli.ExitUsage
		}
		if code != want || !strings.Contains(errs, c.want) {
			t.Errorf("another %s: exit %d: %s", c.only, code, errs)
		}
	}
}

// awaitPublished polls until every table of the day is published.
func awaitPublished(t *testing.T, data string) {
	t.Helper()
	s := &server{t: t, data: data}
	sitetest.WaitFor(t, "publication of all tables", func() bool {
		states := s.states(splitDay)
		for _, state := range states {
			if !strings.HasPrefix(state, "published ") {
				return false
			}
		}
		return len(states) == len(weekTables)
	})
}

// TestEdgeAlone takes submissions where there is no archive, and ends with them on disk. If its folder is missing it
// does not begin with numbers that an archive somewhere may have.
func TestEdgeAlone(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := splitPart(t, data, service.PartEdge, time.Now().Add(time.Hour))
	last := ""
	for range 2 {
		s.start()
		sub := newProfile(t)
		s.post(string(sub.URI), sub.Body, sub.Headers, 200)
		s.stop()
		segments, err := filepath.Glob(filepath.Join(data, "spool", "*.seg"))
		if err != nil || len(segments) != 1 {
			t.Fatalf("the spool has %v, %v", segments, err)
		}
		if filepath.Base(segments[0]) <= last {
			t.Errorf("%s comes after %s", segments[0], last)
		}
		last = filepath.Base(segments[0])
		if all, err := os.ReadDir(data); err != nil || len(all) != 1 {
			t.Errorf("the installation of an edge has %v, %v", all, err)
		}
		require.NoError(t, os.RemoveAll(data))
	}
}
