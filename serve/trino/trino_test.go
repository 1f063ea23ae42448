package trino

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "github.com/trinodb/trino-go-client/trino" // the driver "trino"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// served returns the address of a server of an office, and the office.
func served(t *testing.T, change func(*Config)) (address string, o *bitest.Office) {
	t.Helper()
	o = bitest.Open(t)
	c := Config{Executor: o.Executor, Access: o.Access, Tables: o.Site.Tables, Version: "test", Idle: time.Minute,
		Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := New(c)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return l.Addr().String(), o
}

// asker sends requests with a token, and headers of its own.
type asker struct {
	t              testing.TB
	address, token string
	header         http.Header
}

func as(t testing.TB, address, token string) asker { return asker{t, address, token, http.Header{}} }

// with returns an asker that sends one more header.
func (a asker) with(name, value string) asker {
	a.header = a.header.Clone()
	a.header.Add(name, value)
	return a
}

// send sends a request to a path or URI.
func (a asker) send(method, uri, body string) (*http.Response, string) {
	a.t.Helper()
	if strings.HasPrefix(uri, "/") {
		uri = "http://" + a.address + uri
	}
	r, err := http.NewRequestWithContext(a.t.Context(), method, uri, strings.NewReader(body))
	require.NoError(a.t, err)
	for name, values := range a.header {
		r.Header[name] = values
	}
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(a.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(a.t, err)
	return res, string(text)
}

// driver returns the Go driver for a person.
func driver(t *testing.T, address, token string) *sql.DB {
	t.Helper()
	db, err := sql.Open("trino", "http://anybody@"+address+"?catalog=hive&schema=default&accessToken="+token)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// answer is what a statement ended with.
type answer struct {
	ID      string
	Next    string `json:"nextUri"`
	Info    string `json:"infoUri"`
	Columns []struct {
		Name, Type    string
		TypeSignature json.RawMessage
	}
	Data  []json.RawMessage
	Stats struct{ State string }
	Error *struct {
		Message              string
		ErrorCode            int
		ErrorName, ErrorType string
		ErrorLocation        *struct{ LineNumber, ColumnNumber int }
	}
	Warnings   []struct{ Message string }
	UpdateType string

	header http.Header // of all responses
}

// rows returns the rows as text.
func (a *answer) rows() string {
	lines := make([]string, len(a.Data))
	for i, row := range a.Data {
		lines[i] = string(row)
	}
	return strings.Join(lines, "\n")
}

// begin posts a statement and returns the first response.
func (a asker) begin(sql string) *answer {
	a.t.Helper()
	res, body := a.send(http.MethodPost, "/v1/statement", sql)
	require.Equal(a.t, http.StatusOK, res.StatusCode, "%s: %s", sql, body)
	got := &answer{header: http.Header{}}
	require.NoError(a.t, json.Unmarshal([]byte(body), got))
	return got
}

// follow reads the next response of a statement.
func (a asker) follow(got *answer) {
	a.t.Helper()
	res, body := a.send(http.MethodGet, got.Next, "")
	require.Equal(a.t, http.StatusOK, res.StatusCode, body)
	var more answer
	require.NoError(a.t, json.Unmarshal([]byte(body), &more), body)
	maps.Copy(got.header, res.Header)
	got.Next, got.Error, got.Stats, got.UpdateType = more.Next, more.Error, more.Stats, more.UpdateType
	got.Data = append(got.Data, more.Data...)
	if len(more.Columns) > 0 {
		got.Columns = more.Columns
	}
	if len(more.Warnings) > 0 {
		got.Warnings = more.Warnings
	}
}

// run runs a statement to its end.
func (a asker) run(sql string) *answer {
	a.t.Helper()
	got := a.begin(sql)
	for got.Next != "" {
		a.follow(got)
	}
	return got
}

// outcome returns the rows of a statement, or its error.
func (a asker) outcome(sql string) string {
	a.t.Helper()
	got := a.run(sql)
	if got.Error != nil {
		return got.Error.ErrorName + ": " + got.Error.Message
	}
	return got.rows()
}
