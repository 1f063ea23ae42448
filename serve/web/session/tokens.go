package session

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
)

// Tokens is a list of tokens.
type Tokens struct {
	Items []access.Token `json:"items"`
}

type tokensOut struct{ Body Tokens }

// NewToken is a new token with its secret, which is shown once.
type NewToken struct {
	access.Token
	Secret string `json:"secret" doc:"the token itself, which is not shown again"`
}

type newTokenOut struct {
	Cache string `header:"Cache-Control"`
	Body  NewToken
}

type newTokenIn struct {
	Body struct {
		Name    string         `json:"name" maxLength:"100"`
		Expires time.Time      `json:"expires,omitzero" doc:"within a year from now; 90 days if missing"`
		Scopes  []access.Scope `json:"scopes,omitempty" doc:"query, catalog, jobs and people; query and catalog if missing"`
	}
}

type tokenIn struct {
	ID string `path:"id"`
}

func (d *Authenticator) tokenRoutes(a huma.API) {
	api.Do(a, "GET /tokens", "One's API tokens", api.Member, d.tokens)
	api.Do(a, "POST /tokens", "Make an API token", api.Member, d.newToken, api.Created)
	api.Do(a, "DELETE /tokens/{id}", "End an API token", api.Member, d.deleteToken)
}

func (d *Authenticator) tokens(ctx context.Context, _ *struct{}) (*tokensOut, error) {
	list, err := d.Store.Tokens(ctx, access.From(ctx).ID)
	return &tokensOut{Tokens{list}}, err
}

func (d *Authenticator) newToken(ctx context.Context, in *newTokenIn) (*newTokenOut, error) {
	t := access.Token{Name: in.Body.Name, Expires: in.Body.Expires, Scopes: in.Body.Scopes}
	if t.Scopes == nil {
		t.Scopes = []access.Scope{access.QueryScope, access.CatalogScope}
	}
	made, secret, err := d.Store.NewToken(ctx, access.From(ctx).ID, t)
	if err != nil {
		return nil, api.Accounts(err)
	}
	err = d.Store.Record(ctx, access.Entry{Event: access.Changed, Outcome: access.Done, About: "new token " + made.Name})
	return &newTokenOut{"no-store", NewToken{made, secret}}, err
}

func (d *Authenticator) deleteToken(ctx context.Context, in *tokenIn) (*struct{}, error) {
	if err := d.Store.DeleteToken(ctx, access.From(ctx).ID, in.ID); err != nil {
		return nil, api.Accounts(err)
	}
	return nil, d.Store.Record(ctx, access.Entry{Event: access.Changed, Outcome: access.Done, About: "ended token " + in.ID})
}
