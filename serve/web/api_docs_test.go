package web

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestDocumentIsValid: a validator of OpenAPI takes the document, and each operation has a description, with its errors.
func TestDocumentIsValid(t *testing.T) {
	d, err := openapi3.NewLoader().LoadFromFile("app/openapi.json")
	require.NoError(t, err)
	require.NoError(t, d.Validate(t.Context()))
	for path, item := range d.Paths.Map() {
		for method, op := range item.Operations() {
			require.NotEmpty(t, op.Summary, "%s %s", method, path)
			failed := 0
			for status, r := range op.Responses.Map() {
				if status >= "4" || status == "default" {
					require.NotNil(t, r.Value.Content["application/problem+json"], "%s %s %s", method, path, status)
					failed++
				}
			}
			require.NotZero(t, failed, "%s %s says nothing of errors", method, path)
		}
	}
}

var blocks = regexp.MustCompile("(?s)```(sh|text)\n(.*?)```\n")

// TestAPIDocs: the commands of the page about the API print what it says.
func TestAPIDocs(t *testing.T) {
	clienttest.NeedProgram(t, "curl")
	listening := httptest.NewUnstartedServer(nil)
	url := "http://" + listening.Listener.Addr().String()
	s, err := New(t.Context(), Config{
		Site: sitetest.Local(t), Dir: t.TempDir(), URL: url, Version: "1", Clock: clock.Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler),
		Queries: queryservice.Options{Queue: queue.Options{Slots: 1}, Limits: worker.Limits{Threads: 1, Memory: 512 << 20}, Keep: time.Hour},
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	listening.Config.Handler = s.Handler()
	listening.Start()
	defer listening.Close()
	a, err := s.Access.Add(t.Context(), access.Person{Name: "bot", Kind: access.Service, Grants: []access.Grant{{Table: access.AllTables}}})
	require.NoError(t, err)
	_, token, err := s.Access.NewToken(t.Context(), a.ID,
		access.Token{Name: "docs", Scopes: []access.Scope{access.QueryScope}, Expires: time.Now().Add(time.Hour)})
	require.NoError(t, err)

	page, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	script, want := "set -e\n", ""
	for _, m := range blocks.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "sh" {
			script += m[2]
		} else {
			script, want = script+"echo\n", want+m[2]+"\n"
		}
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "URL="+url, "TOKEN="+token)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	lines := func(s string) string { return regexp.MustCompile(`\n+`).ReplaceAllString(strings.TrimSpace(s), "\n") }
	require.Equal(t, lines(want), lines(string(out)))
}
