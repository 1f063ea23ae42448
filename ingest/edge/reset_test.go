package edge

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/listening/listeningtest"
)

// TestResets: clients that open streams of HTTP/2 and reset them at once cost little, and nothing that others sent is lost.
func TestResets(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	cert := writePair(t, certFile, keyFile, 1)
	for _, secure := range []bool{false, true} {
		t.Run(map[bool]string{false: "h2c", true: "tls"}[secure], func(t *testing.T) { testResets(t, secure, certFile, keyFile, trusting(cert)) })
	}
}

func testResets(t *testing.T, secure bool, certFile, keyFile string, trusted *tls.Config) {
	e := start(t, func(c *Config) {
		if secure {
			c.CertFile, c.KeyFile = certFile, keyFile
		}
	})
	dial, scheme := func() (net.Conn, error) { return net.Dial("tcp", e.addr) }, "http"
	if secure {
		scheme, dial = "https", func() (net.Conn, error) {
			c := trusted.Clone()
			c.NextProtos = []string{"h2"}
			return tls.Dial("tcp", e.addr, c)
		}
	}
	client := &http.Client{Transport: &http.Transport{
		Protocols: protocols(false, secure, !secure), TLSClientConfig: trusted.Clone(), // the transport writes to it
	}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	goroutines := runtime.NumGoroutine()
	const attackers, streams = 4, 20_000
	done := make(chan int, attackers)
	for range attackers {
		go func() {
			done <- listeningtest.Reset(t, dial, streams, ":method", "POST", ":scheme", scheme, ":authority", "edge", ":path",
				"/submit/telemetry/main/4/reset")
		}()
	}
	most, acknowledged := 0, map[string]bool{}
	for ended := 0; ended < attackers; {
		id := fmt.Sprint("kept", len(acknowledged))
		r, err := client.Post(scheme+"://"+e.addr+"/submit/telemetry/main/4/"+id, "", strings.NewReader("{}"))
		require.NoError(t, err)
		_ = r.Body.Close()
		require.Equal(t, 200, r.StatusCode)
		acknowledged[id] = true
		most = max(most, runtime.NumGoroutine())
		select {
		case <-done:
			ended++
		default:
		}
	}
	eventually(t, func() bool { return e.Stats().Requests == 0 && e.Stats().InFlight == 0 })
	client.CloseIdleConnections()
	eventually(t, func() bool { return e.Stats().Connections == 0 && runtime.NumGoroutine() <= goroutines+10 })
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d goroutines at most, %d bytes more, %d acknowledged meanwhile", most, int64(after.HeapAlloc)-int64(before.HeapAlloc),
		len(acknowledged))
	require.Less(t, most, goroutines+attackers*4*150)
	require.Less(t, after.HeapAlloc, before.HeapAlloc+32<<20)
	for _, r := range e.stop(t) {
		delete(acknowledged, strings.TrimPrefix(string(r.URI), "/submit/telemetry/main/4/"))
	}
	require.Empty(t, acknowledged, "acknowledged, and lost")
}
