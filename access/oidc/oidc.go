// Package oidc signs people in with OpenID Connect, using the code flow with PKCE, state and nonce.
package oidc

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pingmill/pingmill/access"
)

// Config identifies the provider and sets what its people may do.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	Redirect     string // callback URL
	Name         string // shown to people
	Scopes       []string
	Claim        string   // the claim with a person's name
	Domains      []string // accepted domains of addresses; none: all
	GroupsClaim  string   // the claim with a person's groups
	Groups       map[string]access.Groups
	Grants       []access.Grant // for new people
	Now          func() time.Time
	Log          *slog.Logger
}

// Provider signs people in. It discovers the provider's endpoints at the first use, so the provider may be down before
// that.
type Provider struct {
	Config

	client *http.Client

	mu     sync.Mutex
	found  *oidc.Provider
	failed time.Time // time of the last failed discovery
	why    error
}

const (
	timeout    = 10 * time.Second // for a response of the provider
	maxAnswer  = 1 << 20
	askAgain   = 5 * time.Second // after a failed discovery
	seedLength = 43              // 256 bits as text
)

// New returns a provider. It logs a warning if the provider cannot be reached now.
func New(ctx context.Context, c Config) *Provider {
	p := &Provider{Config: c, client: &http.Client{Timeout: timeout, Transport: limited{http.DefaultTransport}}}
	ctx, cancel := context.WithTimeout(ctx, timeout/2)
	defer cancel()
	if _, err := p.discover(ctx); err != nil {
		c.Log.Warn("the provider of accounts cannot be asked: signing in by it is tried again when somebody wants to", "issuer", c.Issuer, "err",
			err)
	}
	return p
}

// Look reads the configuration of a provider, and returns the time of the provider's clock; zero if the response had none.
func Look(ctx context.Context, issuer string) (now time.Time, err error) {
	clock := &clockReader{next: limited{http.DefaultTransport}}
	_, err = oidc.NewProvider(oidc.ClientContext(ctx, &http.Client{Timeout: timeout, Transport: clock}), issuer)
	return clock.now, err
}

// clockReader keeps the time that a response names.
type clockReader struct {
	next http.RoundTripper
	now  time.Time
}

func (c *clockReader) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.next.RoundTrip(r)
	if err == nil {
		c.now, _ = http.ParseTime(answer.Header.Get("Date"))
	}
	return answer, err
}

// The errors of signing in. People see their texts.
var (
	ErrAway    = errors.New("the provider of accounts cannot be reached now: try again later")
	ErrFlow    = errors.New("this was begun in another window, or too long ago: sign in again")
	ErrRefused = errors.New("the provider did not sign you in")
	ErrDomain  = errors.New("accounts of your e-mail domain are not let in")
	ErrName    = errors.New("the provider gives you no name that can be used here")
)

// Begin starts a sign-in. It returns the provider's URL and a seed, which the browser keeps in a cookie for Finish.
func (p *Provider) Begin(ctx context.Context) (address, seed string, err error) {
	c, err := p.oauth(ctx)
	if err != nil {
		return "", "", err
	}
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it cannot fail
	seed = base64.RawURLEncoding.EncodeToString(b)
	return c.AuthCodeURL(derived(seed, "state"), oidc.Nonce(derived(seed, "nonce")), oauth2.S256ChallengeOption(derived(seed, "verifier"))),
		seed, nil
}

// derived derives a secret of one sign-in, such as its state, from the seed. Neither the seed nor another secret can
// be computed from it.
func derived(seed, what string) string {
	m := hmac.New(sha256.New, []byte(seed))
	m.Write([]byte(what))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// Finish returns the identity of a person who returned with state and code in the browser that has the seed.
func (p *Provider) Finish(ctx context.Context, seed, state, code string) (access.Identity, error) {
	if len(seed) != seedLength || subtle.ConstantTimeCompare([]byte(state), []byte(derived(seed, "state"))) != 1 {
		return access.Identity{}, ErrFlow
	}
	c, err := p.oauth(ctx)
	if err != nil {
		return access.Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := c.Exchange(ctx, code, oauth2.VerifierOption(derived(seed, "verifier")))
	if err != nil {
		return access.Identity{}, errors.Join(ErrRefused, fmt.Errorf("exchange the code: %w", err))
	}
	claims, err := p.claims(ctx, token, derived(seed, "nonce"))
	if err != nil {
		return access.Identity{}, err
	}
	return p.identity(claims)
}

// oauth returns the client configuration after discovery.
func (p *Provider) oauth(ctx context.Context) (*oauth2.Config, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return nil, errors.Join(ErrAway, err)
	}
	return &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: found.Endpoint(), RedirectURL: p.Redirect,
		Scopes: p.Scopes}, nil
}

// discover reads the provider's configuration once. After a failure it retries at most every askAgain.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	if now := p.Now(); p.why != nil && now.Sub(p.failed) < askAgain {
		return nil, p.why
	}
	// The provider uses this context later, such as for its keys, so it must not end with this request.
	found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.Issuer)
	if err != nil {
		p.failed, p.why = p.Now(), err
		return nil, err
	}
	p.found = found
	return found, nil
}

// claims returns the claims of the verified token. If required ones are missing, it adds those of the userinfo
// endpoint.
func (p *Provider) claims(ctx context.Context, token *oauth2.Token, nonce string) (map[string]any, error) {
	raw, _ := token.Extra("id_token").(string)
	id, err := p.found.VerifierContext(ctx, &oidc.Config{ClientID: p.ClientID, Now: p.Now}).Verify(ctx, raw)
	if err != nil {
		return nil, errors.Join(ErrRefused, err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1 {
		return nil, errors.Join(ErrRefused, errors.New("the token is of another attempt: its nonce is wrong"))
	}
	claims := map[string]any{}
	if err := id.Claims(&claims); err != nil {
		return nil, errors.Join(ErrRefused, err)
	}
	if azp, given := claims["azp"]; given && azp != p.ClientID || !given && len(id.Audience) > 1 {
		return nil, errors.Join(ErrRefused, errors.New("the token was made for another client"))
	}
	if !p.lacks(claims) || p.found.UserInfoEndpoint() == "" {
		return claims, nil
	}
	info, err := p.found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, errors.Join(ErrRefused, err)
	}
	if info.Subject != id.Subject {
		return nil, errors.Join(ErrRefused, errors.New("the provider answers about another person"))
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return nil, errors.Join(ErrRefused, err)
	}
	for name, value := range claims {
		more[name] = value // signed claims take precedence
	}
	return more, nil
}
