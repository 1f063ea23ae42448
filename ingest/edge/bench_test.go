package edge

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/pingmill/pingmill/ingest/spool"
)

func nothing(context.Context, *spool.Record) error { return nil }

// BenchmarkTCP sends 20 KB bodies on 64 keep-alive connections for each core;
// the clients are as light as can be.
func BenchmarkTCP(b *testing.B) {
	b.Run("nothing kept", func(b *testing.B) { benchmarkTCP(b, spoolFunc(nothing)) })
	for name, sync := range map[string]spool.Sync{"spool": spool.SyncGroup, "spool without sync": spool.SyncNone} {
		b.Run(name, func(b *testing.B) {
			s, err := spool.Open(b.TempDir(), spool.Options{Now: time.Now, Sync: sync})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			benchmarkTCP(b, s)
		})
	}
}

func benchmarkTCP(b *testing.B, s Spool) {
	e := start(b, func(c *Config) { c.Spool = s })
	raw := []byte(post(telemetryPath, string(make([]byte, 20_000)), "User-Agent: pingsender/1.0", "Date: Thu, 01 Mar 2018 00:00:00 GMT",
		"Content-Encoding: gzip"))
	b.SetBytes(int64(len(raw)))
	b.SetParallelism(64)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c, err := net.Dial("tcp", e.addr)
		if err != nil {
			b.Error(err)
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		for pb.Next() {
			if _, err := c.Write(raw); err != nil {
				b.Error(err)
				return
			}
			if !readOK(r) {
				b.Error("not acknowledged")
				return
			}
		}
	})
}

// readOK reads a response whose body is OK.
func readOK(r *bufio.Reader) bool {
	first, err := r.ReadSlice('\n')
	ok := err == nil && bytes.HasPrefix(first, []byte("HTTP/1.1 200 "))
	for err == nil {
		var line []byte
		if line, err = r.ReadSlice('\n'); len(line) == 2 {
			_, err = r.Discard(2)
			break
		}
	}
	return ok && err == nil
}

// writer is a response writer that allocates nothing.
type writer struct{ h http.Header }

func (w *writer) Header() http.Header         { return w.h }
func (w *writer) WriteHeader(int)             {}
func (w *writer) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkHandler is the handler without net/http.
func BenchmarkHandler(b *testing.B) {
	s, err := New(Config{Spool: spoolFunc(nothing), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	body := bytes.NewReader(make([]byte, 20_000))
	r := httptest.NewRequest(http.MethodPost, telemetryPath+"?v=4", io.NopCloser(body))
	r.ContentLength = int64(body.Len())
	for _, h := range []string{"Date", "Dnt", "User-Agent", "Content-Encoding", "X-Forwarded-For"} {
		r.Header.Set(h, "some value")
	}
	w := &writer{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = body.Seek(0, io.SeekStart)
		s.Handler().ServeHTTP(w, r)
	}
	if s.Stats().Responses[200] == 0 {
		b.Fatal("nothing was taken")
	}
}
