// Package people serves the operations of administrators: accounts with rights, grants, limits and tokens, and the
// audit log.
package people

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
)

// Config holds the dependencies of the operations.
type Config struct {
	Store  *access.Store
	Tables []*schema.Table
	URL    string // of the query tool
	Grants []access.Grant
	Now    func() time.Time
}

// Routes adds the operations.
func (c Config) Routes(a huma.API) {
	api.Do(a, "GET /people", "All accounts", access.Administer, c.list)
	api.Do(a, "POST /people", "Make an account", access.Administer, c.add, api.Created)
	api.Do(a, "GET /people/{id}", "One account", access.Administer, c.get)
	api.Do(a, "PATCH /people/{id}", "Rename, disable or enable an account", access.Administer, c.patch)
	api.Do(a, "DELETE /people/{id}", "Remove an account", access.Administer, c.remove)
	api.Do(a, "POST /people/{id}/link", "Make a one-time link to sign in by", access.Administer, c.link, api.Created)
	api.Do(a, "PUT /people/{id}/grants", "Say which tables an account may read", access.Administer, c.grants)
	api.Do(a, "PUT /people/{id}/rights", "Say what an account may do", access.Administer, c.rights)
	api.Do(a, "PUT /people/{id}/limits", "Say how much an account may read", access.Administer, c.limits)
	api.Do(a, "GET /people/{id}/tokens", "The API tokens of an account", access.Administer, c.tokens)
	api.Do(a, "POST /people/{id}/tokens", "Make an API token for a service account", access.Administer, c.newToken, api.Created)
	api.Do(a, "DELETE /people/{id}/tokens/{token}", "End an API token of an account", access.Administer, c.deleteToken)
	api.Do(a, "GET /audit", "Who signed in, changed accounts, or queried restricted tables", access.Administer, c.audit)
}

// People is a list of accounts.
type People struct {
	Items []access.Account `json:"items"`
}

type (
	listOut    struct{ Body People }
	accountOut struct{ Body *access.Account }
	idIn       struct {
		ID string `path:"id"`
	}
)

func (c Config) list(ctx context.Context, _ *struct{}) (*listOut, error) {
	all, err := c.Store.Accounts(ctx)
	return &listOut{People{all}}, err
}

func (c Config) get(ctx context.Context, in *idIn) (*accountOut, error) {
	a, err := c.Store.Account(ctx, in.ID)
	return &accountOut{a}, api.Accounts(err)
}

type newPersonIn struct {
	Body struct {
		Name   string         `json:"name" maxLength:"100"`
		Email  string         `json:"email,omitempty" maxLength:"254"`
		Kind   access.Kind    `json:"kind,omitempty" enum:"person,service" default:"person"`
		Rights []access.Right `json:"rights,omitempty"`
		Grants []access.Grant `json:"grants,omitempty" doc:"those that everybody has if missing"`
	}
}

func (c Config) add(ctx context.Context, in *newPersonIn) (*accountOut, error) {
	p := access.Person{Name: in.Body.Name, Email: in.Body.Email, Kind: in.Body.Kind, Rights: in.Body.Rights, Grants: in.Body.Grants}
	if p.Grants == nil {
		p.Grants = c.Grants
	}
	if err := access.CheckGrants(c.Tables, p.Grants); err != nil {
		return nil, api.Accounts(err)
	}
	made, err := c.Store.Add(ctx, p)
	if err != nil {
		return nil, api.Accounts(err)
	}
	return &accountOut{made}, c.record(ctx, "new account", made)
}

// record writes a change of an account to the audit log.
func (c Config) record(ctx context.Context, what string, a *access.Account) error {
	return c.Store.Record(ctx, access.Entry{Event: access.Changed, Outcome: access.Done, About: what + ": " + a.Name})
}

// edit changes an account and records the change in the audit log.
func (c Config) edit(ctx context.Context, id, what string, change func(*access.Account)) (*accountOut, error) {
	a, err := c.Store.Edit(ctx, id, func(a *access.Account) error {
		change(a)
		return nil
	})
	if err != nil {
		return nil, api.Accounts(err)
	}
	return &accountOut{a}, c.record(ctx, what, a)
}

type changePersonIn struct {
	ID   string `path:"id"`
	Body struct {
		Name     *string `json:"name,omitempty" maxLength:"100"`
		Email    *string `json:"email,omitempty" maxLength:"254"`
		Disabled *bool   `json:"disabled,omitempty"`
	}
}

func (c Config) patch(ctx context.Context, in *changePersonIn) (*accountOut, error) {
	what := "account"
	if d := in.Body.Disabled; d != nil && *d {
		what = "disabled"
	}
	return c.edit(ctx, in.ID, what, func(a *access.Account) {
		set(&a.Name, in.Body.Name)
		set(&a.Email, in.Body.Email)
		set(&a.Disabled, in.Body.Disabled)
	})
}

// set assigns a value if the request has it.
func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (c Config) remove(ctx context.Context, in *idIn) (*struct{}, error) {
	a, err := c.Store.Account(ctx, in.ID)
	if err == nil {
		err = c.Store.Remove(ctx, a.ID)
	}
	if err != nil {
		return nil, api.Accounts(err)
	}
	return nil, c.record(ctx, "removed", a)
}

type grantsIn struct {
	ID   string `path:"id"`
	Body struct {
		Grants []access.Grant `json:"grants"`
	}
}

func (c Config) grants(ctx context.Context, in *grantsIn) (*accountOut, error) {
	if err := access.CheckGrants(c.Tables, in.Body.Grants); err != nil {
		return nil, api.Accounts(err)
	}
	return c.edit(ctx, in.ID, "grants "+access.GrantsText(in.Body.Grants), func(a *access.Account) { a.Grants = in.Body.Grants })
}

type rightsIn struct {
	ID   string `path:"id"`
	Body struct {
		Rights []access.Right `json:"rights"`
	}
}

func (c Config) rights(ctx context.Context, in *rightsIn) (*accountOut, error) {
	return c.edit(ctx, in.ID, "rights "+access.RightsText(in.Body.Rights), func(a *access.Account) { a.Rights = in.Body.Rights })
}

type limitsIn struct {
	ID   string `path:"id"`
	Body access.Limits
}

func (c Config) limits(ctx context.Context, in *limitsIn) (*accountOut, error) {
	return c.edit(ctx, in.ID, "limits", func(a *access.Account) { a.Limits = in.Body })
}
