package send

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestAsClientsSend compares what a server gets with what the generator made.
func TestAsClientsSend(t *testing.T) {
	g := small(t)
	e := newEdge(t, nil)
	calls := int64(0)
	o := e.options(t)
	o.Progress = func(s Stats) { calls++ }
	r, err := Run(context.Background(), g, o)
	require.NoError(t, err)
	acknowledged, refused, ids := expected(g)
	if r.Acknowledged != acknowledged || r.Refused != refused || r.Submissions != acknowledged+refused ||
		calls != r.Submissions || r.Retries+r.GivenUp+r.NoResponse+r.Unfinished()+r.Nameless != 0 || r.LastError != nil ||
		r.Responses[200] != acknowledged || r.Responses[400] != refused || refused == 0 || r.Rate() <= 0 {
		t.Errorf("report is %+v, want %d and %d", r, acknowledged, refused)
	}
	if l := r.Latency; l.P50 <= 0 || l.P50 > l.P90 || l.P90 > l.P99 || l.P99 > l.Max {
		t.Errorf("latencies %+v", l)
	}
	checkIDs(t, o.IDs, ids)
	agents, bytes := map[string]bool{}, int64(0)
	for s := range g.Submissions() {
		e.checkArrived(t, s, agents)
		bytes += int64(len(s.Body))
	}
	if r.Bytes != bytes {
		t.Errorf("%d bytes sent of %d", r.Bytes, bytes)
	}
	if len(agents) < 5 {
		t.Errorf("user agents %v", agents)
	}
}

// checkArrived looks for a submission among what the edge has stored.
func (e *edge) checkArrived(t *testing.T, s *generate.Submission, agents map[string]bool) {
	t.Helper()
	path := string(s.URI)
	if path == "" {
		path = "/"
	}
	for _, a := range e.stored[path] {
		if !bytes.Equal(a.body, s.Body) {
			continue
		}
		same := true
		for _, h := range s.Headers {
			same = same && (h.Name == "Host" || a.header.Get(h.Name) == h.Value)
		}
		if _, ok := s.Header("X-Forwarded-For"); same && ok == (a.header["X-Forwarded-For"] != nil) {
			agents[a.header.Get("User-Agent")] = true
			return
		}
	}
	t.Fatalf("%s %s, headers %v, did not arrive as it is: %d others did", s.Odd, path, s.Headers, len(e.stored[path]))
}

// TestUntilResponse sends to an edge that fails in all ways there are, also
// after it has stored a submission.
func TestUntilResponse(t *testing.T) {
	g := small(t)
	e := newEdge(t, func(e *edge, w http.ResponseWriter, r *http.Request, n int) bool {
		switch (n + len(r.RequestURI) + int(r.RequestURI[30])) % 7 {
		case 0:
			drop(w)
		case 1:
			e.keep(r)
			drop(w)
		case 2:
			w.Header().Set("Retry-After", "77")
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			e.keep(r)
			w.WriteHeader(http.StatusInternalServerError)
		case 4: // 200 and then no body
			e.keep(r)
			w.Header().Set("Content-Length", "9")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			drop(w)
		case 5:
			http.Error(w, "too many", http.StatusTooManyRequests)
		default:
			return false
		}
		return true
	})
	var journal bytes.Buffer
	var mu sync.Mutex
	requests := 0
	o := e.options(t)
	o.Retries, o.Journal = -1, &journal
	o.Wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		if d >= 77*time.Second {
			requests++
		}
		return ctx.Err()
	}
	r, err := Run(context.Background(), g, o)
	require.NoError(t, err)
	acknowledged, refused, ids := expected(g)
	if r.Acknowledged != acknowledged || r.Refused != refused || r.GivenUp != 0 || r.Retries == 0 ||
		int64(requests) != r.Responses[503] || r.NoResponse == 0 || r.LastError == nil || r.Responses[429] == 0 || r.Responses[500] == 0 {
		t.Errorf("report is %+v with %d long pauses", r, requests)
	}
	checkIDs(t, o.IDs, ids)
	again := 0
	for id := range ids {
		if n := strings.Count(journal.String(), id+"\n"); n != ids[id] {
			t.Fatalf("id %s is %d times in the journal, want %d", id, n, ids[id])
		}
	}
	for path, list := range e.stored {
		for _, a := range list[1:] {
			if bytes.Equal(a.body, list[0].body) {
				again++
			} else if DocumentID([]byte(path)) != nil {
				t.Errorf("%s came with two bodies", path)
			}
		}
	}
	if again < 10 {
		t.Errorf("only %d copies stored", again)
	}
}

func TestGivenUp(t *testing.T) {
	g := population(t, generate.Config{Seed: 5, Clients: 20, Days: 1, MeanBytes: 16_000, Damaged: -1})
	e := newEdge(t, func(_ *edge, w http.ResponseWriter, _ *http.Request, _ int) bool {
		http.Error(w, "full", http.StatusInsufficientStorage)
		return true
	})
	o := e.options(t)
	o.Retries, o.Skip, o.Limit = 2, 3, 5
	r, err := Run(context.Background(), g, o)
	if err != nil || r.Submissions != 5 || r.GivenUp != 5 || r.Retries != 10 || r.Responses[507] != 15 || o.IDs.Len() != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	var want []string
	n := 0
	for s := range g.Submissions() {
		if n++; n > 3 && n <= 8 {
			want = append(want, string(s.URI))
		}
	}
	for _, uri := range want {
		if e.tries[uri] == 0 {
			t.Errorf("%s was not tried", uri)
		}
	}
	e.Close()
	o.Retries = 0
	if r, err = Run(context.Background(), g, o); err != nil || r.NoResponse != 5 || r.GivenUp != 5 || r.LastError == nil || r.Rate() <= 0 {
		t.Errorf("to a server that is gone: %+v, %v", r, err)
	}
}

// TestCutOff ends the context while submissions are on their way, in pauses and
// not begun.
func TestCutOff(t *testing.T) {
	for _, rate := range []float64{0, 1000} {
		ctx, cancel := context.WithCancel(context.Background())
		e := newEdge(t, func(_ *edge, w http.ResponseWriter, r *http.Request, n int) bool {
			if n == 1 { // some are tried again by now
				_, _ = io.Copy(io.Discard, r.Body)
				cancel()
				<-r.Context().Done()
			}
			w.WriteHeader(http.StatusBadGateway)
			return true
		})
		o := e.options(t)
		o.Retries, o.Rate, o.Wait = -1, rate, nil
		r, err := Run(ctx, small(t), o)
		if !errors.Is(err, context.Canceled) || r.Unfinished() == 0 || r.Unfinished() > 8 || r.Acknowledged != 0 {
			t.Errorf("rate %v: %+v, %v", rate, r, err)
		}
		if r, err = Run(ctx, small(t), o); !errors.Is(err, context.Canceled) || r.Submissions > 0 {
			t.Errorf("rate %v, again: %+v, %v", rate, r, err)
		}
	}
}

// TestSilence waits no longer than the timeout for an answer.
func TestSilence(t *testing.T) {
	e := newEdge(t, func(_ *edge, w http.ResponseWriter, r *http.Request, n int) bool {
		if n == 0 {
			_, _ = io.Copy(io.Discard, r.Body) // only then the server sees the connection end
			<-r.Context().Done()
		}
		return n == 0
	})
	o := e.options(t)
	o.Retries, o.Timeout, o.Limit = -1, 100*time.Millisecond, 4
	r, err := Run(context.Background(), small(t), o)
	if err != nil || r.Submissions != 4 || r.Acknowledged+r.Refused != 4 || r.NoResponse < r.Acknowledged {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEarlyResponses gets responses before the bodies are read.
func TestEarlyResponses(t *testing.T) {
	e := newEdge(t, func(_ *edge, w http.ResponseWriter, _ *http.Request, n int) bool {
		if n < 2 {
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n < 2
	})
	g := population(t, generate.Config{Seed: 5, Clients: 10, Days: 1, MeanBytes: 400_000, Damaged: -1, Duplicates: -1})
	o := e.options(t)
	o.Retries = -1
	r, err := Run(context.Background(), g, o)
	if err != nil || r.Acknowledged != r.Submissions {
		t.Fatalf("%+v, %v", r, err)
	}
	for s := range g.Submissions() {
		e.checkArrived(t, s, map[string]bool{})
	}
}

// fullDisk takes some bytes.
type fullDisk struct{ left int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestJournalFails(t *testing.T) {
	o := newEdge(t, nil).options(t)
	o.Journal = &fullDisk{100}
	r, err := Run(context.Background(), small(t), o)
	if err == nil || !strings.Contains(err.Error(), "no space left") || o.IDs.Len() != 2 {
		t.Errorf("%+v, %v, %d ids", r, err, o.IDs.Len())
	}
}

func TestOptions(t *testing.T) {
	at := func(s string) *url.URL {
		u, err := url.Parse(s)
		require.NoError(t, err)
		return u
	}
	good := Options{To: at("http://localhost:1"), Clock: clock.Clock{Now: time.Now}}
	for prints, change := range map[string]func(*Options){
		"no address":        func(o *Options) { o.To = nil },
		"no address of":     func(o *Options) { o.To = at("ftp://localhost") },
		"of the form":       func(o *Options) { o.To = at("localhost:8080") },
		"no user":           func(o *Options) { o.To = at("http://localhost/?q") },
		"no clock":          func(o *Options) { o.Now = nil },
		"rate -1":           func(o *Options) { o.Rate = -1 },
		"concurrency 30000": func(o *Options) { o.Concurrency = 30_000 },
		"skip -1":           func(o *Options) { o.Skip = -1 },
		"pauses from 1m0s":  func(o *Options) { o.Backoff = time.Minute },
	} {
		o := good
		change(&o)
		if _, err := Run(context.Background(), nil, o); err == nil || !strings.Contains(err.Error(), prints) {
			t.Errorf("want an error that says %q: %v", prints, err)
		}
	}
}
