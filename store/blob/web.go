package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// web sends the requests of a bucket: it counts them, and cancels stalled ones.
type web struct {
	counter  *counter
	stall    time.Duration
	attempts int // of each request
	clock    atomic.Pointer[Reading]
}

// Reading is the time of a server in its last response, to a second, and the time of this machine when it came.
type Reading struct{ Server, Here time.Time }

// Clock returns the newest reading of the server's clock; false if no response had one.
func (b *Bucket) Clock() (Reading, bool) {
	r := b.web.clock.Load()
	if r == nil {
		return Reading{}, false
	}
	return *r, true
}

// readClock keeps the time that a response names.
func (w *web) readClock(resp *http.Response) {
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		w.clock.Store(&Reading{at, time.Now()})
	}
}

const usualStall = 30 * time.Second

// connections are shared by all buckets of the process.
var connections = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost, t.MaxIdleConns = 64, 256
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.DisableCompression = true
	return t
}()

func newWeb(o Options) *web {
	w := &web{counter: newCounter(), stall: o.Stall, attempts: o.Attempts}
	if w.stall == 0 {
		w.stall = usualStall
	}
	if w.attempts == 0 {
		w.attempts = usualAttempts
	}
	return w
}

// client returns the HTTP client for a provider's client.
func (w *web) client() *http.Client { return &http.Client{Transport: w} }

var errStalled = errors.New("the server has neither taken nor sent anything for too long")

// RoundTrip implements http.RoundTripper.
func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	stall := w.stall
	if req.Method == http.MethodPost || kind(req) == "copy" {
		stall *= 10 // the server works before it answers
	}
	timer := time.AfterFunc(stall, func() { cancel(errStalled) })
	req = req.WithContext(ctx)
	moved := func() { timer.Reset(stall) }
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = &moving{req.Body, func(n int) { moved(); w.counter.out(n) }}
	}
	trail, _ := req.Context().Value(trailKey{}).(*trail)
	resp, err := connections.RoundTrip(req)
	w.counter.request(kind(req), resp, err)
	writes := req.Method != http.MethodGet && req.Method != http.MethodHead
	if writes {
		trail.note(resp, err)
	}
	if err != nil {
		timer.Stop()
		if cause := context.Cause(ctx); errors.Is(cause, errStalled) {
			err = cause
		}
		cancel(nil)
		return nil, err
	}
	w.readClock(resp)
	resp.Body = &body{moving{resp.Body, func(n int) { moved(); w.counter.in(n) }}, ctx, func() { timer.Stop(); cancel(nil) }}
	if !writes {
		return resp, nil
	}
	if err := whole(resp); err != nil {
		if resp.StatusCode < 300 {
			trail.note(nil, err)
		}
		return nil, err
	}
	return resp, nil
}

// whole reads the answer to a request that writes, which is small. One that breaks off is no answer, so that it is asked for again: not all
// clients of the providers do, once they have the first line.
func whole(resp *http.Response) error {
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}

// moving reports the bytes that were read.
type moving struct {
	io.ReadCloser
	count func(n int)
}

func (m *moving) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.count(n)
	return n, err
}

// body is a response's.
type body struct {
	moving
	ctx  context.Context
	done func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.moving.Read(p)
	if cause := context.Cause(b.ctx); err != nil && errors.Is(cause, errStalled) {
		err = cause
	}
	return n, err
}

func (b *body) Close() error {
	defer b.done()
	return b.moving.Close()
}

// A trail records the outcome of the writing requests of one operation.
type trail struct {
	mu     sync.Mutex
	unsure bool
}

type trailKey struct{}

// trailed returns a context whose requests leave a trail.
func trailed(ctx context.Context) (context.Context, *trail) {
	t := &trail{}
	return context.WithValue(ctx, trailKey{}, t), t
}

// note takes what a request has brought. Those that the server has refused were not done.
func (t *trail) note(resp *http.Response, err error) {
	var dial *net.OpError
	if t == nil || errors.As(err, &dial) && dial.Op == "dial" || err == nil && resp.StatusCode < 500 || err == nil && resp.StatusCode == 503 {
		return
	}
	t.mu.Lock()
	t.unsure = true
	t.mu.Unlock()
}

// lost reports whether a request may have been executed although its response was lost.
func (t *trail) lost() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unsure
}

// kind returns the kind as which providers bill a request.
func kind(req *http.Request) string {
	q, path := req.URL.Query(), req.URL.Path
	has := func(name string) bool { return q.Has(name) }
	switch req.Method {
	case http.MethodGet:
		if has("list-type") || has("uploads") || q.Get("comp") == "list" || strings.HasSuffix(path, "/o") {
			return "list"
		}
		if strings.Contains(path, "/o/") && strings.Contains(path, "/b/") && q.Get("alt") != "media" {
			return "head"
		}
		return "get"
	case http.MethodHead:
		return "head"
	case http.MethodDelete:
		return "delete"
	}
	for _, header := range []string{"X-Amz-Copy-Source", "X-Ms-Copy-Source"} {
		if req.Header.Get(header) != "" {
			return "copy"
		}
	}
	if strings.Contains(path, "/rewriteTo/") || strings.Contains(path, "/copyTo/") {
		return "copy"
	}
	return "put"
}
