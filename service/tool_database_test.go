package service

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/database/databasetest"
	"github.com/pingmill/pingmill/terminal/cli"
)

// lockedBuffer is a log that is written concurrently.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// TestDatabaseGone: a query tool whose PostgreSQL cannot be reached waits for it, also if it is the only part, and works again
// without a new start after the server was away. No log has the password.
func TestDatabaseGone(t *testing.T) {
	server := databasetest.Need(t)
	url := server.Database(t) + "&password=topsecret"
	server.Kill()
	in, log := sitetest.Local(t), &lockedBuffer{}
	config := Config{
		Parts: []string{PartWeb}, Data: in.Dir, Web: web.Settings{Listen: "127.0.0.1:0", Database: url},
		Operators: Operators{Private: "127.0.0.1:0"},
		Log:       cli.NewLog(log),
		Opening:   Opening{Installation: func(context.Context) (*site.Site, check.Options, error) { return in, check.Options{}, nil }},
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error {
			return clock.Wait(ctx, min(d, 100*time.Millisecond))
		}},
	}
	s, err := Open(t.Context(), config)
	require.NoError(t, err)
	require.ErrorContains(t, s.trouble.get(), "connect to PostgreSQL")
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.serveTool(ctx, false) }()
	require.NoError(t, server.Run())
	address := s.pages.Addr().String()
	status := func() int {
		r, err := http.Get("http://" + address + "/api/v1/session")
		if err != nil {
			return 0
		}
		_ = r.Body.Close()
		return r.StatusCode
	}
	works := func() bool { return status() == http.StatusOK }
	require.Eventually(t, works, time.Minute, 10*time.Millisecond)
	require.NoError(t, s.trouble.get())
	server.Kill()
	require.GreaterOrEqual(t, status(), 500)
	require.NoError(t, server.Run())
	require.Eventually(t, works, time.Minute, 10*time.Millisecond)
	end()
	require.NoError(t, <-ended)
	require.NoError(t, s.Close())
	require.Contains(t, log.text.String(), "the query tool does not work")
	require.NotContains(t, log.text.String(), "topsecret")
}
