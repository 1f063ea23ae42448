package session

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/store/database/databasetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

const providerDir = "testdata/provider"

// installed is the provider's packages, as their lock file has them.
var installed = sync.OnceValue(func() error {
	lock, err := os.ReadFile(filepath.Join(providerDir, "package-lock.json"))
	if err != nil {
		return err
	}
	mark := filepath.Join(providerDir, "node_modules", ".installed")
	if have, err := os.ReadFile(mark); err == nil && string(have) == string(lock) {
		return nil
	}
	install := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir, install.Stdout, install.Stderr = providerDir, os.Stderr, os.Stderr
	if err := install.Run(); err != nil {
		return err
	}
	return os.WriteFile(mark, lock, 0o644)
})

// startProvider starts a real provider of OpenID Connect: the npm package oidc-provider, which is certified.
func startProvider(t *testing.T, port, redirect string, env ...string) {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("Node.js is missing (%s is not in PATH), and the provider of OpenID Connect runs on it: install nodejs and npm", program)
		}
	}
	require.NoError(t, installed(), "npm ci in serve/web/session/"+providerDir)
	c := exec.CommandContext(t.Context(), "node", "provider.mjs")
	c.Dir, c.Env = providerDir, append(os.Environ(), append(env, "PORT="+port, "REDIRECT="+redirect)...)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	ready, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", ready)
}

// signing is the query tool with a provider of accounts.
type signing struct {
	store  *access.Store
	base   string
	port   string // of the provider
	log    *strings.Builder
	change func(*oidc.Config)
}

// begin starts the query tool, and before it the provider unless that is to be away.
func (s *signing) begin(t *testing.T, away bool, env ...string) {
	t.Helper()
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	server := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(clienttest.FreeAddress(t))
	require.NoError(t, err)
	s.store, s.base, s.port, s.log = store, "http://"+server.Listener.Addr().String(), port, &strings.Builder{}
	if !away {
		startProvider(t, s.port, s.base+CallbackPath, env...)
	}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	c := oidc.Config{
		Issuer: "http://127.0.0.1:" + s.port, ClientID: "pingmill", ClientSecret: "a secret of the test", Redirect: s.base + CallbackPath,
		Name:   "Example",
		Scopes: []string{"openid", "email", "profile"}, Claim: "preferred_username", Grants: []access.Grant{{Table: access.AllTables}},
		Now: time.Now, Log: log,
	}
	if s.change != nil {
		s.change(&c)
	}
	u, err := url.Parse(s.base)
	require.NoError(t, err)
	d, err := New(Config{Store: store, URL: u, OIDC: oidc.New(t.Context(), c), Now: time.Now, Log: log})
	require.NoError(t, err)
	mux := http.NewServeMux()
	d.Routes(api.New(mux, "1"))
	d.Pages(mux)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "page "+r.URL.RequestURI())
	})
	server.Config.Handler = d.Middleware(mux)
	server.Start()
	t.Cleanup(server.Close)
}

var (
	action = regexp.MustCompile(`action="([^"]+)"`)
	cancel = regexp.MustCompile(`href="([^"]+/abort)"`)
)

// fetch returns the text of a page and its address after all redirects.
func fetch(t *testing.T, c *client, r *http.Request) (text, at string) {
	t.Helper()
	got, err := c.http.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	return string(b), got.Request.URL.String()
}

func request(t *testing.T, method, address string, form url.Values) *http.Request {
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

// as goes to the provider from an address, signs in there as somebody and agrees, and gives the text of the page where that ends.
func as(t *testing.T, c *client, address, who string) string {
	t.Helper()
	text, _ := fetch(t, c, request(t, "GET", address, nil))
	if who == "nobody" {
		text, _ = fetch(t, c, request(t, "GET", cancel.FindStringSubmatch(text)[1], nil))
		return text
	}
	for _, form := range []url.Values{{"prompt": {"login"}, "login": {who}, "password": {"x"}}, {"prompt": {"consent"}}} {
		if found := action.FindStringSubmatch(text); found != nil {
			text, _ = fetch(t, c, request(t, "POST", found[1], form))
		}
	}
	return text
}

// redirected returns the address to which another one redirects in one step.
func redirected(t *testing.T, c *client, address string) *url.URL {
	t.Helper()
	return step(t, c, request(t, "GET", address, nil))
}

// post sends a form, and gives where that leads to in one step.
func post(t *testing.T, c *client, address string, form url.Values) *url.URL {
	t.Helper()
	return step(t, c, request(t, "POST", address, form))
}

func step(t *testing.T, c *client, r *http.Request) *url.URL {
	t.Helper()
	once := c.http
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got, err := once.Do(r)
	require.NoError(t, err)
	got.Body.Close()
	u, err := got.Location()
	require.NoError(t, err)
	return u
}
