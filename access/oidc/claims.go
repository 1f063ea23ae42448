package oidc

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
)

// lacks reports whether a required claim is missing.
func (p *Provider) lacks(claims map[string]any) bool {
	wanted := []string{p.Claim, "email"}
	if len(p.Groups) > 0 {
		wanted = append(wanted, p.GroupsClaim)
	}
	return slices.ContainsFunc(wanted, func(c string) bool { return claims[c] == nil })
}

// identity converts claims into an identity.
func (p *Provider) identity(claims map[string]any) (access.Identity, error) {
	subject, _ := claims["sub"].(string)
	name, _ := claims[p.Claim].(string)
	if subject == "" || strings.TrimSpace(name) == "" {
		return access.Identity{}, errors.Join(ErrName, fmt.Errorf("claim %s is missing", p.Claim))
	}
	i := access.Identity{Issuer: p.Issuer, Subject: subject, Name: name, Email: verified(claims), Groups: p.given(claims)}
	if p.Claim == "email" && i.Email == "" {
		return access.Identity{}, errors.Join(ErrName, errors.New("the address is not verified"))
	}
	_, domain, _ := strings.Cut(i.Email, "@")
	if len(p.Domains) > 0 && !slices.ContainsFunc(p.Domains, func(d string) bool { return strings.EqualFold(d, domain) }) {
		return access.Identity{}, errors.Join(ErrDomain, fmt.Errorf("the domain is %q", domain))
	}
	return i, nil
}

// verified returns the verified e-mail address, or "". An unverified address may belong to somebody else.
func verified(claims map[string]any) string {
	email, _ := claims["email"].(string)
	if claims["email_verified"] != true && claims["email_verified"] != "true" || strings.Count(email, "@") != 1 {
		return ""
	}
	return email
}

// given returns the rights and grants of a person's groups.
func (p *Provider) given(claims map[string]any) (all access.Groups) {
	var names []any
	switch g := claims[p.GroupsClaim].(type) {
	case []any:
		names = g
	case string:
		names = []any{g}
	}
	for _, n := range names {
		name, _ := n.(string)
		g := p.Groups[name]
		all.Grants = append(all.Grants, g.Grants...)
		for _, r := range g.Rights {
			if !slices.Contains(all.Rights, r) {
				all.Rights = append(all.Rights, r)
			}
		}
	}
	return all
}

// ParseGroups parses rights and grants of groups, such as analysts=clients_daily or admins=administer.
func ParseGroups(texts []string) (map[string]access.Groups, error) {
	groups := map[string]access.Groups{}
	for _, text := range texts {
		name, what, ok := strings.Cut(text, "=")
		if !ok || name == "" || what == "" {
			return nil, fmt.Errorf("want a group and what it gives, such as analysts=clients_daily, not %q", text)
		}
		g := groups[name]
		if r := access.Right(what); r == access.Operate || r == access.Administer {
			g.Rights = append(g.Rights, r)
		} else {
			grants, err := access.ParseGrants([]string{what})
			if err != nil {
				return nil, fmt.Errorf("group %s: %w", name, err)
			}
			g.Grants = append(g.Grants, grants...)
		}
		groups[name] = g
	}
	return groups, nil
}

// limited limits the size of the provider's responses.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}
