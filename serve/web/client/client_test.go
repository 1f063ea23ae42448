package client

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/serve/web/queries"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/database"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

const token = "pm_token"

var bob = &access.Person{ID: "bob", Grants: []access.Grant{{Table: access.AllTables}}}

// served returns a server that knows one token.
func served(t *testing.T) (*httptest.Server, *queryservice.Service) {
	s := sitetest.Local(t)
	d, err := queryservice.Open(t.Context(), queryservice.Config{
		Site: s, Place: database.In(t.TempDir()), Temp: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Options: queryservice.Options{Queue: queue.Options{Slots: 1, Waiting: 1}, Limits: worker.Limits{Threads: 1, Memory: 512 << 20},
			Keep: time.Hour, KeepBytes: 1 << 30},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	mux := http.NewServeMux()
	queries.Config{QueryService: d, Tables: s.Tables}.Routes(api.New(mux, "1"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+token {
			r = r.WithContext(access.With(r.Context(), bob))
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server, d
}

// TestRun: a query, its result, and its errors as if it ran here.
func TestRun(t *testing.T) {
	server, _ := served(t)
	c, err := New(server.URL+"/", token)
	require.NoError(t, err)
	q, err := c.Run(t.Context(), Question{SQL: "SELECT 1 AS n, 'ü' AS t"}, nil)
	require.NoError(t, err)
	in, err := c.Result(t.Context(), q.ID, query.FormatCSV)
	require.NoError(t, err)
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	require.NoError(t, in.Close())
	require.Equal(t, "n,t\n1,ü\n", string(text))
	_, err = c.Run(t.Context(), Question{SQL: "SELECT\n nothing"}, nil)
	var wrong *query.Error
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, []any{2, 2, " nothing"}, []any{wrong.Line, wrong.Column, wrong.Text})
	_, err = c.Run(t.Context(), Question{SQL: "SELECT {{x}}"}, nil)
	require.ErrorAs(t, err, &wrong)
	may, err := c.Completion(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, may.Tables)
	_, err = c.Result(t.Context(), "nothing", query.FormatCSV)
	require.ErrorContains(t, err, "no such query")
}

// TestCancel: a client that disconnects leaves no query behind.
func TestCancel(t *testing.T) {
	server, d := served(t)
	c, err := New(server.URL, token)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = c.Run(ctx, Question{SQL: "SELECT count(*) FROM range(100000000) AS a(i), range(100000000) AS b(j) WHERE a.i * b.j % 7 = 3",
		Dialect: query.DuckDB}, func(queryservice.Query) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	list, _, err := d.List(t.Context(), bob, queryservice.Filter{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, queryservice.Cancelled, list[0].State)
}

// TestOtherServers: what is wrong with address, token and server is said in words.
func TestOtherServers(t *testing.T) {
	for server, want := range map[string]string{"pings": "no address", "ftp://x": "no address", "http://pings.example.org": "https://"} {
		_, err := New(server, token)
		require.ErrorContains(t, err, want)
	}
	_, err := New("https://pings.example.org", "")
	require.ErrorContains(t, err, "token")
	server, _ := served(t)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/moved") {
			http.Redirect(w, r, server.URL, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<h1>Welcome</h1>") // the client may have disconnected
	}))
	t.Cleanup(other.Close)
	for base, want := range map[string]string{
		other.URL:            "no query tool of pingmill",
		other.URL + "/moved": "no query tool of pingmill",
		secure.URL:           "certificate",
		strings.Replace(other.URL, "http:", "https:", 1): "does not speak TLS",
		server.URL: "does not know the token",
	} {
		c, err := New(base, "pm_other")
		require.NoError(t, err)
		_, err = c.Run(t.Context(), Question{SQL: "SELECT 1"}, nil)
		require.ErrorContains(t, err, want, base)
	}
}
