package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// toolOf is the query tool of a process of its own.
type toolOf struct {
	t    *testing.T
	data string
	base string
	// addresses of the protocols of programs
	flight, postgres, trinoAddress string

	secret *schema.Table // that wants a grant of its own
}

// startTool serves the query tool on two days of all tables.
func startTool(t *testing.T) *toolOf {
	t.Helper()
	data := loadedData(t, "--clients", "40", "--days", "2")
	mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302")
	address := clienttest.FreeAddress(t)
	h := &toolOf{t: t, data: data, base: "http://" + address, flight: clienttest.FreeAddress(t), postgres: clienttest.FreeAddress(t),
		trinoAddress: clienttest.FreeAddress(t)}
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	tables := schema.NewSet(probes).Tables
	h.secret = tables[slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Restricted })]
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	cmd := program(t, "serve", "--data", data, "--only", "web", "--web", address, "--flight", h.flight, "--postgres", h.postgres, "--trino",
		h.trinoAddress, "--private", clienttest.FreeAddress(t))
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("the log: %s", text)
		}
	})
	require.Eventually(t, func() bool {
		r, err := http.Get(h.base + "/api/v1/session")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	}, time.Minute, 50*time.Millisecond)
	return h
}

// asker asks as somebody.
type asker struct {
	*toolOf
	token string
}

// account makes an account and gives its token, which is good for all that the account may do.
func (h *toolOf) account(name string, flags ...string) asker {
	mustCall(h.t, append([]string{"user", "add", name, "--data", h.data, "--right", "operate"}, flags...)...)
	return asker{h, strings.TrimSpace(mustCall(h.t, "token", "add", name, "test", "--data", h.data, "--scope", "query,catalog,jobs,people"))}
}

// answer is a response.
type answer struct {
	status  int
	headers string
	text    string
}

// request sends a request, such as GET /api/v1/tables, with a body unless it is "".
func (a asker) request(method, path, body string) answer {
	a.t.Helper()
	r, err := http.NewRequestWithContext(a.t.Context(), method, a.base+path, strings.NewReader(body))
	require.NoError(a.t, err)
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	require.NoError(a.t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	require.NoError(a.t, err)
	if got.StatusCode == http.StatusTooManyRequests {
		time.Sleep(100 * time.Millisecond) // no person asks as fast
		return a.request(method, path, body)
	}
	var headers bytes.Buffer
	got.Header.Del("Date")
	require.NoError(a.t, got.Header.Write(&headers))
	return answer{got.StatusCode, headers.String(), string(text)}
}

// id asks for something to be made, and gives its id.
func (a asker) id(method, path string, body any) string {
	a.t.Helper()
	b, err := json.Marshal(body)
	require.NoError(a.t, err)
	got := a.request(method, "/api/v1"+path, string(b))
	require.Less(a.t, got.status, 300, "%s %s: %s", path, b, got.text)
	var made struct{ ID any }
	require.NoError(a.t, json.Unmarshal([]byte(got.text), &made))
	return fmt.Sprint(made.ID)
}

// words returns those that betray a table: its name, its place, what is said of it, and names that no other table has.
func words(h *toolOf) []string {
	others := map[string]bool{}
	probes, err := schema.LoadProbes("")
	require.NoError(h.t, err)
	for _, t := range schema.NewSet(probes).Tables {
		for _, c := range t.Columns {
			others[c.Name] = others[c.Name] || t.Name != h.secret.Name
		}
	}
	all := []string{h.secret.Name, strings.ReplaceAll(h.secret.Name, "_", "-"), h.secret.Location(), h.secret.Doc, h.secret.Grain}
	for _, c := range h.secret.Columns {
		if !others[c.Name] && strings.ContainsAny(c.Name, "_-") { // a word alone means other things elsewhere
			all = append(all, c.Name)
		}
	}
	return all
}

// lived uses the secret table in all ways as a person with a grant, and returns the ids of the results, by the first
// part of its address.
func lived(a asker) map[string][]string {
	sql := "SELECT count(*) AS telling FROM " + a.secret.Name
	type object = map[string]any
	ids := map[string][]string{}
	add := func(kind, id string) { ids[kind] = append(ids[kind], id) }
	for _, q := range []string{sql, "EXPLAIN " + sql, "SELECT no_such_column FROM " + a.secret.Name} {
		add("queries", a.id("POST", "/queries", object{"sql": q, "wait": 60}))
	}
	saved := a.id("POST", "/saved", object{"title": "Telling title", "sql": sql, "tags": []string{"telling-tag"}})
	add("saved", saved)
	a.id("PUT", "/saved/"+saved+"/schedule", object{"every": "24h"})
	add("queries", a.id("POST", "/queries", object{"sql": sql, "saved": saved, "wait": 60}))
	widgets := []object{{"id": "a", "kind": "table", "query": saved, "x": 0, "y": 0, "w": 6, "h": 2,
		"parameters": object{"n": object{"value": "telling"}}},
		{"id": "b", "kind": "text", "text": "telling words about " + a.secret.Name, "x": 6, "y": 0, "w": 6, "h": 2}}
	a.id("POST", "/dashboards", object{"title": "Shared board", "widgets": widgets}) // others see it, and nothing of its widgets
	add("dashboards", a.id("POST", "/dashboards", object{"title": "Telling board",
		"description": a.secret.Name, "tags": []string{"telling-tag"}, "widgets": widgets}))
	run := a.id("POST", "/jobs/runs", object{"tables": []string{a.secret.Name}, "from": "20180301", "to": "20180301", "force": true})
	add("jobs", run)
	require.Eventually(a.t, func() bool {
		var r struct{ State string }
		require.NoError(a.t, json.Unmarshal([]byte(a.request("GET", "/api/v1/jobs/runs/"+run, "").text), &r))
		return r.State == "done"
	}, time.Minute, 100*time.Millisecond)
	return ids
}

// TestHiddenTable: two people ask everything that the query tool answers. Who lacks the grant finds nothing of the restricted table,
// and what names it is answered as what names a table that there is not.
func TestHiddenTable(t *testing.T) {
	t.Parallel()
	h := startTool(t)
	inside := h.account("inside", "--grant", "*,"+h.secret.Name)
	outside := h.account("outside", "--grant", "*")
	ids := lived(inside)
	betrays := words(h)
	for _, kind := range []string{"queries", "saved", "dashboards"} {
		betrays = append(betrays, ids[kind]...)
	}
	betrays = append(betrays, "telling")
	routes := routesOf(outside)
	for _, p := range []struct {
		asker
		ids   map[string][]string
		finds bool
	}{{outside, visible(outside), false}, {inside, ids, true}} {
		found := 0
		for _, r := range routes {
			for _, request := range r.natural(p.ids) {
				if p.finds && request.body != "" {
					continue // its statements name nothing
				}
				got := p.request(request.method, request.path, request.body)
				if r.kind() != "tokens" && !strings.HasSuffix(request.path, "/session/refused") { // which are for who has signed in
					require.NotContains(t, got.text, "its scopes leave it out", request)
				}
				for _, w := range betrays {
					if !got.mentions(w) || strings.Contains(request.body, w) {
						continue
					}
					if found++; !p.finds {
						t.Errorf("%s %s %s shows %q: %s", request.method, request.path, request.body, w, around(got.text+got.headers, w))
					}
				}
			}
		}
		if p.finds {
			require.Greater(t, found, 30, "what may be read is shown")
		}
	}
	for _, path := range append(assets(t), "/", "/catalog/"+h.secret.Name, "/api/v1/openapi.json", "/api/v1/openapi.yaml") {
		got := outside.request("GET", path, "")
		for _, w := range betrays {
			require.False(t, got.mentions(w), "%s shows %q", path, w)
		}
	}
	for _, r := range routes {
		for _, pair := range r.pairs(h.secret.Name, ids) {
			secret, nothing := outside.request(pair.secret.method, pair.secret.path, pair.secret.body),
				outside.request(pair.nothing.method, pair.nothing.path, pair.nothing.body)
			if same(secret, pair.swap) != same(nothing, pair.swap) {
				t.Errorf("%s %s %s: %s\nbut of nothing %s %s: %s", pair.secret.method, pair.secret.path, pair.secret.body, same(secret, pair.swap),
					pair.nothing.path, pair.nothing.body, same(nothing, pair.swap))
			}
		}
	}
	testPrograms(inside, outside, betrays)
	testAudit(h)
}

// testAudit: what was done with the table is on record, for who administers alone.
func testAudit(h *toolOf) {
	boss := h.account("boss", "--right", "administer")
	var list struct {
		Items []struct {
			Name, Outcome, SQL string
			Reads              []struct{ Days []string }
		}
	}
	require.NoError(h.t, json.Unmarshal([]byte(boss.request("GET", "/api/v1/audit?limit=1000&table="+h.secret.Name, "").text), &list))
	require.NotEmpty(h.t, list.Items)
	for _, e := range list.Items {
		require.Equal(h.t, "inside", e.Name, e)
		require.Contains(h.t, e.SQL, h.secret.Name)
	}
	require.Equal(h.t, []string{"20180301", "20180302"}, list.Items[0].Reads[0].Days, "the last one was asked over PostgreSQL's protocol")
}

// assets returns the addresses of the files of the pages.
func assets(t *testing.T) (paths []string) {
	t.Helper()
	dist := filepath.Join("..", "..", "serve", "web", "dist")
	require.NoError(t, filepath.WalkDir(dist, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, "/"+filepath.ToSlash(strings.TrimPrefix(name, dist+string(filepath.Separator))))
		}
		return err
	}))
	return paths
}

// mentions looks for a word in an answer, not for a part of another word.
func (a answer) mentions(word string) bool {
	return regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`).MatchString(a.text + a.headers)
}

// around returns a text around a word.
func around(text, word string) string {
	i := strings.Index(text, word)
	return text[max(0, i-200):min(len(text), i+200)]
}

// visible returns the ids that somebody finds without knowing any, and the ids of what they make.
func visible(a asker) map[string][]string {
	ids := map[string][]string{}
	ids["queries"] = append(ids["queries"], a.id("POST", "/queries", map[string]any{"sql": "SELECT count(*) FROM clients_daily", "wait": 60}))
	for kind, path := range map[string]string{"saved": "/saved?limit=100", "dashboards": "/dashboards?limit=100", "jobs": "/jobs/runs",
		"tables": "/tables"} {
		var list struct {
			Items []struct {
				ID   any
				Name string
			}
		}
		require.NoError(a.t, json.Unmarshal([]byte(a.request("GET", "/api/v1"+path, "").text), &list))
		require.NotEmpty(a.t, list.Items, path)
		for _, i := range list.Items {
			if i.Name != "" && kind == "tables" {
				ids[kind] = append(ids[kind], i.Name)
			} else {
				ids[kind] = append(ids[kind], fmt.Sprint(i.ID))
			}
		}
	}
	return ids
}
