package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
	"github.com/pingmill/pingmill/tools/generate"
)

var (
	doorsTook  = flag.Duration("doors.took", 45*time.Second, "how long TestDoors asks statements")
	doorsMost  = flag.Int("doors.statements", 1<<30, "statements after which TestDoors ends sooner")
	doorsPeers = flag.Int("doors.askers", 4, "how many ask at once in TestDoors")
	doorsPause = flag.Duration("doors.pause", 400*time.Millisecond, "how long each of them waits after an answer in TestDoors")
)

// The installation of TestDoors: clients, days that were decoded before statements are asked, the real time that a day
// takes from then on, and how many days tables and archive are kept.
const (
	doorsClients = 40
	doorsHistory = 3
	doorsDay     = 10 * time.Second
	doorsKeep    = 4
	doorsStep    = 100 * time.Millisecond // of the clock
)

// busy is an installation in which everything goes on at once: a server by a clock that runs fast, pings that arrive, days that are
// published by its schedule, clients that ask to be forgotten, and days that expire.
type busy struct {
	*toolOf
	cmd *exec.Cmd
	in  io.WriteCloser
	log *os.File

	edge        string
	definitions string // of Glean

	all      []*weekSubmission
	sent     int
	mu       sync.Mutex
	now      time.Time
	forgot   atomic.Int64
	recorder *recorder
}

// TestDoors asks statements through every door of a busy installation. No answer is an internal error, and refusals
// stay refusals. Each result belongs to one state of the tables, with whole days, that was published while the
// statement ran: the same statement over the kept files of that state gives it.
func TestDoors(t *testing.T) {
	t.Parallel()
	b := newBusy(t)
	b.start()
	b.history()
	q := newQuestions(t, b)
	began := time.Now()
	ctx, end := context.WithTimeout(t.Context(), *doorsTook)
	defer end()
	life, stop := make(chan struct{}), make(chan struct{})
	rest := sync.OnceFunc(func() {
		close(stop)
		<-life
	})
	defer rest()
	go func() {
		defer close(life)
		b.live(stop)
	}()
	q.runAll(ctx)
	took := time.Since(began)
	q.checkSchedules()
	rest()
	q.finish()
	b.stop()
	b.checkLog()
	t.Logf("%v of statements, %d states of tables, %d days of the clock, %d clients forgotten: %s",
		took.Round(time.Second), len(b.recorder.states), int(b.now.Sub(b.first()).Hours()/24), b.forgot.Load(), q)
	require.Positive(t, q.exact.Load()+q.between.Load())
	require.Greater(t, 2*q.filled.Load(), q.exact.Load()+q.between.Load(), "most results have rows: %q have none", q.empty)
	require.LessOrEqual(t, 20*q.lost.Load(), q.exact.Load()+q.between.Load(), "most states are kept")
}

func newBusy(t *testing.T) *busy {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	web := clienttest.FreeAddress(t)
	b := &busy{
		toolOf: &toolOf{
			t: t, data: data, base: "http://" + web, flight: clienttest.FreeAddress(t), postgres: clienttest.FreeAddress(t),
			trinoAddress: clienttest.FreeAddress(t),
		},
		edge: clienttest.FreeAddress(t),
	}
	days := doorsHistory + 2 + int(*doorsTook/doorsDay)
	g, err := generate.New(generate.Config{Seed: 22, Clients: doorsClients, Days: days, MeanBytes: 16_000, Gzip: true, Glean: true})
	require.NoError(t, err)
	for s := range g.Submissions() {
		b.all = append(b.all, &weekSubmission{
			uri: string(s.URI), body: bytes.Clone(s.Body), headers: slices.Clone(s.Headers), at: time.Unix(0, s.Timestamp).UTC(),
		})
	}
	b.definitions = filepath.Join(t.TempDir(), "definitions")
	require.NoError(t, generate.WriteDefinitions(b.definitions))
	b.now = b.first()
	b.log, err = os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	return b
}

func (b *busy) first() time.Time {
	at, err := time.Parse("20060102", string(generate.DefaultStart))
	require.NoError(b.t, err)
	return at
}

// start starts the server. Replaced files stay as long as a query takes, by the clock that runs fast.
func (b *busy) start() {
	t, web := b.t, strings.TrimPrefix(b.base, "http://")
	b.cmd = exec.Command(os.Args[0], "--data", b.data, "--listen", b.edge, "--private", clienttest.FreeAddress(t), "--min-free", "0B",
		"--web", web, "--flight", b.flight, "--definitions", b.definitions, "--postgres", b.postgres, "--trino", b.trinoAddress,
		"--max-days", "0", "--keep-results", "0", "--query-slots", "4", "--query-per-person", "0",
		"--keep-tables", fmt.Sprint(doorsKeep), "--keep-archive", fmt.Sprint(doorsKeep), "--delete-every", "5h", "--publish-grace", "240h",
		"--segment-age", "30m", "--live-every", "3h", "--publish-every", "4h", "--archive-every", "7h")
	b.cmd.Env = append(os.Environ(), weekServer+"="+plainDisks)
	b.cmd.Stderr = b.log
	var err error
	b.in, err = b.cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, b.cmd.Start())
	t.Cleanup(func() {
		_ = b.cmd.Process.Kill() // it may have ended
		_ = b.cmd.Wait()
		text, _ := os.ReadFile(b.log.Name())
		if t.Failed() {
			t.Logf("end of the log: %s", text[max(0, len(text)-20_000):])
		}
		b.log.Close()
	})
	b.setClock(b.now)
	require.Eventually(t, func() bool {
		r, err := http.Get(b.base + "/api/v1/session")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	}, time.Minute, 50*time.Millisecond)
}

// setClock moves the clock.
func (b *busy) setClock(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = now
	if _, err := fmt.Fprintf(b.in, "now %d\n", now.UnixNano()); err != nil {
		b.t.Errorf("tell the server the time: %v", err)
	}
}

// clock returns the time of the server.
func (b *busy) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// arrive sends what is due.
func (b *busy) arrive() {
	for now := b.clock(); b.sent < len(b.all) && b.all[b.sent].at.Before(now); b.sent++ {
		s := b.all[b.sent]
		r, err := http.NewRequest(http.MethodPost, "http://"+b.edge+s.uri, strings.NewReader(string(s.body)))
		if err != nil {
			b.t.Error(err)
			return
		}
		for _, h := range s.headers {
			r.Header.Set(h.Name, h.Value)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			b.t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, res.Body) // the status counts
		res.Body.Close()
	}
}

// history lets the first days pass and waits until they are published.
func (b *busy) history() {
	t := b.t
	for hour := range doorsHistory * 24 / 6 {
		b.setClock(b.first().Add(time.Duration(hour+1) * 6 * time.Hour))
		b.arrive()
		time.Sleep(200 * time.Millisecond)
	}
	last := `"table":"telemetry_update_parquet","day":"` + b.first().Add((doorsHistory-1)*24*time.Hour).Format("20060102")
	require.Eventually(t, func() bool {
		b.setClock(b.clock().Add(time.Minute))
		log, err := os.ReadFile(b.log.Name())
		return err == nil && strings.Contains(string(log), last)
	}, 2*time.Minute, 500*time.Millisecond)
}

// live lets time pass until stop is closed.
func (b *busy) live(stop <-chan struct{}) {
	tick := time.NewTicker(doorsStep)
	defer tick.Stop()
	each := max(17*time.Hour, *doorsTook*(24*time.Hour/doorsDay)/(doorsClients/2)) // half of the clients stay
	forget := b.clock().Add(9 * time.Hour)
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		b.setClock(b.clock().Add(24 * time.Hour / (doorsDay / doorsStep)))
		b.arrive()
		if b.clock().After(forget) {
			forget = forget.Add(each)
			b.forget()
		}
	}
}

// forget has a client with rows send a deletion request.
func (b *busy) forget() {
	id := b.recorder.anyClient()
	if id == "" {
		return
	}
	n := b.forgot.Add(1)
	document := fmt.Sprintf("11111111-2222-4333-8444-%012d", n)
	body := fmt.Sprintf(`{"type":"deletion-request","version":4,"id":%q,"clientId":%q,"creationDate":%q,
"application":{"name":"Firefox"},"payload":{}}`, document, id, b.clock().Format(time.RFC3339))
	uri := "http://" + b.edge + "/submit/telemetry/" + document + "/deletion-request/Firefox/60.0/release/20180301000000"
	r, err := http.Post(uri, "application/json", strings.NewReader(body))
	if assert.NoError(b.t, err) {
		r.Body.Close()
		assert.Equal(b.t, 200, r.StatusCode)
	}
}

// stop ends the server as an operator does. Its clock goes on: parts wait by it.
func (b *busy) stop() {
	assert.NoError(b.t, b.cmd.Process.Signal(syscall.SIGTERM))
	if err := b.cmd.Wait(); err != nil {
		b.t.Errorf("the server ended with %v", err)
	}
}

var badWords = []string{"panic", "fatal error:", "makes no sense", `"level":"ERROR"`, "a query failed", "the process of a query died"}

// checkLog looks for what the server says of its own mistakes.
func (b *busy) checkLog() {
	text, err := os.ReadFile(b.log.Name())
	require.NoError(b.t, err)
	for line := range strings.Lines(string(text)) {
		if slices.ContainsFunc(badWords, func(bad string) bool { return strings.Contains(line, bad) }) {
			b.t.Errorf("the log has: %.2000s", line)
		}
	}
}
