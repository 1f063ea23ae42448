package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/query"
)

//go:embed testdata/attacks.sql
var attacks string

//go:embed testdata/bombs.sql
var bombs string

// canary is in all that no query may show, and realName in the paths of the installation.
const (
	canary   = "canary-5f0c2e"
	realName = "installation-91d7"
)

// statement is a line of testdata.
type statement struct{ section, sql string }

func statements(text string) (all []statement) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "=="):
			section = strings.TrimSpace(line[2:])
		case strings.HasPrefix(line, "--"):
		default:
			all = append(all, statement{section, line})
		}
	}
	return all
}

var times = regexp.MustCompile(`\{0,(\d+),(.*?)\}`)

// written puts in what stands for N times a text.
func (s statement) written() string {
	return times.ReplaceAllStringFunc(s.sql, func(m string) string {
		parts := times.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], n)
	})
}

// target is an installation in miniature: a granted table with rows of a forgotten client, earlier files of it, a table that is
// not granted, and files with secrets.
type target struct {
	root    string // with realName
	granted query.View
	words   *strings.Replacer // of the statements
	calls   *atomic.Int64     // that the server got
	before  map[string]string
	runner  *Runner
}

func newTarget(t testing.TB) *target {
	t.Helper()
	base := t.TempDir()
	g := &target{root: filepath.Join(base, realName), calls: new(atomic.Int64)}
	write := func(name, text string) string {
		path := filepath.Join(g.root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write("secret.txt", canary+"\n")
	write("ledger.db", "SQLite format 3\x00"+canary)
	write("written.txt", canary)
	alias := filepath.Join(base, "alias")
	require.NoError(t, os.Symlink(g.root, alias))
	require.NoError(t, os.Symlink("../secret.txt", filepath.Join(write("lake/x", canary)[:len(g.root)+len("/lake/")], "link")))
	part, old, other := g.parquet(t, "lake/t/day=1/part.parquet", "client-shown"), g.parquet(t, "lake/_generations/old.parquet", canary),
		g.parquet(t, "lake/other/part.parquet", canary)
	g.granted = query.View{
		Name: "t", Files: []string{part, g.parquet(t, "lake/t/day=2/part.parquet", "client-shown")}, PartitionKeys: []string{"day"},
		Client:  "client_id",
		Columns: []query.Column{{Name: "client_id", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}, {Name: "day", Type: "VARCHAR"}},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		g.calls.Add(1)
		fmt.Fprintln(w, canary)
	}))
	t.Cleanup(server.Close)
	server.Config.ConnState = func(net.Conn, http.ConnState) { g.calls.Add(1) }
	short := func(path string) string { return strings.Replace(path, g.root, alias, 1) }
	g.words = strings.NewReplacer("{dir}", alias, "{secret}", alias+"/secret.txt", "{part}", part, "{other}", short(other), "{old}",
		short(old), "{link}", alias+"/lake/link", "{url}", server.URL)
	g.runner = &Runner{Temp: filepath.Join(g.root, "tmp")}
	require.NoError(t, os.Mkdir(g.runner.Temp, 0o700))
	t.Setenv("CANARY", canary)
	g.before = g.snapshot(t)
	return g
}

// parquet writes a file with a forgotten client, a client and a secret in its metadata's statistics.
func (g *target) parquet(t testing.TB, name, client string) string {
	t.Helper()
	path := filepath.Join(g.root, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	db, err := query.Open(t.Context(), nil, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryIn(t.Context(), query.DuckDB,
		fmt.Sprintf(`COPY (SELECT * FROM (VALUES ('%s-forgotten', 1::BIGINT, '%s'), ('%s', 2, 'x'), (NULL, 3, 'y')) AS v(client_id, n, `+
			`word)) TO '%s'`, canary, canary, client, path))
	require.NoError(t, err)
	_, err = rows.Next()
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	return path
}

// snapshot returns the hash of every file and the target of every link.
func (g *target) snapshot(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(g.root), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.Type().IsRegular():
			b, err := os.ReadFile(path)
			info, _ := d.Info()
			all[path] = fmt.Sprintf("%x %v", sha256.Sum256(b), info.Mode())
			return err
		default:
			all[path] = d.Type().String()
		}
		return nil
	})
	require.NoError(t, err)
	return all
}

// request returns a query of the target with limits that end it soon.
func (g *target) request(sql string) Request {
	return Request{
		SQL: g.words.Replace(sql), Dialect: query.DuckDB, Views: []query.View{g.granted},
		Hidden: []forget.Hash{forget.HashOf([]byte(canary + "-forgotten"))},
		Format: query.FormatCSV, Limits: attackLimits,
	}
}

// boxes takes away what a plan is drawn with, which divides names.
var boxes = strings.NewReplacer(" ", "", "\n", "", "│", "")

// check fails the test if a query's result or error has forbidden data. paths means that the text contains real paths.
func (g *target) check(t *testing.T, q Request, out string, err error, paths bool) {
	t.Helper()
	all := out
	if err != nil {
		all += err.Error()
	}
	if strings.Contains(all, canary) {
		t.Errorf("%.300s\nshows a secret: %.500s", q.SQL, all)
	}
	if paths && !strings.Contains(q.SQL, realName) && strings.Contains(boxes.Replace(all), realName) {
		t.Errorf("%.300s\nshows a path: %.500s", q.SQL, all)
	}
	if errors.Is(err, context.DeadlineExceeded) || err != nil && strings.Contains(err.Error(), "makes no sense") {
		t.Errorf("%.300s: %v", q.SQL, err)
	}
}

// unharmed fails the test if anything was written, anybody was called, or a process or folder is left.
func (g *target) unharmed(t *testing.T) {
	t.Helper()
	after := g.snapshot(t)
	for path, was := range g.before {
		if after[path] != was {
			t.Errorf("%s was %s, is %q", path, was, after[path])
		}
	}
	for path := range after {
		if _, was := g.before[path]; !was {
			t.Errorf("%s was written", path)
		}
	}
	if n := g.calls.Load(); n > 0 {
		t.Errorf("the server was called %d times", n)
	}
}

// run runs a query and checks what it got.
func (g *target) run(t *testing.T, q Request, paths bool) (string, Summary, error) {
	t.Helper()
	var out bytes.Buffer
	s, err := g.runner.Run(t.Context(), q, &out, nil)
	g.check(t, q, out.String(), err, paths)
	return out.String(), s, err
}
