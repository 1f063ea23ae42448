package service

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
)

// managed makes a socket as the service manager has one.
func managed(t *testing.T, name string) *net.UnixConn {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	return c
}

// nextState waits for the next state that the manager receives.
func nextState(t *testing.T, c *net.UnixConn) string {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	b := make([]byte, 100)
	n, err := c.Read(b)
	require.NoError(t, err)
	return string(b[:n])
}

// TestNotify follows the states of an edge from its start to its end.
func TestNotify(t *testing.T) {
	c := managed(t, filepath.Join(t.TempDir(), "notify"))
	s, err := Open(t.Context(), Config{
		Parts: []string{PartEdge}, Data: filepath.Join(t.TempDir(), "data"), Listen: "127.0.0.1:0", Operators: Operators{Private: "127.0.0.1:0"},
		Edge: edge.Config{Now: time.Now}, Spool: spool.Options{Edge: "e"}, Grace: time.Minute,
		Clock: clock.Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	if got := nextState(t, c); got != "READY=1" {
		t.Errorf("at the start the manager was told %q", got)
	}
	end()
	if got := nextState(t, c); got != "STOPPING=1" {
		t.Errorf("at the end the manager was told %q", got)
	}
	assert.NoError(t, errors.Join(<-ended, s.Close()))
}

func TestNotifySockets(t *testing.T) {
	ctx := context.Background()
	c := managed(t, "@pingmill-test-"+filepath.Base(t.TempDir())+filepath.Base(filepath.Dir(t.TempDir())))
	require.NoError(t, notify(ctx, "READY=1"))
	if got := nextState(t, c); got != "READY=1" {
		t.Errorf("told %q", got)
	}
	t.Setenv("NOTIFY_SOCKET", "")
	if err := notify(ctx, "READY=1"); err != nil {
		t.Errorf("without a socket: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	t.Setenv("NOTIFY_SOCKET", missing)
	if err := notify(ctx, "READY=1"); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("error %v: want one that names %s", err, missing)
	}
}
