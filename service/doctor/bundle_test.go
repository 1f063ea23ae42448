package doctor

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// personal lists what must not be in a bundle, besides the settings.
var personal = []string{"5f0dd3a5-8a1e-4d55-9c2b-0a1b2c3d4e5f", "0c1d2e3f-1111-4222-8333-444455556666", "203.0.113.77", "2001:db8::77",
	"annabel", "annabel@people.example", "Zanzibar", "secretword", "edge-rotterdam", "box7.internal.example", "/home/annabel",
	"hunter2hunter2", "münchen", "ghp_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIj"}

// forms returns values with a mark as keys take them.
func forms(mark string) []string {
	return []string{"postgres://" + mark + ":pass" + mark + "@127.0.0.1:1/d" + mark + "?sslkey=/etc/" + mark, mark,
		"https://" + mark + ".example/" + mark, "s3://" + mark + "/x", mark + ".example:9", "kafka://user" + mark + "@" + mark + ":9/" + mark,
		mark + "@people.example", mark + "=" + mark, "10.77.3.0/24"}
}

// TestBundledSettings: a value of the operator's appears nowhere, whichever key has it, and wherever it is repeated.
func TestBundledSettings(t *testing.T) {
	tried := 0
	for i := range config.All {
		k := &config.All[i]
		mark := fmt.Sprintf("marked%cand%cvalue", 'a'+i/26, 'a'+i%26)
		var v *config.Values
		value := ""
		for _, value = range forms(mark) { // the first one that the key takes, alone
			var err error
			if v, err = (config.Keys{*k}).Load(config.Sources{Environ: []string{k.Variable() + "=" + value}}); err == nil {
				break
			}
		}
		require.False(t, k.Secret && v == nil, k.Name)
		if v == nil || slices.Contains(choices, k.Name) {
			continue
		}
		tried++
		log := filepath.Join(t.TempDir(), "log")
		line := fmt.Appendf(nil, "{\"level\":\"ERROR\",\"msg\":\"open %[1]s\",\"place\":%[1]q}\n%[1]s\n", value)
		require.NoError(t, os.WriteFile(log, line, 0o600))
		p := &Patient{Values: v, Refused: fmt.Errorf("%s: %s is wrong", k.Name, value), Options: Options{Now: time.Now}}
		files, printed := written(t, p, log, []Finding{{Check: "c", State: Fail, Text: "open " + value + ": refused", Do: "write " + value}})
		require.Contains(t, files["configuration.txt"], k.Name+": ")
		require.Contains(t, files["report.json"], "refused")
		for name, text := range files {
			require.NotContains(t, text, mark, "%s: %s", k.Name, name)
			require.NotContains(t, text, "10.77.3", "%s: %s", k.Name, name)
		}
		require.NotContains(t, printed, mark)
	}
	t.Log(tried, "settings")
	require.Greater(t, tried, 50)
}

// TestBundle: of a service with a failed job nothing personal appears, and what a report of an error needs does.
func TestBundle(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	s, err := sitetest.Open(data)
	require.NoError(t, err)
	sitetest.DayPings(t, s.Archive, 1, 5, "20180301")
	require.NoError(t, s.Close())
	all := strings.ReplaceAll(strings.Join(personal, " and "), "secretword", `"secretword"`) // as messages have values
	db, err := sql.Open("sqlite", filepath.Join(data, "ledger.db"))
	require.NoError(t, err)
	_, err = db.Exec(`PRAGMA foreign_keys = OFF; INSERT INTO units (run, table_name, day, samples, generation, inputs, rows_in, rows_out,
		rejected, bytes, output, started, ended, outcome, error, code) VALUES (7, 'crash_summary', '20180301', '', '', '[]', 0, 0, 0, 0, '', 1, 2, 'failed', ?, 'v1')`,
		"task 3 of crash_summary: the disk is full: "+all+"; LINE 1: SELECT secretword")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	spool := filepath.Join(data, "spool", "edge-rotterdam")
	require.NoError(t, os.MkdirAll(spool, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(spool, "annabel"), make([]byte, 1000), 0o600))

	m := service.NewMetrics(service.Build{Version: "v9", GoVersion: "go1"})
	metrics := "pingmill_edge_lag_seconds{edge=\"edge-rotterdam\"} 12\npingmill_edge_silent{edge=\"box7.internal.example\"} 0\n"
	private := (&service.Private{PProf: true, Metrics: m}).Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		private.ServeHTTP(w, r)
		if r.URL.Path == "/metrics" {
			_, _ = io.WriteString(w, metrics)
		}
	}))
	defer server.Close()

	log := filepath.Join(dir, "log")
	f, err := os.Create(log)
	require.NoError(t, err)
	l := slog.New(slog.NewJSONHandler(f, nil))
	l.Warn("a query of annabel failed", "person", "annabel", "query", personal[0], "error", errors.New("run SELECT secretword FROM x"))
	l.Error("decoding fails: it is tried again", "error", fmt.Errorf("%s: %w", all, syscall.ENOSPC), "edge", "edge-rotterdam", "table",
		"crash_summary", "times", 4, "city", "Zanzibar", "stack", "goroutine 1 "+all, "group", map[string]string{"a": "secretword"})
	fmt.Fprintln(f, "plain: Zanzibar annabel \"secretword\" 203.0.113.77")
	require.NoError(t, f.Close())

	v, err := config.All.Load(config.Sources{Environ: []string{"PINGMILL_MAIL_PASSWORD=hunter2hunter2", "PINGMILL_MAIL_SERVER=mail.example:25",
		"PINGMILL_MAIL_FROM=annabel@people.example", "PINGMILL_WEB_LISTEN=box7.internal.example:8090", "PINGMILL_QUERY_SLOTS=7"}})
	require.NoError(t, err)
	p := &Patient{Values: v, Program: "v9 (commit c)", Service: &service.Config{Data: data}, Options: Options{Now: time.Now},
		Exists: func(context.Context) (bool, error) { return site.Exists(data) },
		Read: func(ctx context.Context) (*site.Site, error) {
			probes := sitetest.Probes(t)
			return site.Read(ctx, data, &schema.Set{Probes: probes, Tables: sitetest.Tables(probes)})
		}}
	p.Roots, err = site.Roots{}.Below(data)
	require.NoError(t, err)
	p.Service.Private = server.Listener.Addr().String()
	files, printed := written(t, p, log, []Finding{{"status", Fail, "crash_summary has no rows: " + all, "see docs/operations.md"}})
	for name, text := range files {
		for _, mark := range personal {
			require.NotContains(t, text, mark, name)
		}
		require.Contains(t, printed, name)
	}
	require.Contains(t, printed, "Look at it before you send it")
	for name, parts := range map[string][]string{
		"report.json":       {`"program": "v9 (commit c)"`, "crash_summary has no rows", "see docs/operations.md"},
		"version.json":      {"go1."},
		"configuration.txt": {"mail.password: (secret)", "query.slots: 7  # environment", "web.listen: (removed):8090", "mail.user:   # default"},
		"metrics.txt": {`pingmill_edge_lag_seconds{edge="(removed)"} 12`,
			`pingmill_build_info{goversion="go1",revision="",version="v9"} 1`},
		"folders.json":  {`"spool": {`, `"bytes": 1000`, `"archive`},
		"failures.json": {`"table": "crash_summary"`, `"day": "20180301"`, `"run": 7`, "task 3 of crash_summary: the disk is full"},
		"log.txt": {"level=ERROR", `msg="decoding fails: it is tried again"`, "table=crash_summary", "times=4",
			"no space left on device"},
		"goroutines.txt": {"net/http.(*Server).Serve"},
	} {
		for _, part := range parts {
			require.Contains(t, files[name], part, name)
		}
	}
}

// written returns the unpacked files of a bundle by name, and what was printed.
func written(t *testing.T, p *Patient, log string, all []Finding) (files map[string]string, printed string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "bundle.tar.gz")
	var out strings.Builder
	require.NoError(t, WriteBundle(t.Context(), name, log, p, all, &out))
	require.ErrorContains(t, WriteBundle(t.Context(), name, log, p, all, io.Discard), "exists: give another name")
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	files = map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return files, out.String()
		}
		require.NoError(t, err)
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		files[strings.TrimPrefix(h.Name, "pingmill-doctor/")] = string(data)
	}
}
