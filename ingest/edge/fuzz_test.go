package edge

import (
	"bytes"
	"context"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
)

// memory keeps records, as a spool would.
type memory struct {
	mu      sync.Mutex
	records []spool.Record
}

func (m *memory) Append(_ context.Context, r *spool.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, spool.Record{URI: bytes.Clone(r.URI), Body: bytes.Clone(r.Body)})
	return nil
}

func (m *memory) take() []spool.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.records
}

// pipes is a listener whose connections are in memory.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// send returns raw bytes to the edge and returns the responses. An edge that has stopped reading, or waits for more, is
// cut off.
func (p pipes) send(raw []byte) []byte {
	client, server := net.Pipe()
	p <- server
	answered := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(client)
		answered <- b
	}()
	const patience = 3 * time.Millisecond
	_ = client.SetWriteDeadline(time.Now().Add(patience))
	_, _ = client.Write(raw)
	select {
	case b := <-answered:
		return b
	case <-time.After(patience):
		_ = server.Close()
		return <-answered
	}
}

var acknowledged = regexp.MustCompile(`HTTP/1\.[01] 200 OK\r\n`)

func FuzzRequest(f *testing.F) {
	get := request("GET /status HTTP/1.1", "", "Host: x")
	chunked := request("POST "+genericPath+" HTTP/1.1", "3;a\r\nabc\r\n0\r\nX: y\r\n\r\n", "Host: x", "Transfer-Encoding: chunked")
	for _, s := range []string{
		post(telemetryPath, "{}"), post(telemetryPath, "1") + chunked + post(genericPath, "2"), chunked + chunked,
		request("POST "+telemetryPath+" HTTP/1.1", "5\r\nhello\r\n0\r\n\r\n", "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked"),
		request("PUT "+telemetryPath+" HTTP/1.0", "{}", "Content-Length: 2", "Connection: keep-alive"), post(telemetryPath, "123456")[:100],
		get + get,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", post("http://h"+genericPath, "\r\n\r\n", "X: a\n b", "DNT: "),
		post(genericPath+strings.Repeat("x", 3000), ""), post(telemetryPath, "12345", "Expect: 100-continue"), "\r\n\r\n\r\n", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if bytes.Contains(raw, []byte("/status")) || bytes.Contains(raw, []byte("/__")) {
			return // these answer 200 without a record
		}
		m := new(memory)
		s, err := New(Config{Spool: m, Now: time.Now, MaxBody: 10_000})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		l := make(pipes)
		go func() { _ = s.Serve(ctx, l) }()
		out := l.send(raw)
		records := m.take()
		if n := len(acknowledged.FindAll(out, -1)); n > len(records) {
			t.Fatalf("%d acknowledged, %d kept, responses %q", n, len(records), out)
		}
		for _, r := range records {
			if _, err := ingest.ParseURI(r.URI); err != nil || !bytes.Contains(raw, r.URI) {
				t.Fatalf("kept %q", r.URI)
			}
			if len(r.Body) > len(raw) || bytes.Contains(raw, []byte("Content-Length")) && !bytes.Contains(raw, []byte("chunked")) &&
				!bytes.Contains(raw, r.Body) {
				t.Fatalf("kept body %q", r.Body)
			}
		}
	})
}

// FuzzFraming cuts a stream into pieces: framing must not depend on them.
func FuzzFraming(f *testing.F) {
	f.Add([]byte(post(telemetryPath, "1")+request("POST / HTTP/1.1", "3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: chunked")+"GET"), uint8(3))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\n"), uint8(1))
	f.Add([]byte(strings.Repeat("x", 300)), uint8(7))
	f.Fuzz(func(t *testing.T, raw []byte, piece uint8) {
		whole, parts := framing{maxLine: 200}, framing{maxLine: 200}
		n, err := whole.scan(raw)
		if n < 0 || n > len(raw) || (err == nil) != (n == len(raw)) && err == nil {
			t.Fatalf("%d of %d bytes, %v", n, len(raw), err)
		}
		var bad error
		for p := raw; len(p) > 0 && bad == nil; {
			k := min(int(piece)+1, len(p))
			_, bad = parts.scan(p[:k])
			p = p[k:]
		}
		if (bad == nil) != (err == nil) || bad == nil &&
			(whole.state != parts.state || whole.skip != parts.skip || !bytes.Equal(whole.part, parts.part)) {
			t.Fatalf("whole: %v in state %d, in parts: %v in state %d", err, whole.state, bad, parts.state)
		}
	})
}
