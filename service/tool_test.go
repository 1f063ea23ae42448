package service

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/serve/web"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/terminal/cli"
)

// TestDamagedTool: a damaged database of the query tool is reported, and the other parts work without it; when it is mended the tool is
// there again. A setting that is wrong is another thing.
func TestDamagedTool(t *testing.T) {
	in := sitetest.Local(t)
	accounts := filepath.Join(in.Dir, "web", "access.db")
	require.NoError(t, os.MkdirAll(filepath.Dir(accounts), 0o700))
	require.NoError(t, os.WriteFile(accounts,
		[]byte("this was a database until somebody wrote over its first page, which is longer than a header of 100 bytes"), 0o600))
	waits := make(chan bool)
	config := Config{
		Parts: []string{PartWeb, PartSchedule}, Data: in.Dir, Web: web.Settings{Listen: "127.0.0.1:0"},
		Operators: Operators{Private: "127.0.0.1:0"},
		Log:       cli.NewLog(t.Output()),
		Opening:   Opening{Installation: func(context.Context) (*site.Site, check.Options, error) { return in, check.Options{}, nil }},
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error {
			again := waits
			if d != toolAgain {
				again = nil
			}
			select {
			case again <- true:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}},
	}
	s, err := Open(t.Context(), config)
	require.NoError(t, err)
	require.ErrorContains(t, s.trouble.get(), "access.db")
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.serveTool(ctx, false) }()
	<-waits
	<-waits // it is still damaged
	require.ErrorContains(t, s.trouble.get(), "access.db")
	require.NoError(t, os.Remove(accounts))
	require.Eventually(t, func() bool {
		select {
		case <-waits:
		default:
		}
		return s.trouble.get() == nil
	}, time.Minute, time.Millisecond)
	response, err := http.Get("http://" + s.pages.Addr().String() + "/api/v1/session")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	end()
	require.NoError(t, <-ended)
	require.NoError(t, s.Close())

	config.Parts, config.Web.URL = []string{PartWeb, PartSchedule}, "nowhere"
	_, err = Open(t.Context(), config)
	var setup *SetupError
	require.ErrorAs(t, err, &setup)
}
