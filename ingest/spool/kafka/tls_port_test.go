package kafka

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWithoutTLS: without TLS at a port with TLS the error says what to set, whether the server closes the connection or
// answers with an alert, which looks like the size of a huge response.
func TestWithoutTLS(t *testing.T) {
	closes := httptest.NewTLSServer(http.NotFoundHandler())
	closes.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	t.Cleanup(closes.Close)
	alerts, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { alerts.Close() })
	go func() {
		for {
			c, err := alerts.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1))
			_, _ = c.Write([]byte{21, 3, 3, 0, 2, 2, 70}) // the protocol version is not supported
			t.Cleanup(func() { c.Close() })
		}
	}()
	for _, at := range []net.Addr{closes.Listener.Addr(), alerts.Addr()} {
		c := Config{Target: Target{Brokers: []string{at.String()}, Topic: "pings", Group: "g", Compression: "none",
			Timeout: 2 * time.Second}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		p, err := NewProducer(t.Context(), c, 1<<20)
		require.NoError(t, err)
		require.ErrorContains(t, p.Health(t.Context()), "set spool.kafka.tls")
		require.NoError(t, p.Close())
	}
}
