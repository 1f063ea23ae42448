package blobtest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Faults sets the faults between client and bucket. Shares are of requests, from 0 to 1.
type Faults struct {
	Seed  uint64
	Delay time.Duration // each request waits up to so long

	Refuse   float64 // answered 503 SlowDown and not done
	Break    float64 // answered 500 and not done
	CutUp    float64 // the connection breaks before all of the request is there; not done
	CutDown  float64 // the connection breaks in the middle of the answer; done
	Lose     float64 // the connection breaks instead of the answer; done
	Hang     float64 // no answer until the client gives up; not done
	HangDone float64 // the same; done

	// Stale listings come from old servers: they lack objects that were written less than so long ago, and name those that were deleted.
	Stale time.Duration

	// NoVersion has answers about objects whose names contain this text come without ETag, as from a server whose folder was
	// restored without it.
	NoVersion string

	// Only are the methods of requests that go wrong; all, if it is empty. Listings are "LIST".
	Only []string
	// Most, unless it is 0, is how many requests go wrong.
	Max int
	// Off, if it is there and true, has everything pass.
	Off *atomic.Bool
	// Sent, if it is there, hears of each request: its method, its path, and for listings the prefix.
	Sent func(method, path string)
	// Seen, if it is there, hears of each fault: its name, and the request.
	Seen func(fault, method, path string)
}

// Faulty returns another URL of a bucket: the URL of a proxy with faults.
func Faulty(t testing.TB, root string, f Faults) string {
	t.Helper()
	u, err := url.Parse(root)
	require.NoError(t, err)
	set := u.Query()
	to, err := url.Parse(set.Get("endpoint"))
	require.NoError(t, err)
	p := &proxy{faults: f, to: to.Host, random: rand.New(rand.NewPCG(f.Seed, 1)), stop: make(chan struct{})}
	p.web.DisableCompression = true
	p.web.MaxIdleConnsPerHost = 64
	s := httptest.NewServer(p)
	t.Cleanup(func() {
		close(p.stop)
		s.CloseClientConnections()
		s.Close()
		p.web.CloseIdleConnections()
	})
	to.Host = strings.TrimPrefix(s.URL, "http://")
	set.Set("endpoint", to.String())
	u.RawQuery = set.Encode()
	return u.String()
}

type proxy struct {
	faults Faults
	to     string
	web    http.Transport
	stop   chan struct{} // closed at the end of the test

	mu     sync.Mutex
	random *rand.Rand
	wrong  int // requests that went wrong
	past   history
}

// draw returns the fault of a request, and how long it waits. Part is where an answer or a request is cut.
func (p *proxy) draw(method string) (fault string, wait time.Duration, part float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.faults
	at, part := p.random.Float64(), p.random.Float64()
	if f.Delay > 0 {
		wait = time.Duration(p.random.Int64N(int64(f.Delay)))
	}
	if f.Off != nil && f.Off.Load() {
		return "", 0, part
	}
	if f.Max > 0 && p.wrong == f.Max || len(f.Only) > 0 && !strings.Contains(" "+strings.Join(f.Only, " ")+" ", " "+method+" ") {
		return "", wait, part
	}
	for _, one := range []struct {
		share float64
		name  string
	}{{f.Refuse, "refuse"}, {f.Break, "break"}, {f.CutUp, "cut up"}, {f.CutDown, "cut down"}, {f.Lose, "lose"}, {f.Hang, "hang"},
		{f.HangDone, "hang done"}} {
		if at -= one.share; at < 0 {
			p.wrong++
			return one.name, wait, part
		}
	}
	return "", wait, part
}

// ServeHTTP implements http.Handler.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if isList(r) {
		method = "LIST"
	}
	if p.faults.Sent != nil {
		p.faults.Sent(method, r.URL.Path+" "+r.URL.Query().Get("prefix"))
	}
	fault, wait, part := p.draw(method)
	if fault != "" && p.faults.Seen != nil {
		p.faults.Seen(fault, method, r.URL.Path)
	}
	if wait > 0 {
		p.sleep(r, wait)
	}
	switch fault {
	case "refuse":
		refuse(w, r, http.StatusServiceUnavailable, "SlowDown")
		return
	case "break":
		refuse(w, r, http.StatusInternalServerError, "InternalError")
		return
	case "cut up":
		_, _ = io.CopyN(io.Discard, r.Body, int64(part*float64(max(0, r.ContentLength))))
		panic(http.ErrAbortHandler)
	case "hang":
		_, _ = io.Copy(io.Discard, r.Body)
		p.sleep(r, time.Hour)
		panic(http.ErrAbortHandler)
	}
	p.pass(w, r, fault, part)
}

// sleep waits, at most until the client disconnects or the test ends.
func (p *proxy) sleep(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	case <-p.stop:
	}
}

// refuse answers as servers do, without what was asked.
func refuse(w http.ResponseWriter, r *http.Request, status int, code string) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>%s</Code><Message>injected</Message></Error>`, code)
	}
}

// pass does a request, and answers unless the answer is to be lost.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request, fault string, part float64) {
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host, out.RequestURI = "http", p.to, "" // the host's name is signed, and stays
	out.Header.Del("Expect")
	if r.ContentLength == 0 {
		out.Body = nil
	}
	resp, err := p.web.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if p.faults.Stale > 0 && resp.StatusCode < 300 && (p.faults.Off == nil || !p.faults.Off.Load()) {
		body = p.stale(r, body)
	}
	switch fault {
	case "lose":
		panic(http.ErrAbortHandler)
	case "hang done":
		p.sleep(r, time.Hour)
		panic(http.ErrAbortHandler)
	}
	if p.faults.NoVersion != "" && strings.Contains(r.URL.Path, p.faults.NoVersion) && (p.faults.Off == nil || !p.faults.Off.Load()) {
		resp.Header.Del("ETag")
	}
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	if r.Method != http.MethodHead {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	}
	w.WriteHeader(resp.StatusCode)
	if fault == "cut down" {
		_, _ = io.Copy(w, bytes.NewReader(body[:int(part*float64(len(body)))]))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}
