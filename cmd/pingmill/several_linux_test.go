package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/store/database/databasetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// several are two query tools with one database and one lake behind a proxy.
type several struct {
	t       *testing.T
	url     string // of the database
	db      *sql.DB
	place   access.Place
	proxy   *httptest.Server
	servers [2]*server
	web     [2]string // addresses of the servers
	dead    [2]atomic.Bool
	next    atomic.Int64

	ended, interrupted atomic.Int64
	pause              atomic.Int64 // between the queries of a person
	mu                 sync.Mutex
	failures           []string
}

func newSeveral(t *testing.T) *several {
	data := loadedData(t, "--clients", "20", "--days", "1")
	mustCall(t, "run", "main_summary", "--data", data, "--from", "20180301", "--to", "20180301")
	s := &several{t: t, url: databasetest.Need(t).Database(t)}
	var err error
	s.db, err = sql.Open("pgx", s.url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.db.Close() })
	s.place = access.Place{Dir: t.TempDir(), URL: s.url}
	s.proxy = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host }, Transport: s,
	})
	t.Cleanup(s.proxy.Close)
	for i := range s.servers {
		dir := data
		s.web[i] = clienttest.FreeAddress(t)
		args := []string{"--only", "web", "--web", s.web[i], "--web-url", s.proxy.URL}
		if i > 0 {
			dir = filepath.Join(t.TempDir(), "data")
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "web"), 0o700))
			require.NoError(t, os.MkdirAll(filepath.Join(data, "web", "results"), 0o700))
			require.NoError(t, os.Symlink(filepath.Join(data, "web", "results"), filepath.Join(dir, "web", "results")))
			args = append(args, "--storage", data)
		}
		one := serverOf(t, programIn(t, t.TempDir()), dir)
		one.args, one.awaited, one.env = args, one.private, []string{"PINGMILL_WEB_DATABASE=" + s.url}
		one.start()
		s.servers[i] = one
	}
	return s
}

// RoundTrip sends a request to a server in turn, and to the other one if that does not answer.
func (s *several) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(cmp.Or[io.Reader](r.Body, http.NoBody))
	if err != nil {
		return nil, err
	}
	first := s.next.Add(1)
	for n := range int64(4) {
		i := (first + n) % 2
		if s.dead[i].Load() && n < 2 {
			continue
		}
		again := r.Clone(r.Context())
		again.URL.Host, again.Body = s.web[i], io.NopCloser(bytes.NewReader(body))
		var response *http.Response
		if response, err = http.DefaultTransport.RoundTrip(again); err == nil {
			var text []byte
			if text, err = io.ReadAll(response.Body); err == nil { // a server that dies in the middle of its answer has not answered
				response.Body = io.NopCloser(bytes.NewReader(text))
				return response, nil
			}
		}
		s.dead[i].Store(true)
	}
	return nil, err
}

// browser is a person who has signed in.
type browser struct {
	*several
	client http.Client
	base   string
	csrf   string
}

// signIn signs a person in through the proxy.
func (s *several) signIn(name string) *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	b := &browser{several: s, client: http.Client{Jar: jar}, base: s.proxy.URL}
	var state struct{ CSRF string }
	status, text := b.do("POST", "/session", map[string]string{"name": name, "password": severalPassword}, "", &state)
	require.Equal(s.t, 200, status, text)
	b.csrf = state.CSRF
	return b
}

// at returns the person with the same session at another address.
func (b *browser) at(address string) *browser {
	from, _ := url.Parse(b.base)
	to := &url.URL{Scheme: "http", Host: address}
	jar, _ := cookiejar.New(nil)
	jar.SetCookies(to, b.client.Jar.Cookies(from))
	return &browser{several: b.several, client: http.Client{Jar: jar}, base: to.String(), csrf: b.csrf}
}

func (b *browser) do(method, path string, body any, key string, to any) (status int, text string) {
	sent, _ := json.Marshal(body)
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+"/api/v1"+path, bytes.NewReader(sent))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-CSRF-Token", b.csrf)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	got, err := b.client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	all, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode < 300 && to != nil {
		err = json.Unmarshal(all, to)
	}
	if err != nil {
		return 0, err.Error()
	}
	return got.StatusCode, string(all)
}

type severalQuery struct {
	ID, State string
	Error     *struct{ Kind, Message string }
}

const (
	severalPassword = "correct horse battery"
	severalSQL      = "SELECT count(*) FROM main_summary"
)

// work runs queries one after the other and reads their results.
func (b *browser) work(stop <-chan struct{}) {
	fails := func(format string, args ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.failures = append(b.failures, fmt.Sprintf(format, args...))
	}
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(time.Duration(b.pause.Load())):
		}
		var q severalQuery
		status, text := b.do("POST", "/queries", map[string]any{"sql": severalSQL, "wait": 10}, fmt.Sprint(b.csrf, n), &q)
		for status < 300 && (q.State == "queued" || q.State == "running") {
			status, text = b.do("GET", "/queries/"+q.ID+"?wait=10", nil, "", &q)
		}
		switch {
		case status >= 300 || status == 0:
			fails("submit: %d %s", status, text)
		case q.State == "failed" && q.Error.Kind == "Interrupted":
			b.interrupted.Add(1)
		case q.State != "done":
			fails("%s: %s", q.State, text)
		default:
			if status, text := b.do("GET", "/queries/"+q.ID+"/rows", nil, "", nil); status != 200 {
				fails("rows: %d %s", status, text)
			}
		}
		b.ended.Add(1)
	}
}

// TestSeveralServers kills one of two servers behind a proxy while people use it. Sessions go on, no request fails, queries of the
// killed server end as interrupted, and each due time of a schedule runs once. A right that is taken at one server counts at the other.
func TestSeveralServers(t *testing.T) {
	t.Parallel()
	s := newSeveral(t)
	accounts, err := access.Open(t.Context(), s.place, time.Now)
	require.NoError(t, err)
	defer accounts.Close()
	ids := map[string]string{}
	for _, name := range []string{"ann", "bob", "eve", "adm"} {
		p := access.Person{Name: name, Kind: access.Human, Grants: []access.Grant{{Table: access.AllTables}}}
		if name == "adm" {
			p.Rights = []access.Right{access.Administer}
		}
		a, err := accounts.Add(t.Context(), p)
		require.NoError(t, err)
		require.NoError(t, accounts.SetPassword(t.Context(), a.ID, severalPassword))
		ids[name] = a.ID
	}
	require.Contains(t, mustCall(t, "user", "list", "--database", s.url), "eve")
	s.revoke(ids["eve"])

	ann := s.signIn("ann")
	var q severalQuery
	status, text := ann.do("POST", "/saved", map[string]any{"title": "Profiles", "sql": severalSQL}, "", &q)
	require.Equal(t, 201, status, text)
	status, text = ann.do("PUT", "/saved/"+q.ID+"/schedule", map[string]any{"every": "24h"}, "", nil)
	require.Equal(t, 200, status, text)
	stop := make(chan struct{})
	const busy, idle = int64(50 * time.Millisecond), int64(time.Second)
	s.pause.Store(busy)
	var all sync.WaitGroup
	for _, name := range []string{"ann", "ann", "bob", "bob"} {
		b := s.signIn(name)
		all.Go(func() { b.work(stop) })
	}
	due := s.due(q.ID)
	require.Eventually(t, func() bool { return due() >= 1 && s.ended.Load() > 20 }, 2*time.Minute, 500*time.Millisecond)
	s.servers[0].kill()
	killed, before := due(), s.ended.Load()
	require.Eventually(t, func() bool { return s.ended.Load() > before+50 }, 5*time.Minute, 500*time.Millisecond)
	s.pause.Store(idle) // the schedule waits for the lease of the killed server
	require.Eventually(t, func() bool { return due() >= killed+2 }, 5*time.Minute, 500*time.Millisecond)
	s.pause.Store(busy)
	s.servers[0].start()
	s.dead[0].Store(false)
	s.servers[1].kill()
	before = s.ended.Load()
	require.Eventually(t, func() bool { return s.ended.Load() > before+20 }, 3*time.Minute, 500*time.Millisecond)
	close(stop)
	all.Wait()
	require.Empty(t, s.failures)
	t.Logf("%d queries, %d of them interrupted", s.ended.Load(), s.interrupted.Load())
	require.Less(t, s.interrupted.Load(), int64(9), "at most those that ran at a kill")
}

// due has a schedule become due whenever it is idle, and returns how many due times have run, each once.
func (s *several) due(id string) func() int {
	return func() int {
		_, err := s.db.Exec("UPDATE pingmill_saved.schedules SET next = $1 WHERE query = $2 AND next > $1 AND held_until = 0 AND paused = ''",
			time.Now().UnixMilli(), id)
		require.NoError(s.t, err)
		var runs, planned, done int
		require.NoError(s.t, s.db.QueryRow("SELECT count(*), count(DISTINCT doc::json ->> 'planned'), count(*) FILTER (WHERE doc::json ->> "+
			"'state' = 'done') FROM pingmill_saved.runs").Scan(&runs, &planned, &done))
		require.Equal(s.t, runs, planned, "a due time ran twice")
		require.Equal(s.t, runs, done, "a run failed")
		return runs
	}
}

// revoke takes the grants of a person at one server while the other one runs their query.
func (s *several) revoke(id string) {
	eve, adm := s.signIn("eve").at(s.web[1]), s.signIn("adm").at(s.web[0])
	var q severalQuery
	endless := severalSQL + " AS t, range(100000000) AS a(i), range(100000000) AS b(j) WHERE a.i * b.j % 7 = 3"
	status, text := eve.do("POST", "/queries", map[string]any{"sql": endless, "dialect": "duckdb", "wait": 2}, "", &q)
	require.Equal(s.t, 201, status, text)
	require.Equal(s.t, "running", q.State, text)
	status, text = adm.do("PUT", "/people/"+id+"/grants", map[string]any{"grants": []any{}}, "", nil)
	require.Less(s.t, status, 300, text)
	var other severalQuery
	status, text = eve.do("POST", "/queries", map[string]any{"sql": severalSQL, "wait": 30}, "", &other)
	require.False(s.t, status == 201 && other.State == "done", text)
	require.Eventually(s.t, func() bool {
		var state string
		err := s.db.QueryRow("SELECT state FROM pingmill_queries.queries WHERE id = $1", q.ID).Scan(&state)
		return err == nil && state == "failed"
	}, time.Minute, 100*time.Millisecond)
}
