package session

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
)

// State describes the session and the ways to sign in.
type State struct {
	Person  *access.Person `json:"person,omitempty" doc:"missing: nobody has signed in"`
	CSRF    string         `json:"csrf" doc:"for the header X-CSRF-Token of requests that are no GET"`
	Fresh   bool           `json:"fresh" doc:"may set a password without the old one"`
	SignIn  SignIn         `json:"signIn"`
	Setup   bool           `json:"setup" doc:"nobody has ever signed in: the log of the service has a link"`
	Version string         `json:"version"`
	Docs    string         `json:"docs,omitempty" doc:"address of a page of the documentation, with {page} for its name"`
	Empty   bool           `json:"empty,omitempty" doc:"for who operates: no ping has arrived yet"`
}

// SignIn lists the ways to sign in.
type SignIn struct {
	Local bool      `json:"local" doc:"by name and password"`
	OIDC  *Provider `json:"oidc,omitempty"`
}

// Provider is a provider of OpenID Connect.
type Provider struct {
	Name string `json:"name"`
	URL  string `json:"url" doc:"where signing in begins"`
}

type stateOut struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
	Cache     string        `header:"Cache-Control"`
	Body      State
}

// Routes adds the operations of signing in.
func (d *Authenticator) Routes(a huma.API) {
	api.Do(a, "GET /session", "Who asks, and how to sign in", api.Anyone, d.get)
	api.Do(a, "POST /session", "Sign in by name and password", api.Anyone, d.post)
	api.Do(a, "DELETE /session", "Sign out", api.Anyone, d.delete)
	api.Do(a, "POST /session/link", "Sign in by a one-time link", api.Anyone, d.link)
	api.Do(a, "PUT /session/password", "Set one's password", api.Member, d.password)
	api.Do(a, "GET /session/refused", "The last attempts to sign in to one's account that failed", api.Member, d.refusals)
	d.tokenRoutes(a)
}

type refusalsOut struct {
	Body struct {
		Items []Refusal `json:"items" nullable:"false" doc:"newest first, of the last 90 days"`
	}
}

// Refusal is a failed attempt to sign in.
type Refusal struct {
	At      time.Time `json:"at"`
	Address string    `json:"address"`
	How     string    `json:"how"`
	Why     string    `json:"why"`
}

// maxRefusals is the maximum number of failed attempts listed.
const maxRefusals = 20

// refusals lists failed attempts for the account: the person's own and those of others.
func (d *Authenticator) refusals(ctx context.Context, _ *struct{}) (*refusalsOut, error) {
	entries, err := d.Store.Audit(ctx, access.Filter{Refused: access.From(ctx).Name, Limit: maxRefusals})
	out := &refusalsOut{}
	out.Body.Items = []Refusal{}
	for _, e := range entries {
		out.Body.Items = append(out.Body.Items, Refusal{e.At, e.Address, e.About, e.Outcome})
	}
	return out, err
}

func (d *Authenticator) get(ctx context.Context, _ *struct{}) (*stateOut, error) {
	out, err := d.state(ctx)
	if s := currentOf(ctx).session; s != nil {
		out.Body.CSRF, out.Body.Fresh = s.CSRF, s.Fresh
	}
	out.Body.Person = access.From(ctx)
	out.Body.Empty = d.empty(out.Body.Person)
	return out, err
}

func (d *Authenticator) state(ctx context.Context) (*stateOut, error) {
	unused, err := d.Store.Unused(ctx)
	out := &stateOut{Cache: "no-store", Body: State{SignIn: SignIn{Local: true}, Setup: unused, Version: d.Version, Docs: d.Docs}}
	if d.OIDC != nil {
		out.Body.SignIn.OIDC = &Provider{d.OIDC.Name, LoginPath}
	}
	return out, err
}

// empty reports whether the first page of a person is the one that shows how to send pings.
func (d *Authenticator) empty(p *access.Person) bool {
	return p != nil && p.May(access.Operate) && d.Empty != nil && d.Empty()
}

type signInIn struct {
	Body struct {
		Name     string `json:"name" maxLength:"100"`
		Password string `json:"password" maxLength:"256"`
	}
}

func (d *Authenticator) post(ctx context.Context, in *signInIn) (*stateOut, error) {
	undo, err := d.attempt(ctx, in.Body.Name)
	if err != nil {
		return nil, err
	}
	p, err := d.Store.SignIn(ctx, in.Body.Name, in.Body.Password)
	if !errors.Is(err, access.ErrSignIn) {
		undo()
	}
	if err != nil {
		return nil, errors.Join(d.refused(ctx, in.Body.Name, access.ByPassword, err), api.Accounts(err))
	}
	return d.signedIn(ctx, p, access.ByPassword)
}

// signedIn begins the session of a person who signed in.
func (d *Authenticator) signedIn(ctx context.Context, p *access.Person, how access.How) (*stateOut, error) {
	d.recordAttempt(how, true)
	return d.begin(ctx, p, how)
}

// attempt counts an attempt to sign in against the address and, if an account is named, against the account from this
// address. From an unknown address it also counts against the account as a whole. The caller calls undo if the attempt
// should not count.
func (d *Authenticator) attempt(ctx context.Context, name string) (undo func(), err error) {
	from, account := network(access.VisitOf(ctx).Address), strings.ToLower(strings.TrimSpace(name))
	limits := []limit{{d.addresses, from}}
	if account != "" {
		known, err := d.known(ctx, account, from)
		if err != nil {
			return nil, err
		}
		if limits = append(limits, limit{d.pairs, account + " from " + from}); !known {
			limits = append(limits, limit{d.accounts, account})
		}
	}
	return held(takeAll(limits...))
}

// held returns a 429 problem if an attempt is not allowed.
func held(undo func(), may bool) (func(), error) {
	if !may {
		return nil, huma.ErrorWithHeaders(huma.Error429TooManyRequests("too many attempts to sign in: try again in a minute"),
			http.Header{"Retry-After": {"60"}})
	}
	return undo, nil
}

// known reports whether somebody recently signed in to an account from a network.
func (d *Authenticator) known(ctx context.Context, account, from string) (bool, error) {
	addresses, err := d.Store.SignedInFrom(ctx, account)
	return slices.ContainsFunc(addresses, func(a string) bool { return network(a) == from }), err
}

type useLinkIn struct {
	Body struct {
		Token string `json:"token" maxLength:"100"`
	}
}

func (d *Authenticator) link(ctx context.Context, in *useLinkIn) (*stateOut, error) {
	undo, err := d.attempt(ctx, "")
	if err != nil {
		return nil, err
	}
	p, err := d.Store.UseLink(ctx, in.Body.Token)
	if err == nil {
		undo()
	}
	if errors.Is(err, access.ErrUnknown) {
		err = errors.Join(d.refused(ctx, "", access.ByLink, err),
			huma.Error401Unauthorized("the link is not valid: it was used, or its time is over"))
	}
	if err != nil {
		return nil, err
	}
	return d.signedIn(ctx, p, access.ByLink)
}

// refused records a failed attempt in the audit log.
func (d *Authenticator) refused(ctx context.Context, name string, how access.How, why error) error {
	d.recordAttempt(how, false)
	return d.Store.Record(access.With(ctx, nil),
		access.Entry{Name: strings.TrimSpace(name), Event: access.SignedIn, Outcome: why.Error(), About: string(how)})
}

// begin starts a new session for a person and ends the session of the request.
func (d *Authenticator) begin(ctx context.Context, p *access.Person, how access.How) (*stateOut, error) {
	if old := currentOf(ctx).cookie; old != "" {
		if err := d.Store.End(ctx, old); err != nil {
			return nil, err
		}
	}
	cookie, err := d.Store.Begin(ctx, p.ID, how, access.VisitOf(ctx))
	if err != nil {
		return nil, err
	}
	s, err := d.Store.Session(ctx, cookie)
	if err != nil {
		return nil, err
	}
	if err := d.Store.Record(access.With(ctx, p), access.Entry{Event: access.SignedIn, Outcome: access.Done, About: string(how)}); err != nil {
		return nil, err
	}
	out, err := d.state(ctx)
	out.SetCookie = []http.Cookie{d.set(cookie)}
	out.Body.Person, out.Body.CSRF, out.Body.Fresh = s.Person, s.CSRF, s.Fresh
	out.Body.Empty = d.empty(s.Person)
	return out, err
}

type noContent struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
}

func (d *Authenticator) delete(ctx context.Context, _ *struct{}) (*noContent, error) {
	if c := currentOf(ctx); c.session != nil {
		if err := d.Store.End(ctx, c.cookie); err != nil {
			return nil, err
		}
		if err := d.Store.Record(ctx, access.Entry{Event: access.SignedOut, Outcome: access.Done}); err != nil {
			return nil, err
		}
	}
	return &noContent{[]http.Cookie{d.set("")}}, nil
}

type passwordIn struct {
	Body struct {
		Old string `json:"old,omitempty" maxLength:"256" doc:"not needed shortly after signing in by a link"`
		New string `json:"new" maxLength:"256"`
	}
}

// password sets a password. It ends all sessions of the person and starts a new one for the request.
func (d *Authenticator) password(ctx context.Context, in *passwordIn) (*stateOut, error) {
	c := currentOf(ctx)
	if c.session == nil {
		return nil, huma.Error403Forbidden("a password is set by who has signed in, not with a token")
	}
	p := c.session.Person
	if !c.session.Fresh {
		if err := d.old(ctx, p, in.Body.Old); err != nil {
			return nil, err
		}
	}
	if err := d.Store.SetPassword(ctx, p.ID, in.Body.New); err != nil {
		return nil, api.Accounts(err)
	}
	if err := d.Store.Record(ctx, access.Entry{Event: access.Changed, Outcome: access.Done, About: "own password"}); err != nil {
		return nil, err
	}
	return d.begin(ctx, p, access.ByPassword)
}

// old returns an error if the old password is wrong. Attempts are limited as for signing in, but separately from other
// addresses.
func (d *Authenticator) old(ctx context.Context, p *access.Person, password string) error {
	undo, err := held(takeAll(limit{d.pairs, p.ID + " in a session"}))
	if err != nil {
		return err
	}
	if _, err = d.Store.SignIn(ctx, p.Name, password); errors.Is(err, access.ErrSignIn) {
		return huma.Error422UnprocessableEntity("the old password is wrong")
	}
	undo()
	return api.Accounts(err)
}
