package session

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
)

type object = map[string]any

// forger stands between the query tool and the provider: it puts other tokens in the place of those of the provider, and adds its key
// to the provider's.
type forger struct {
	http.RoundTripper
	key   *rsa.PrivateKey
	forge func(f *forger, token string, claims object) string
}

func (f *forger) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := f.RoundTripper.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/token") && !strings.HasSuffix(r.URL.Path, "/jwks") {
		return answer, err
	}
	defer answer.Body.Close()
	var content object
	if err := json.NewDecoder(answer.Body).Decode(&content); err != nil {
		return nil, err
	}
	if token, is := content["id_token"].(string); is {
		payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
		if err != nil {
			return nil, err
		}
		var claims object
		if err := json.Unmarshal(payload, &claims); err != nil {
			return nil, err
		}
		content["id_token"] = f.forge(f, token, claims)
	} else if keys, is := content["keys"].([]any); is {
		encode := base64.RawURLEncoding.EncodeToString
		content["keys"] = append(keys, object{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "forged", "n": encode(f.key.N.Bytes()),
			"e": encode(big.NewInt(int64(f.key.E)).Bytes()),
		})
	}
	text, err := json.Marshal(content)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	answer.Header.Del("Content-Length")
	return answer, err
}

// unsigned returns a token up to its signature.
func unsigned(header, claims object) string {
	h, _ := json.Marshal(header) // of texts and numbers
	c, _ := json.Marshal(claims)
	return base64.RawURLEncoding.EncodeToString(h) + "." + base64.RawURLEncoding.EncodeToString(c)
}

// signed returns a token with a key that the provider vouches for.
func (f *forger) signed(claims object, kid string) string {
	text := unsigned(object{"alg": "RS256", "kid": kid}, claims)
	sum := sha256.Sum256([]byte(text))
	signature, _ := rsa.SignPKCS1v15(rand.Reader, f.key, crypto.SHA256, sum[:]) // the key is one
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func changed(claims object, name string, value any) object {
	claims = maps.Clone(claims)
	if claims[name] = value; value == nil {
		delete(claims, name)
	}
	return claims
}

// TestForgedTokens: a token counts only if the provider has signed it, for the query tool, for this attempt, and its time is not over;
// what a later one says of groups counts at once, also in sessions that have begun.
func TestForgedTokens(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	f := &forger{RoundTripper: http.DefaultTransport, key: key}
	http.DefaultTransport = f
	t.Cleanup(func() { http.DefaultTransport = f.RoundTripper })
	const secret = "a secret of the test"
	s := &signing{change: func(c *oidc.Config) {
		c.Groups, err = oidc.ParseGroups([]string{"analysts=secret", "admins=administer"})
		require.NoError(t, err)
		c.GroupsClaim = "groups"
	}}
	s.begin(t, false, "CLAIMS=token")
	signed := func(name string, value any) func(*forger, string, object) string {
		return func(f *forger, _ string, claims object) string {
			return f.signed(changed(claims, name, value), "forged")
		}
	}
	for name, c := range map[string]struct {
		forge func(*forger, string, object) string
		in    bool
	}{
		"as it is":            {func(_ *forger, token string, _ object) string { return token }, true},
		"signed again":        {signed("x", 1), true},
		"for this client":     {signed("azp", "pingmill"), true},
		"no token":            {func(*forger, string, object) string { return "" }, false},
		"another audience":    {signed("aud", "another"), false},
		"no audience":         {signed("aud", nil), false},
		"two audiences":       {signed("aud", []string{"pingmill", "another"}), false},
		"another client":      {signed("azp", "another"), false},
		"expired":             {signed("exp", time.Now().Add(-time.Hour).Unix()), false},
		"no end":              {signed("exp", nil), false},
		"not yet":             {signed("nbf", time.Now().Add(time.Hour).Unix()), false},
		"another issuer":      {signed("iss", "https://evil.example"), false},
		"another attempt":     {signed("nonce", "another"), false},
		"no nonce":            {signed("nonce", nil), false},
		"no person":           {signed("sub", ""), false},
		"an unknown key":      {func(f *forger, _ string, claims object) string { return f.signed(claims, "nobody's") }, false},
		"the provider's name": {func(f *forger, token string, claims object) string { return f.signed(claims, "") + "x" }, false},
		"not signed": {func(_ *forger, _ string, claims object) string {
			return unsigned(object{"alg": "none"}, claims) + "."
		}, false},
		"signed with the secret": {func(_ *forger, _ string, claims object) string {
			text := unsigned(object{"alg": "HS256"}, claims)
			m := hmac.New(sha256.New, []byte(secret))
			m.Write([]byte(text))
			return text + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
		}, false},
		"changed": {func(_ *forger, token string, claims object) string {
			part := strings.Split(token, ".")
			return unsigned(object{"alg": "RS256"}, changed(claims, "sub", "boss")) + "." + part[2]
		}, false},
	} {
		f.forge = c.forge
		browser := newClient(t, s.base)
		page := as(t, browser, s.base+LoginPath, "ann")
		require.Equal(t, c.in, page == "page /", "%s: %s", name, page)
		require.Equal(t, c.in, browser.get().Person != nil, name)
	}

	groups := func(names ...string) *client {
		f.forge = signed("groups", names)
		browser := newClient(t, s.base)
		require.Equal(t, "page /", as(t, browser, s.base+LoginPath, "ann"))
		return browser
	}
	before := groups("analysts", "admins")
	require.True(t, before.get().Person.May(access.Administer))
	after := groups()
	for _, c := range []*client{before, after} {
		p := c.get().Person
		require.Empty(t, p.Rights)
		require.Equal(t, []access.Grant{{Table: access.AllTables}}, p.Grants)
	}
}

// TestInjectedCode: a code of another browser's attempt leads nowhere, and the response of another provider counts for nothing.
func TestInjectedCode(t *testing.T) {
	s := &signing{}
	s.begin(t, false)
	// returned reads the query of the address to which the provider sends a browser back.
	returned := func(c *client) url.Values {
		text, _ := fetch(t, c, request(t, "GET", redirected(t, c, s.base+LoginPath).String(), nil))
		text, _ = fetch(t, c, request(t, "POST", action.FindStringSubmatch(text)[1],
			url.Values{"prompt": {"login"}, "login": {"ann"}, "password": {"x"}}))
		for u := post(t, c, action.FindStringSubmatch(text)[1], url.Values{"prompt": {"consent"}}); ; u = redirected(t, c, u.String()) {
			if strings.HasPrefix(u.String(), s.base) {
				return u.Query()
			}
		}
	}
	end := func(c *client, q url.Values) string {
		text, _ := fetch(t, c, request(t, "GET", s.base+CallbackPath+"?"+q.Encode(), nil))
		return text
	}
	victim, attacker := newClient(t, s.base), newClient(t, s.base)
	own, stolen := returned(attacker), returned(victim)
	own.Set("code", stolen.Get("code"))
	require.Equal(t, failed(oidc.ErrRefused), end(attacker, own))
	require.Nil(t, attacker.get().Person)
	attacker = newClient(t, s.base)
	mixed := returned(attacker)
	require.NotEmpty(t, mixed.Get("iss"), "the provider says who it is")
	mixed.Set("iss", "https://evil.example")
	require.Equal(t, failed(oidc.ErrFlow), end(attacker, mixed))
	require.Nil(t, attacker.get().Person)
}
