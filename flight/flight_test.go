package flight

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/clienttest"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

func TestMain(m *testing.M) {
	ask.Main()
	os.Exit(m.Run())
}

// restricted is the table that wants a grant of its own.
func restricted(t testing.TB) string {
	t.Helper()
	tables := sitetest.Tables(sitetest.Probes(t))
	i := slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Restricted })
	return tables[i].Name
}

// grants are those of the tests' persons, whose tokens are their names.
func grants(t testing.TB) map[string][]access.Grant {
	return map[string][]access.Grant{
		"all":    {{Table: access.AllTables}, {Table: restricted(t)}},
		"common": {{Table: access.AllTables}},
		"narrow": {{Table: "addons", Columns: []string{"document_id", "submission_date_obj"}}},
	}
}

// testDesk runs questions at once, and counts those that ended since somebody cancelled them.
type testDesk struct {
	site   *site.Site
	runner ask.Runner

	mu        sync.Mutex
	running   int
	cancelled int
}

func (d *testDesk) request(ctx context.Context, p *access.Person, q Question) (ask.Request, error) {
	r, err := catalog.Request(ctx, d.site, q.Dialect, q.SQL)
	if err != nil {
		return r, err
	}
	r.Person, r.Format = p.ID, query.FormatArrow
	granted := (&service{Config: Config{Tables: d.site.Tables}}).granted(access.With(ctx, p))
	r.Views = slices.DeleteFunc(r.Views, func(v query.View) bool {
		return !slices.ContainsFunc(granted, func(g query.View) bool { return g.Name == v.Name })
	})
	for i := range r.Views {
		r.Views[i].Columns = granted[i].Columns
	}
	return r, nil
}

func (d *testDesk) Plan(ctx context.Context, p *access.Person, q Question) (columns []query.Column, err error) {
	r, err := d.request(ctx, p, q)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = d.runner.Run(limited, r, io.Discard, func(e ask.Event) {
		if c, ok := e.(ask.Columns); ok {
			columns = c
			cancel()
		}
	})
	if columns != nil {
		err = nil
	}
	return columns, err
}

func (d *testDesk) Run(ctx context.Context, p *access.Person, q Question) (io.ReadCloser, error) {
	r, err := d.request(ctx, p, q)
	if err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	d.count(1, 0)
	go func() {
		_, err := d.runner.Run(ctx, r, in, nil)
		_ = in.CloseWithError(err)
		if errors.Is(err, context.Canceled) {
			d.count(-1, 1)
		} else {
			d.count(-1, 0)
		}
	}()
	peek := bufio.NewReader(out) // the error of a query that never began is Run's
	if _, err := peek.Peek(1); err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{peek, out}, nil
}

func (d *testDesk) count(running, cancelled int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running += running
	d.cancelled += cancelled
}

// ended waits until so many queries were cancelled, and none runs.
func (d *testDesk) ended(t *testing.T, cancelled int) {
	t.Helper()
	sitetest.WaitFor(t, "the end of the queries", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.running == 0 && d.cancelled == cancelled
	})
}

// accounts are the people of grants; tokens gives what they sign in with, one that has expired, and one that is not for queries.
func accounts(t *testing.T) *access.Store {
	t.Helper()
	var clock sitetest.Clock
	clock.Set(time.Now().UnixNano())
	store, err := access.Open(t.Context(), t.TempDir(), clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	tokens = map[string]string{}
	for name, g := range grants(t) {
		p, err := store.Add(t.Context(), access.Person{Name: name, Kind: access.Service, Grants: g})
		require.NoError(t, err)
		_, tokens[name], err = store.NewToken(t.Context(), p.ID, access.Token{Name: "test", Scopes: []access.Scope{access.QueryScope}})
		require.NoError(t, err)
		_, tokens["expired "+name], err = store.NewToken(t.Context(), p.ID, access.Token{Name: "short", Scopes: []access.Scope{access.QueryScope}, Expires: clock.Now().Add(time.Minute)})
		require.NoError(t, err)
		_, tokens["jobs "+name], err = store.NewToken(t.Context(), p.ID, access.Token{Name: "other", Scopes: []access.Scope{access.JobsScope}})
		require.NoError(t, err)
	}
	clock.Set(clock.Now().Add(time.Hour).UnixNano())
	return store
}

// tokens are those of the people by their names.
var tokens map[string]string

// served is a server with a day of pings.
func served(t *testing.T, change func(*Config)) (address string, d *testDesk) {
	t.Helper()
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 20, sitetest.Day)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	d = &testDesk{site: s, runner: ask.Runner{Temp: t.TempDir()}}
	c := Config{Desk: d, Access: accounts(t), Tables: s.Tables, Version: "1.0", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	server, err := New(c)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return l.Addr().String(), d
}

// answer is what a call of the notebook gave.
type answer struct {
	Value   json.RawMessage
	Error   string
	Status  string
	Details []string
}

// call is a function of testdata/notebook.py and its argument, and headers if they are others.
type call []any

// bearer are the headers with a person's token.
func bearer(name string) map[string]string {
	return map[string]string{"authorization": "Bearer " + tokens[name]}
}

// notebook makes calls, one after the other.
func notebook(t *testing.T, address string, headers map[string]string, calls ...call) (all []answer) {
	t.Helper()
	python := clienttest.Python(t, "adbc-driver-flightsql==1.13.0", "adbc-driver-manager==1.13.0", "pyarrow==26.0.1")
	text, err := json.Marshal(headers)
	require.NoError(t, err)
	args := []string{"testdata/notebook.py", address, string(text)}
	for _, c := range calls {
		text, err := json.Marshal(c)
		require.NoError(t, err)
		args = append(args, string(text))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, said.String())
	for line := range bytes.Lines(out) {
		var a answer
		require.NoError(t, json.Unmarshal(line, &a))
		all = append(all, a)
	}
	require.Len(t, all, len(calls))
	return all
}
