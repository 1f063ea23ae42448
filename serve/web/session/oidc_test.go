package session

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
)

// failed returns the page that somebody sees who was not let in.
func failed(why error) string { return "page /signin?" + url.Values{"error": {codeOf(why)}}.Encode() }

// TestProvider signs people in at a real provider.
func TestProvider(t *testing.T) {
	s := &signing{change: func(c *oidc.Config) {
		c.Scopes, c.GroupsClaim, c.Domains = append(c.Scopes, "groups"), "groups", []string{"Example.org"}
		var err error
		c.Groups, err = oidc.ParseGroups([]string{"analysts=secret", "admins=administer", "admins=operate"})
		require.NoError(t, err)
	}}
	s.begin(t, false)
	_, err := s.store.First(t.Context())
	require.NoError(t, err)
	waiting, err := s.store.Add(t.Context(), access.Person{Name: "the boss", Email: "Boss@example.org", Kind: access.Human})
	require.NoError(t, err)

	ann := newClient(t, s.base)
	require.Equal(t, "/auth/login", ann.get().SignIn.OIDC.URL)
	require.Equal(t, "page /catalog/a?b=c", as(t, ann, s.base+LoginPath+"?next="+url.QueryEscape("/catalog/a?b=c"), "ann"))
	p := ann.get().Person
	require.Equal(t, []access.Grant{{Table: access.AllTables}, {Table: "secret"}}, p.Grants)
	require.Equal(t, "ann@example.org", p.Email)
	require.Empty(t, p.Rights)
	for name, c := range map[string]struct{ who, page string }{
		"again, from another browser": {"ann", "page /"},
		"not verified":                {"bob", failed(oidc.ErrDomain)},
		"another domain":              {"eve", failed(oidc.ErrDomain)},
		"the name of a local account": {"admin", failed(access.ErrNameTaken)},
		"an account waits":            {"boss", "page /"},
		"no name":                     {"nameless", "page /signin?error=failed"},
		"cancelled":                   {"nobody", failed(oidc.ErrRefused)},
	} {
		browser := newClient(t, s.base)
		require.Equal(t, c.page, as(t, browser, s.base+LoginPath+"?next=https://evil.example/", c.who), name)
		require.Equal(t, c.page == "page /", browser.get().Person != nil, name)
	}
	boss, err := s.store.Person(t.Context(), waiting.ID)
	require.NoError(t, err)
	require.Equal(t, "the boss", boss.Name)
	require.True(t, boss.May(access.Administer) && boss.May(access.Operate))
	_, err = s.store.Edit(t.Context(), p.ID, func(a *access.Account) error { a.Disabled = true; return nil })
	require.NoError(t, err)
	require.Nil(t, ann.get().Person)
	require.Equal(t, "page /signin?error=disabled", as(t, ann, s.base+LoginPath, "ann"))
}

// TestForgedReturn: what comes back from the provider counts only in the browser that was sent there, once, and as it was asked for.
func TestForgedReturn(t *testing.T) {
	s := &signing{}
	s.begin(t, false, "CLAIMS=token")
	// finished gives the address that the provider sends a browser back to, once it was changed on the way there.
	finished := func(c *client, change func(url.Values)) *url.URL {
		at := redirected(t, c, s.base+LoginPath)
		q := at.Query()
		change(q)
		at.RawQuery = q.Encode()
		text, _ := fetch(t, c, request(t, "GET", at.String(), nil))
		text, _ = fetch(t, c, request(t, "POST", action.FindStringSubmatch(text)[1],
			url.Values{"prompt": {"login"}, "login": {"ann"}, "password": {"x"}}))
		agreed := action.FindStringSubmatch(text)[1]
		for u := post(t, c, agreed, url.Values{"prompt": {"consent"}}); ; u = redirected(t, c, u.String()) {
			if strings.HasPrefix(u.String(), s.base) {
				return u
			}
		}
	}
	same := func(url.Values) {}
	set := func(name, value string) func(url.Values) {
		return func(q url.Values) { q.Set(name, value) }
	}
	end := func(c *client, at *url.URL, change func(url.Values)) string {
		q := at.Query()
		change(q)
		text, _ := fetch(t, c, request(t, "GET", s.base+at.Path+"?"+q.Encode(), nil))
		return text
	}
	c := newClient(t, s.base)
	at := finished(c, same)
	require.Equal(t, failed(oidc.ErrFlow), end(newClient(t, s.base), at, same), "another browser")
	require.Equal(t, "page /", end(c, at, same))
	require.Equal(t, failed(oidc.ErrFlow), end(c, at, same), "the address again")
	for name, change := range map[string]func(url.Values){"state": set("state", "x"), "no state": func(q url.Values) { q.Del("state") }} {
		c := newClient(t, s.base)
		require.Equal(t, failed(oidc.ErrFlow), end(c, finished(c, same), change), name)
		require.Nil(t, c.get().Person)
	}
	for name, change := range map[string]func(url.Values){"nonce": set("nonce", "another"), "no nonce": func(q url.Values) { q.Del("nonce") },
		"challenge": set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")} {
		c := newClient(t, s.base)
		require.Equal(t, failed(oidc.ErrRefused), end(c, finished(c, change), same), name)
		require.Nil(t, c.get().Person)
	}
	c = newClient(t, s.base)
	require.Equal(t, failed(oidc.ErrRefused), end(c, finished(c, same), set("code", "x")), "code")
	require.Contains(t, s.log.String(), "its nonce is wrong")
}

// TestBadTokens: tokens that are over, or of another client, are refused, as is another secret.
func TestBadTokens(t *testing.T) {
	for name, change := range map[string]func(*oidc.Config){
		"expired":        func(c *oidc.Config) { c.Now = func() time.Time { return time.Now().Add(2 * time.Hour) } },
		"another secret": func(c *oidc.Config) { c.ClientSecret = "wrong" },
	} {
		t.Run(name, func(t *testing.T) {
			s := &signing{change: change}
			s.begin(t, false)
			require.Equal(t, failed(oidc.ErrRefused), as(t, newClient(t, s.base), s.base+LoginPath, "ann"))
		})
	}
}

// TestProviderAway: the query tool starts without its provider, says so, and signs people in once that is there.
func TestProviderAway(t *testing.T) {
	var later time.Duration
	s := &signing{change: func(c *oidc.Config) { c.Now = func() time.Time { return time.Now().Add(later) } }}
	s.begin(t, true)
	require.Contains(t, s.log.String(), "the provider of accounts cannot be asked")
	c := newClient(t, s.base)
	require.Equal(t, failed(oidc.ErrAway), as(t, c, s.base+LoginPath, "nobody here"))
	startProvider(t, s.port, s.base+CallbackPath)
	require.Equal(t, failed(oidc.ErrAway), as(t, c, s.base+LoginPath, "nobody here"), "it is not asked all the time")
	later = time.Minute
	require.Equal(t, "page /", as(t, c, s.base+LoginPath, "ann"))
}

// FuzzNext: signing in never leads to another site.
func FuzzNext(f *testing.F) {
	for _, s := range []string{"/", "/a?b#c", "//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example",
		"javascript:x"} {
		f.Add(s)
	}
	base, _ := url.Parse("http://here.example/auth/callback")
	f.Fuzz(func(t *testing.T, next string) {
		u, err := base.Parse(localPath(next))
		require.NoError(t, err)
		require.Equal(t, "here.example", u.Host)
		require.False(t, strings.HasPrefix(localPath(next), "//") || strings.Contains(localPath(next), "\\"))
	})
}
