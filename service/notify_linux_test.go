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

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/ingest/edge"
)

// managed makes a socket as the service manager has one.
func managed(t *testing.T, name string) *net.UnixConn {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	return c
}

// told waits for the next state that the manager is told.
func told(t *testing.T, c *net.UnixConn) string {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 100)
	n, err := c.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:n])
}

// TestNotify follows the states of an edge from its start to its end.
func TestNotify(t *testing.T) {
	c := managed(t, filepath.Join(t.TempDir(), "notify"))
	s, err := Open(t.Context(), Config{
		Parts: []string{PartEdge}, Data: filepath.Join(t.TempDir(), "data"), Listen: "127.0.0.1:0", Private: "127.0.0.1:0",
		Edge: edge.Config{Now: time.Now}, Spool: spool.Options{Edge: "e"}, Grace: time.Minute,
		Clock: Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	if got := told(t, c); got != "READY=1" {
		t.Errorf("at the start the manager was told %q", got)
	}
	end()
	if got := told(t, c); got != "STOPPING=1" {
		t.Errorf("at the end the manager was told %q", got)
	}
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}

func TestNotifySockets(t *testing.T) {
	ctx := context.Background()
	c := managed(t, "@pingmill-test-"+filepath.Base(t.TempDir())+filepath.Base(filepath.Dir(t.TempDir())))
	if err := notify(ctx, "READY=1"); err != nil {
		t.Fatal(err)
	}
	if got := told(t, c); got != "READY=1" {
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
