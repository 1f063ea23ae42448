// Package session lets people in: cookies and tokens of requests, signing in and out, and everybody's own password and tokens.
package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/serve/web/api"
)

// Config says how people are let in.
type Config struct {
	Store *access.Store
	// URL is where people reach the query tool; with https cookies go over TLS only.
	URL     *url.URL
	OIDC    *oidc.Provider // nil: none
	Proxies []netip.Prefix // whose X-Forwarded-For counts
	// Tried, unless it is nil, is told of each attempt to sign in.
	OnAttempt func(how access.How, in bool)
	Version   string
	Now       func() time.Time
	Log       *slog.Logger
}

// Authenticator identifies the person of each request, by cookie or token.
type Authenticator struct {
	Config

	cross                              *http.CrossOriginProtection
	addresses, pairs, accounts, people *rates
}

// New creates an Authenticator.
func New(c Config) (*Authenticator, error) {
	d := &Authenticator{
		Config: c, cross: http.NewCrossOriginProtection(),
		addresses: newRates(perAddress, c.Now), pairs: newRates(perPair, c.Now), accounts: newRates(perAccount, c.Now), people: newRates(perPerson, c.Now),
	}
	if err := d.cross.AddTrustedOrigin(c.URL.Scheme + "://" + c.URL.Host); err != nil {
		return nil, err
	}
	return d, nil
}

// tried says that somebody tried to sign in.
func (d *Authenticator) recordAttempt(how access.How, in bool) {
	if d.OnAttempt != nil {
		d.OnAttempt(how, in)
	}
}

type key struct{}

// current is what is known of a request: the session, nil if none came, and its cookie.
type current struct {
	session *access.Session
	cookie  string
}

func currentOf(ctx context.Context) current {
	c, _ := ctx.Value(key{}).(current)
	return c
}

// Let lets requests in: those with a session or a token act for its person, others for nobody. What changes something and
// comes with a cookie has to show that it comes from our pages.
func (d *Authenticator) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.setHeaders(w, r)
		if err := d.cross.Check(r); err != nil {
			api.Problem(w, http.StatusForbidden, "this came from a page of another site")
			return
		}
		ctx := access.WithVisit(api.WithLog(r.Context(), d.Log), access.Visit{Address: d.address(r), Agent: r.UserAgent()})
		ctx, status, problem := d.authenticate(ctx, r)
		if problem != "" {
			api.Problem(w, status, problem)
			return
		}
		if !d.paced(ctx, r) {
			w.Header().Set("Retry-After", "1")
			api.Problem(w, http.StatusTooManyRequests, "too many requests: try again in a moment")
			return
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// who adds to a context who a request is from, or says what is wrong with it.
func (d *Authenticator) authenticate(ctx context.Context, r *http.Request) (_ context.Context, status int, problem string) {
	if _, given := r.Header["Authorization"]; given {
		p, err := d.Store.Authenticate(ctx, bearer(r))
		if err != nil {
			return d.failed(ctx, err, http.StatusUnauthorized, "the token is not valid: it may have expired")
		}
		return access.With(ctx, p), 0, ""
	}
	cookie := d.cookie(r)
	if cookie == "" {
		return ctx, 0, ""
	}
	s, err := d.Store.Session(ctx, cookie)
	if errors.Is(err, access.ErrUnknown) {
		return ctx, 0, ""
	}
	if err != nil {
		return d.failed(ctx, err, 0, "")
	}
	if !safe(r.Method) && subtle.ConstantTimeCompare([]byte(r.Header.Get("X-CSRF-Token")), []byte(s.CSRF)) != 1 {
		return ctx, http.StatusForbidden, "the header X-CSRF-Token is missing or of another session: load the page again"
	}
	return context.WithValue(access.With(ctx, s.Person), key{}, current{s, cookie}), 0, ""
}

// failed is who, where it cannot be told.
func (d *Authenticator) failed(ctx context.Context, err error, status int, problem string) (context.Context, int, string) {
	if errors.Is(err, access.ErrUnknown) {
		return ctx, status, problem
	}
	if ctx.Err() == nil { // or else whoever asked has gone
		d.Log.Error("cannot tell who asks", "err", err)
	}
	return ctx, http.StatusServiceUnavailable, "the accounts cannot be read now"
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// safe says whether a method changes nothing.
func safe(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// assets are the pages' scripts and styles: each page has many, and none costs more than a refusal.
const assets = "/assets/"

// paced counts a request, and reports whether its person or address has not made too many.
func (d *Authenticator) paced(ctx context.Context, r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, assets) {
		return true
	}
	_, may := d.people.take(requester(ctx))
	return may
}

// asker is whose requests are counted together: a person's, or those of an address where nobody has signed in.
func requester(ctx context.Context) string {
	if p := access.From(ctx); p != nil {
		return p.ID
	}
	return network(access.VisitOf(ctx).Address)
}

// address is where a request comes from, without the port. Behind trusted proxies it is the last address that is none of theirs.
func (d *Authenticator) address(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	at := peer.Addr().Unmap()
	trusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(d.Proxies, func(n netip.Prefix) bool { return n.Contains(a) })
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && trusted(at); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at = hop.Unmap()
	}
	return at.String()
}

// secure says whether people reach the query tool by TLS.
func (d *Authenticator) secure() bool { return d.URL.Scheme == "https" }

// cookieName has the prefix that keeps other hosts of the domain from setting it, where TLS allows that.
func (d *Authenticator) cookieName() string {
	if d.secure() {
		return "__Host-pingmill"
	}
	return "pingmill"
}

func (d *Authenticator) cookie(r *http.Request) string {
	c, err := r.Cookie(d.cookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// set is the cookie of a session, and with "" one that ends it.
func (d *Authenticator) set(value string) http.Cookie {
	c := http.Cookie{Name: d.cookieName(), Value: value, Path: "/", HttpOnly: true, Secure: d.secure(), SameSite: http.SameSiteLaxMode}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}
