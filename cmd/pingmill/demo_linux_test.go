package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/terminal/cli"
)

// TestDemoServes: the demonstration ends with a link that signs in, each time it is started, and with pings that arrive.
func TestDemoServes(t *testing.T) {
	t.Chdir(t.TempDir())
	link := regexp.MustCompile(`(http://\S+)/link#(\S+)`)
	for range 2 {
		ctx, cancel := context.WithCancelCause(t.Context())
		out, w := io.Pipe()
		code := make(chan int)
		var errs strings.Builder
		go func() {
			code <- run(ctx, []string{"demo", "--clients", "20", "--days", "2", "--once=false"}, strings.NewReader(""), w, &errs)
			_ = w.Close()
		}()
		lines := bufio.NewScanner(out)
		var found []string
		for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl-C") {
			if found == nil {
				found = link.FindStringSubmatch(lines.Text())
			}
		}
		if found == nil {
			<-code
			t.Fatal(errs.String())
		}
		r, err := http.Post(found[1]+"/api/v1/session/link", "application/json", strings.NewReader(`{"token":"`+found[2]+`"}`))
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, 200, r.StatusCode)
		cancel(cli.Signalled{})
		go func() { _, _ = io.Copy(io.Discard, out) }()
		require.Zero(t, <-code, errs.String())
	}
}
