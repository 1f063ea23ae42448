package people

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
)

type personLinkOut struct {
	Cache string `header:"Cache-Control"`
	Body  struct {
		URL     string    `json:"url" doc:"signs in once; not shown again"`
		Expires time.Time `json:"expires"`
	}
}

func (c Config) link(ctx context.Context, in *idIn) (*personLinkOut, error) {
	a, err := c.Store.Account(ctx, in.ID)
	if err != nil {
		return nil, api.Accounts(err)
	}
	out := &personLinkOut{Cache: "no-store"}
	out.Body.Expires = c.Now().Add(access.LinkTime)
	token, err := c.Store.Link(ctx, a.ID)
	if err != nil {
		return nil, api.Accounts(err)
	}
	out.Body.URL = c.URL + access.LinkPath(token)
	return out, c.record(ctx, "new link", a)
}

type serviceTokensOut struct {
	Body struct {
		Items []access.Token `json:"items"`
	}
}

func (c Config) tokens(ctx context.Context, in *idIn) (*serviceTokensOut, error) {
	a, err := c.Store.Account(ctx, in.ID)
	if err != nil {
		return nil, api.Accounts(err)
	}
	out := &serviceTokensOut{}
	out.Body.Items, err = c.Store.Tokens(ctx, a.ID)
	return out, err
}

type serviceTokenIn struct {
	ID   string `path:"id"`
	Body struct {
		Name    string         `json:"name" maxLength:"100"`
		Expires time.Time      `json:"expires,omitzero" doc:"within a year from now; 90 days if missing"`
		Scopes  []access.Scope `json:"scopes"`
	}
}

type serviceTokenOut struct {
	Cache string `header:"Cache-Control"`
	Body  struct {
		access.Token
		Secret string `json:"secret" doc:"the token itself, which is not shown again"`
	}
}

// newToken creates tokens for service accounts only: with a person's token, somebody else could act in their name.
func (c Config) newToken(ctx context.Context, in *serviceTokenIn) (*serviceTokenOut, error) {
	a, err := c.Store.Account(ctx, in.ID)
	if err != nil {
		return nil, api.Accounts(err)
	}
	if a.Kind != access.Service {
		return nil, huma.Error422UnprocessableEntity("people make their tokens themselves: this is for service accounts")
	}
	out := &serviceTokenOut{Cache: "no-store"}
	out.Body.Token, out.Body.Secret,
		err = c.Store.NewToken(ctx, a.ID, access.Token{Name: in.Body.Name, Expires: in.Body.Expires, Scopes: in.Body.Scopes})
	if err != nil {
		return nil, api.Accounts(err)
	}
	return out, c.record(ctx, "new token "+out.Body.Name, a)
}

type tokenIn struct {
	ID    string `path:"id"`
	Token string `path:"token"`
}

func (c Config) deleteToken(ctx context.Context, in *tokenIn) (*struct{}, error) {
	a, err := c.Store.Account(ctx, in.ID)
	if err == nil {
		err = c.Store.DeleteToken(ctx, a.ID, in.Token)
	}
	if err != nil {
		return nil, api.Accounts(err)
	}
	return nil, c.record(ctx, "ended token", a)
}

type auditIn struct {
	Person string       `query:"person" doc:"id or name"`
	Table  string       `query:"table" doc:"that was read"`
	Event  access.Event `query:"event"`
	From   time.Time    `query:"from"`
	To     time.Time    `query:"to"`
	Limit  int          `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Cursor int64        `query:"cursor"`
}

type auditListOut struct {
	Body struct {
		Items []access.Entry `json:"items"`
		Next  int64          `json:"next,omitempty" doc:"cursor of older entries"`
	}
}

func (c Config) audit(ctx context.Context, in *auditIn) (*auditListOut, error) {
	entries, err := c.Store.Audit(ctx,
		access.Filter{Person: in.Person, Table: in.Table, Event: in.Event, From: in.From, To: in.To, Before: in.Cursor, Limit: in.Limit + 1})
	out := &auditListOut{}
	if len(entries) > in.Limit {
		entries = entries[:in.Limit]
		out.Body.Next = entries[in.Limit-1].ID
	}
	out.Body.Items = entries
	return out, err
}
