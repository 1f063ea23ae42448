package oidc

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// TestIdentity: names and addresses count only as the provider vouches for them, and groups only as they are listed.
func TestIdentity(t *testing.T) {
	groups, err := ParseGroups([]string{"a=t", "a=t.x", "b=operate", "c=operate"})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		claims, claim string
		want          access.Identity
		err           error
	}{
		"all": {`{"sub":"1","name":"n","email":"a@B.example","email_verified":true,"groups":["b","c","x",1]}`, "name",
			access.Identity{Issuer: "i", Subject: "1", Name: "n", Email: "a@B.example",
				Groups: access.Groups{Rights: []access.Right{access.Operate}}}, nil},
		"one group": {`{"sub":"1","name":"n","email":"a@b.example","email_verified":"true","groups":"a"}`, "name",
			access.Identity{Issuer: "i", Subject: "1", Name: "n", Email: "a@b.example",
				Groups: access.Groups{Grants: []access.Grant{{Table: "t"}, {Table: "t", Columns: []string{"x"}}}}}, nil},
		"not verified": {`{"sub":"1","email":"a@b.example"}`, "email", access.Identity{}, ErrName},
		"two domains": {`{"sub":"1","name":"n","email":"a@evil.example@b.example","email_verified":true}`, "name", access.Identity{},
			ErrDomain},
		"other types":    {`{"sub":1,"name":["n"],"email":{},"groups":{"a":1}}`, "name", access.Identity{}, ErrName},
		"no subject":     {`{"name":"n"}`, "name", access.Identity{}, ErrName},
		"blank":          {`{"sub":"1","name":"  "}`, "name", access.Identity{}, ErrName},
		"another domain": {`{"sub":"1","name":"n","email":"a@c.example","email_verified":true}`, "name", access.Identity{}, ErrDomain},
	} {
		p := Provider{Config: Config{Issuer: "i", Claim: c.claim, GroupsClaim: "groups", Groups: groups, Domains: []string{"b.example"}}}
		claims := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(c.claims), &claims))
		got, err := p.identity(claims)
		require.ErrorIs(t, err, c.err, name)
		require.Equal(t, c.want, got, name)
	}
	for _, bad := range []string{"", "a", "=t", "a="} {
		_, err := ParseGroups([]string{bad})
		require.Error(t, err, bad)
	}
}

// FuzzClaims: whatever a provider says, nobody comes in without a subject, or by an address of another domain.
func FuzzClaims(f *testing.F) {
	f.Add(`{"sub":"1","name":"n","email":"a@b.example","email_verified":true,"groups":["a"]}`)
	p := Provider{Config: Config{Claim: "name", GroupsClaim: "groups", Domains: []string{"b.example"}}}
	f.Fuzz(func(t *testing.T, text string) {
		claims := map[string]any{}
		if json.Unmarshal([]byte(text), &claims) != nil {
			return
		}
		if i, err := p.identity(claims); err == nil {
			require.True(t, i.Subject != "" && i.Name != "" && strings.HasSuffix(strings.ToLower(i.Email), "@b.example"))
		}
	})
}
