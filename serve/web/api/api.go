// Package api has what all parts of the HTTP API share: operations with the right that each wants, problem details, and the
// OpenAPI document, which is made from the operations' Go types.
package api

import (
	"context"
	"net/http"
	"path"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/pingmill/pingmill/access"
)

// Prefix is where all operations are.
const Prefix = "/api/v1"

// Anyone is the right of operations for which nobody need have signed in, and Member that of those for who has.
const (
	Anyone access.Right = "anyone"
	Member access.Right = ""
)

// New makes an API whose operations are served by mux. The document is at /api/v1/openapi.json.
func New(mux *http.ServeMux, version string) huma.API {
	c := huma.DefaultConfig("pingmill", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = Prefix+"/openapi", "", ""
	c.CreateHooks = nil // no $schema members in documents
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "an API token"},
	}
	return humago.New(mux, c)
}

// Do adds an operation, such as Do(a, "GET /tables/{name}", "One table", api.Member, h). Who lacks the right gets 401 or 403
// before the input is looked at. opts change what the documentation says of it, such as its status.
func Do[I, O any](a huma.API, route, summary string, right access.Right, h func(context.Context, *I) (*O, error), opts ...func(*huma.Operation)) {
	method, where, _ := strings.Cut(route, " ")
	tag, _, _ := strings.Cut(strings.TrimPrefix(where, "/"), "/")
	op := huma.Operation{
		OperationID: operationID(method, where), Method: method, Path: path.Join(Prefix, where), Summary: summary, Tags: []string{tag},
		Middlewares: huma.Middlewares{only(a, right, tag)},
	}
	if right != Anyone {
		op.Security = []map[string][]string{{"token": {}}}
	}
	for _, opt := range opts {
		opt(&op)
	}
	huma.Register(a, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := h(ctx, in)
		if err != nil {
			return nil, unexpected(ctx, &op, err)
		}
		return out, nil
	})
}

// Created is the option of operations that make something.
func Created(op *huma.Operation) { op.DefaultStatus = http.StatusCreated }

// operationID is such as get-tables-name.
func operationID(method, where string) string {
	return strings.ToLower(method) + strings.NewReplacer("/", "-", "{", "", "}", "").Replace(where)
}

// scopes say which scope a token must have, by the first part of the path. Elsewhere tokens are of no use.
var scopes = map[string]access.Scope{
	"queries": access.QueryScope, "completion": access.QueryScope, "saved": access.QueryScope,
	"tables": access.CatalogScope, "columns": access.CatalogScope, "quality": access.CatalogScope,
	"jobs": access.JobsScope, "ingestion": access.JobsScope,
	"people": access.PeopleScope, "audit": access.PeopleScope,
}

// only lets only persons with a right through, and tokens only where they have the scope.
func only(a huma.API, right access.Right, tag string) func(huma.Context, func(huma.Context)) {
	return func(c huma.Context, next func(huma.Context)) {
		p := access.From(c.Context())
		switch {
		case right == Anyone:
		case p == nil:
			_ = huma.WriteErr(a, c, http.StatusUnauthorized, "sign in, or send a token")
			return
		case p.ByToken() && (scopes[tag] == "" || !p.Allows(scopes[tag])):
			_ = huma.WriteErr(a, c, http.StatusForbidden, "the token may not be used for this: its scopes leave it out")
			return
		case right != Member && !p.May(right):
			_ = huma.WriteErr(a, c, http.StatusForbidden, "this needs the right to "+string(right))
			return
		}
		next(c)
	}
}
