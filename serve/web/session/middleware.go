// Package session authenticates requests by cookie or token, and serves signing in and out, and people's own passwords
// and tokens.
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

// Config holds the dependencies and settings of authentication.
type Config struct {
	Store *access.Store
	// URL is the public URL of the query tool. With https, cookies require TLS.
	URL     *url.URL
	OIDC    *oidc.Provider // nil: none
	Proxies []netip.Prefix // trusted proxies, whose X-Forwarded-For counts
	// OnAttempt, if not nil, is called after each attempt to sign in.
	OnAttempt func(how access.How, in bool)
	Version   string
	Docs      string // address of a page of the documentation, with {page}; "": none
	// Empty reports whether no ping has arrived yet; nil: one has.
	Empty func() bool
	Now   func() time.Time
	Log   *slog.Logger
}

// Authenticator identifies the person of each request, by cookie or token.
type Authenticator struct {
	Config

	cross                              *http.CrossOriginProtection
	addresses, pairs, accounts, people *rates
	served                             *api.AtOnce
}

// New creates an Authenticator.
func New(c Config) (*Authenticator, error) {
	d := &Authenticator{
		Config: c, cross: http.NewCrossOriginProtection(),
		addresses: newRates(perAddress, c.Now), pairs: newRates(perPair, c.Now), accounts: newRates(perAccount, c.Now),
		people: newRates(perPerson, c.Now),
		served: &api.AtOnce{Max: maxServed},
	}
	if err := d.cross.AddTrustedOrigin(c.URL.Scheme + "://" + c.URL.Host); err != nil {
		return nil, err
	}
	return d, nil
}

// recordAttempt reports an attempt to sign in.
func (d *Authenticator) recordAttempt(how access.How, in bool) {
	if d.OnAttempt != nil {
		d.OnAttempt(how, in)
	}
}

type key struct{}

// current is the session of a request, nil without one, and its cookie.
type current struct {
	session *access.Session
	cookie  string
}

func currentOf(ctx context.Context) current {
	c, _ := ctx.Value(key{}).(current)
	return c
}

// Middleware authenticates each request by session or token; a request without them has no person. A request that
// changes something with a cookie must have the session's CSRF token.
func (d *Authenticator) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.setHeaders(w, r)
		if err := d.cross.Check(r); err != nil {
			api.Problem(w, http.StatusForbidden, "this came from a page of another site")
			return
		}
		ctx := access.WithVisit(api.WithLog(r.Context(), d.Log), access.Visit{Address: d.address(r), Agent: r.UserAgent()})
		ctx, status, problem := d.authenticate(ctx, r)
		if !d.paced(ctx, r) { // also requests with tokens that are not valid: finding that out costs a look-up
			tooMany(w, "too many requests: try again in a moment")
			return
		}
		if problem != "" {
			api.Problem(w, status, problem)
			return
		}
		if p := access.From(ctx); p != nil && !strings.HasPrefix(r.URL.Path, assets) {
			leave, may := d.served.Enter(p.ID)
			if !may {
				tooMany(w, api.TooMany)
				return
			}
			defer leave()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func tooMany(w http.ResponseWriter, text string) {
	w.Header().Set("Retry-After", "1")
	api.Problem(w, http.StatusTooManyRequests, text)
}

// maxServed is the maximum number of requests of a person at once, those that wait for a query included.
const maxServed = 100

// authenticate adds the person of a request to its context, or returns the status and text of a problem.
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

// failed returns the problem for an error of the store.
func (d *Authenticator) failed(ctx context.Context, err error, status int, problem string) (context.Context, int, string) {
	if errors.Is(err, access.ErrUnknown) {
		return ctx, status, problem
	}
	if ctx.Err() == nil { // otherwise the client has disconnected
		d.Log.Error("the account of a request cannot be read", "err", err)
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

// safe reports whether a method changes nothing.
func safe(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// assets is the path prefix of scripts and styles. They are not limited: a page has many, and serving one costs no
// more than a refusal.
const assets = "/assets/"

// paced counts a request and reports whether its person or address is below the limit.
func (d *Authenticator) paced(ctx context.Context, r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, assets) {
		return true
	}
	_, may := d.people.take(requester(ctx))
	return may
}

// requester returns the key by which requests are counted: the person, or the network of the address.
func requester(ctx context.Context) string {
	if p := access.From(ctx); p != nil {
		return p.ID
	}
	return network(access.VisitOf(ctx).Address)
}

// address returns the client's address without the port. Behind trusted proxies it is the last untrusted address.
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

// secure reports whether the query tool's URL uses TLS.
func (d *Authenticator) secure() bool { return d.URL.Scheme == "https" }

// cookieName returns the cookie's name. With TLS it has the prefix that prevents other hosts of the domain from
// setting it. Browsers send the cookies of one port of a host to its others: the port tells those of two servers apart.
func (d *Authenticator) cookieName() string {
	name := "pingmill"
	if port := d.URL.Port(); port != "" {
		name += "-" + port
	}
	if d.secure() {
		return "__Host-" + name
	}
	return name
}

func (d *Authenticator) cookie(r *http.Request) string {
	c, err := r.Cookie(d.cookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// set returns the cookie of a session; "" deletes the cookie.
func (d *Authenticator) set(value string) http.Cookie {
	c := http.Cookie{Name: d.cookieName(), Value: value, Path: "/", HttpOnly: true, Secure: d.secure(), SameSite: http.SameSiteLaxMode}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}
