package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// route is an operation of the API, as its document has it.
type route struct {
	method, path string
	parameters   []parameter
	body         *form
	forms        map[string]*form // by name
}

type parameter struct {
	Name, In string
	Schema   form
}

// form is a schema of JSON as far as a body is made by it.
type form struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Format     string
	Properties map[string]*form
	Items      *form
}

type request struct{ method, path, body string }

// pair is a request that names something secret, the same that names what there is not, and what leads from one to the other.
type pair struct {
	secret, nothing request
	swap            [2]string
}

// routesOf reads the document of the API.
func routesOf(a asker) (routes []route) {
	a.t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Schema *form }
			}
		}
		Components struct{ Schemas map[string]*form }
	}
	require.NoError(a.t, json.Unmarshal([]byte(a.request("GET", "/api/v1/openapi.json", "").text), &doc))
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			o := doc.Paths[path][method]
			routes = append(routes, route{strings.ToUpper(method), path, o.Parameters, o.RequestBody.Content["application/json"].Schema,
				doc.Components.Schemas})
		}
	}
	require.Greater(a.t, len(routes), 40)
	return routes
}

// kind returns the first part of a route's path.
func (r route) kind() string { return strings.Split(strings.TrimPrefix(r.path, "/api/v1/"), "/")[0] }

// innocent are statements that name nothing secret and could show it.
var innocent = []string{
	"SHOW TABLES", "SHOW ALL TABLES", "SHOW SCHEMAS", "DESCRIBE clients_daily", "EXPLAIN SELECT count(*) FROM clients_daily",
	"EXPLAIN ANALYZE SELECT count(*) FROM clients_daily",
	"SELECT * FROM information_schema.tables", "SELECT * FROM information_schema.columns", "SELECT * FROM duckdb_views()",
	"SELECT * FROM duckdb_tables()", "SELECT * FROM sqlite_master",
	"SELECT * FROM clients_dayly", "SELECT * FROM search_clients_dail", "SELECT * FROM search", "SELECT telling FROM clients_daily",
	"SELECT * FROM no_such_table",
	"SELECT * FROM read_parquet('**/*.parquet')", "SELECT * FROM glob('**')", "SELECT current_setting('file_search_path')",
	"PRAGMA show_tables", "SELECT", "",
}

// natural returns requests that name nothing secret themselves, with the ids that the caller knows.
func (r route) natural(ids map[string][]string) (all []request) {
	if r.method == http.MethodGet {
		for _, path := range r.paths(ids[r.kind()], ids["tables"]) {
			all = append(all, request{r.method, path, ""})
		}
		if q := r.path + "?" + r.query(""); strings.HasSuffix(q, "?") || strings.Contains(r.path, "{") {
			return all
		}
		return append(all, request{r.method, r.path + "?" + r.query("search"), ""})
	}
	if r.kind() == "dashboards" && strings.HasSuffix(r.path, "/results") {
		for _, path := range r.paths(ids[r.kind()], nil) {
			all = append(all, request{r.method, path, "{}"})
		}
		return all
	}
	if r.body == nil || r.kind() != "queries" {
		return nil
	}
	for _, sql := range innocent {
		for _, dialect := range []string{"presto", "duckdb"} {
			all = append(all, request{r.method, r.path, body(map[string]any{"sql": sql, "dialect": dialect})})
		}
	}
	return all
}

func body(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// paths returns the addresses of a route with ids, or names of tables, in place of its parameters.
func (r route) paths(ids, tables []string) (all []string) {
	if !strings.Contains(r.path, "{") {
		return []string{r.path}
	}
	for _, id := range append(slices.Clone(ids), tables...) {
		all = append(all, placeholder.ReplaceAllStringFunc(r.path, func(p string) string {
			switch p {
			case "{column}":
				return "client_id"
			case "{engine}":
				return "hive"
			}
			return url.PathEscape(id)
		})+"?"+r.query(""))
	}
	return all
}

// query returns the parameters of a route's address: those that take a text take this one.
func (r route) query(text string) string {
	q := url.Values{}
	for _, p := range r.parameters {
		switch {
		case p.In != "query":
		case p.Name == "engine":
			q.Set(p.Name, "hive")
		case p.Schema.Format == "date-time":
			q.Set(p.Name, "2018-03-01T00:00:00Z")
		case p.Name == "day" || p.Name == "from" || p.Name == "to":
			q.Set(p.Name, "20180301")
		case p.Name == "table" && text == "":
			q.Set(p.Name, "clients_daily")
		case p.Name == "wait":
			q.Set(p.Name, "20")
		case p.Schema.Type == "string" && text != "" && len(p.Schema.Enum) == 0 && p.Name != "cursor" && p.Name != "format":
			q.Set(p.Name, text)
		}
	}
	return q.Encode()
}

// named returns statements that name a table.
func named(table string) []string {
	return []string{
		"SELECT count(*) FROM " + table, "EXPLAIN SELECT * FROM " + table, "DESCRIBE " + table, "SHOW COLUMNS FROM " + table,
		"SHOW CREATE TABLE " + table, "SELECT a.sap FROM " + table + " AS a",
		"SELECT * FROM clients_daily JOIN " + table + " USING (client_id)",
		`SELECT "submission_date" FROM "` + table + `" WHERE submission_date_obj = '20180301'`, "SELECT * FROM restricted." + table,
		"SELECT * FROM read_parquet('restricted/" + table + "/v2/**')", "SELECT * FROM 'restricted/" + table + "/v2/*/*.parquet'",
		"SELECT (SELECT max(engine) FROM " + table + ")", "DROP TABLE " + table,
		"SELECT * FROM " + table + "; SELECT 1", "WITH " + table + " AS (SELECT 1 AS x) SELECT x FROM " + table, "SELECT '" + table + "'",
	}
}

// pairs returns requests that name the table or an id, and others that name what there is not.
func (r route) pairs(table string, ids map[string][]string) (all []pair) {
	if r.kind() == "session" || r.kind() == "tokens" {
		return nil // they say nothing of tables, and POST is counted
	}
	for _, secret := range append([]string{table}, ids[r.kind()]...) {
		swap := [2]string{secret, like(secret)}
		first, second := r.paths(swap[:1], nil)[0], r.paths(swap[1:], nil)[0]
		bodies := [2][]string{{""}, {""}}
		if r.body != nil {
			for i, name := range swap {
				bodies[i] = r.bodies(name, table == secret)
			}
		}
		for i := range bodies[0] {
			if first == second && bodies[0][i] == bodies[1][i] {
				continue
			}
			all = append(all, pair{request{r.method, first, bodies[0][i]}, request{r.method, second, bodies[1][i]}, swap})
		}
		if q := r.query(secret); q != r.query("") {
			all = append(all, pair{request{r.method, first + "&" + q, ""}, request{r.method, second + "&" + r.query(swap[1]), ""}, swap})
			if !strings.Contains(first, "?") {
				n := len(all) - 1
				all[n].secret.path, all[n].nothing.path = first+"?"+q, second+"?"+r.query(swap[1])
			}
		}
	}
	return all
}

// like returns an id or a name as another one of its kind that there is not: as long, and as far from other names.
func like(s string) string {
	if strings.Trim(s, "0123456789") == "" {
		return strings.Repeat("9", len(s)+3)
	}
	if strings.Contains(s, "earch") {
		return strings.Replace(s, "ea", "ee", 1)
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c < '9', c >= 'a' && c < 'f', c >= 'g' && c < 'z', c >= 'A' && c < 'Z':
			return c + 1
		}
		return c
	}, s)
}

// bodies returns the request bodies for a route, with a name in each text field and in statements.
func (r route) bodies(name string, table bool) (all []string) {
	statements := []string{"SELECT 1"}
	if table && r.kind() == "queries" {
		statements = named(name)
	} else if table {
		statements = named(name)[:2]
	}
	for _, sql := range statements {
		for _, dialect := range []string{"presto", "duckdb"} {
			values := map[string]any{"sql": sql, "dialect": dialect, "wait": 30, "text": name, "title": "mine", "from": "20180301", "to": "20180301",
				"every": "24h", "revision": 1}
			if r.kind() == "dashboards" {
				maps.Copy(values, map[string]any{"id": "a", "w": 6, "h": 2, "path": name + ".yaml"})
			}
			filled, _ := r.fill(r.body, "", values).(map[string]any)
			if table {
				delete(filled, "saved") // its statement would be that one
			}
			all = append(all, body(filled))
		}
		if r.kind() != "queries" && r.kind() != "saved" {
			return all[:1]
		}
	}
	return all
}

// fill makes a value of a schema: texts that no other value is known for are the text.
func (r route) fill(f *form, name string, values map[string]any) any {
	if v, ok := values[name]; ok {
		return v
	}
	if f.Ref != "" {
		return r.fill(r.forms[f.Ref[strings.LastIndexByte(f.Ref, '/')+1:]], name, values)
	}
	if len(f.Enum) > 0 {
		return f.Enum[0]
	}
	switch kind, _ := f.Type.(string); {
	case f.Items != nil:
		return []any{r.fill(f.Items, "", values)}
	case f.Properties != nil:
		object := map[string]any{}
		for name, p := range f.Properties {
			if name == "chart" || name == "parameters" || name == "condition" || name == "notify" || name == "timezone" {
				continue
			}
			object[name] = r.fill(p, name, values)
		}
		return object
	case kind == "string":
		return values["text"]
	case kind == "integer" || kind == "number":
		return 0
	case kind == "boolean":
		return false
	}
	return map[string]any{}
}

var volatile = regexp.MustCompile(
	`"(id|asked|started|ended|at|created|updated|expires|cpu|read|now|age|since|begun|next|position)":("[^"]*"|[0-9.e+]+)`)

// same returns an answer without what is another each time, and with the name of nothing in place of the secret one.
func same(a answer, swap [2]string) string {
	text := fmt.Sprint(a.status, " ", volatile.ReplaceAllString(a.text, `"$1":…`))
	return strings.ReplaceAll(text, swap[0], swap[1])
}
