package session

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
)

// flowTime is the time in seconds that a sign-in at the provider may take.
const flowTime = 600

// The paths at which a sign-in by the provider begins and ends.
const (
	LoginPath    = "/auth/login"
	CallbackPath = "/auth/callback"
)

var errAttempts = errors.New("too many attempts to sign in")

// Pages adds the routes for the provider, if there is one.
func (d *Authenticator) Pages(mux *http.ServeMux) {
	if d.OIDC != nil {
		mux.HandleFunc("GET "+LoginPath, d.login)
		mux.HandleFunc("GET "+CallbackPath, d.callback)
	}
}

// flowCookie returns the cookie that binds a sign-in to a browser: it holds the seed and the path to return to.
func (d *Authenticator) flowCookie(value string) *http.Cookie {
	c := d.set(value)
	c.Name += "-flow"
	if value != "" {
		c.MaxAge = flowTime
	}
	return &c
}

func (d *Authenticator) login(w http.ResponseWriter, r *http.Request) {
	if _, err := d.attempt(r.Context(), ""); err != nil {
		d.redirectToSignIn(w, r, errAttempts)
		return
	}
	address, seed, err := d.OIDC.Begin(r.Context())
	if err != nil {
		d.redirectToSignIn(w, r, err)
		return
	}
	http.SetCookie(w, d.flowCookie(seed+"."+url.QueryEscape(localPath(r.URL.Query().Get("next")))))
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func (d *Authenticator) callback(w http.ResponseWriter, r *http.Request) {
	flow, err := r.Cookie(d.flowCookie("").Name)
	http.SetCookie(w, d.flowCookie(""))
	if err != nil {
		d.redirectToSignIn(w, r, oidc.ErrFlow)
		return
	}
	seed, next, _ := strings.Cut(flow.Value, ".")
	p, err := d.enter(r, seed)
	if err != nil {
		d.redirectToSignIn(w, r, err)
		return
	}
	out, err := d.signedIn(r.Context(), p, access.ByOIDC)
	if err != nil {
		d.redirectToSignIn(w, r, err)
		return
	}
	http.SetCookie(w, &out.SetCookie[0])
	next, _ = url.QueryUnescape(next)
	http.Redirect(w, r, localPath(next), http.StatusSeeOther)
}

// enter returns the person who returned from the provider.
func (d *Authenticator) enter(r *http.Request, seed string) (*access.Person, error) {
	given := r.URL.Query()                                          // nothing is read from a body
	if iss := given.Get("iss"); iss != "" && iss != d.OIDC.Issuer { // RFC 9207: the response of another provider
		d.recordAttempt(access.ByOIDC, false)
		return nil, errors.Join(oidc.ErrFlow, fmt.Errorf("the response is of the provider %q", iss))
	}
	if e := given.Get("error"); e != "" {
		d.recordAttempt(access.ByOIDC, false)
		return nil, errors.Join(oidc.ErrRefused, errors.New(e+" "+given.Get("error_description")))
	}
	i, err := d.OIDC.Finish(r.Context(), seed, given.Get("state"), given.Get("code"))
	if err != nil {
		d.recordAttempt(access.ByOIDC, false)
		return nil, err
	}
	p, err := d.Store.Enter(r.Context(), i, d.OIDC.Grants)
	if err != nil {
		return nil, errors.Join(err, d.refused(r.Context(), i.Name, access.ByOIDC, err))
	}
	return p, nil
}

// codes maps errors to codes that the page explains. A link cannot put its own text there. Other errors are only
// logged.
var codes = []struct {
	err  error
	code string
}{
	{errAttempts, "attempts"},
	{access.ErrSignIn, "disabled"},
	{access.ErrNameTaken, "name-taken"},
	{oidc.ErrFlow, "expired"},
	{oidc.ErrAway, "unreachable"},
	{oidc.ErrRefused, "refused"},
	{oidc.ErrDomain, "domain"},
	{oidc.ErrName, "name"},
}

func codeOf(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return "failed"
}

// redirectToSignIn redirects to the sign-in page with an error code.
func (d *Authenticator) redirectToSignIn(w http.ResponseWriter, r *http.Request, err error) {
	d.Log.Warn("not signed in by the provider", "address", access.VisitOf(r.Context()).Address, "err", err)
	http.Redirect(w, r, "/signin?"+url.Values{"error": {codeOf(err)}}.Encode(), http.StatusSeeOther)
}

// localPath returns next if it is a path of this site, otherwise the start page.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\t\r\n") {
		return "/"
	}
	return u.String()
}
