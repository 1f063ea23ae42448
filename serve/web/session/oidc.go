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

// flowTime is how long somebody may take at the provider, in seconds.
const flowTime = 600

// Where signing in by a provider begins, and where the provider sends people back to.
const (
	LoginPath    = "/auth/login"
	CallbackPath = "/auth/callback"
)

var errAttempts = errors.New("too many attempts to sign in")

// Pages adds the addresses of signing in by a provider, if there is one.
func (d *Authenticator) Pages(mux *http.ServeMux) {
	if d.OIDC != nil {
		mux.HandleFunc("GET "+LoginPath, d.login)
		mux.HandleFunc("GET "+CallbackPath, d.callback)
	}
}

// flowCookie binds an attempt to sign in to a browser: it has the seed of the attempt, and where to go on.
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
	http.SetCookie(w, d.flowCookie(seed+"."+url.QueryEscape(localPath(r.FormValue("next")))))
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

// enter gives the person whom the provider has sent back.
func (d *Authenticator) enter(r *http.Request, seed string) (*access.Person, error) {
	if iss := r.FormValue("iss"); iss != "" && iss != d.OIDC.Issuer { // RFC 9207: the response of another provider
		d.recordAttempt(access.ByOIDC, false)
		return nil, errors.Join(oidc.ErrFlow, fmt.Errorf("the response is of the provider %q", iss))
	}
	if e := r.FormValue("error"); e != "" {
		d.recordAttempt(access.ByOIDC, false)
		return nil, errors.Join(oidc.ErrRefused, errors.New(e+" "+r.FormValue("error_description")))
	}
	i, err := d.OIDC.Finish(r.Context(), seed, r.FormValue("state"), r.FormValue("code"))
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

// The page explains these codes; a link cannot put its own words there. Other errors are only logged.
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

// back sends somebody who could not be signed in to the page where they can try again.
func (d *Authenticator) redirectToSignIn(w http.ResponseWriter, r *http.Request, err error) {
	d.Log.Warn("not signed in by the provider", "address", access.VisitOf(r.Context()).Address, "err", err)
	http.Redirect(w, r, "/signin?"+url.Values{"error": {codeOf(err)}}.Encode(), http.StatusSeeOther)
}

// here is an address of ours to go on to, the start page where it is none.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\t\r\n") {
		return "/"
	}
	return u.String()
}
