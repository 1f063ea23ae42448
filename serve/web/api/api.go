// Package api holds what all parts of the HTTP API share: operations with their required rights, problem details, and
// the OpenAPI document, which is generated from the operations' Go types.
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

// Prefix is the path prefix of all operations.
const Prefix = "/api/v1"

// Anyone allows an operation without authentication. Member requires a signed-in person or a token, but no special
// right.
const (
	Anyone access.Right = "anyone"
	Member access.Right = ""
)

// maxAnonymous is the maximum size in bytes of a body from somebody who has not signed in: a name and a password. Other
// bodies have huma's limit, 1 MiB.
const maxAnonymous = 8 << 10

// New returns an API whose operations mux serves. The document is at /api/v1/openapi.json.
func New(mux *http.ServeMux, version string) huma.API {
	c := huma.DefaultConfig("pingmill", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = Prefix+"/openapi", "", ""
	c.CreateHooks = nil // no $schema members in documents
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "an API token"},
	}
	return humago.New(mux, c)
}

// Do adds an operation, such as Do(a, "GET /tables/{name}", "One table", api.Member, h). Without the right, the
// response is 401 or 403 before the input is parsed. opts change its documentation, such as its status.
func Do[I, O any](a huma.API, route, summary string, right access.Right, h func(context.Context, *I) (*O, error),
	opts ...func(*huma.Operation)) {
	method, where, _ := strings.Cut(route, " ")
	tag, _, _ := strings.Cut(strings.TrimPrefix(where, "/"), "/")
	op := huma.Operation{
		OperationID: operationID(method, where), Method: method, Path: path.Join(Prefix, where), Summary: summary, Tags: []string{tag},
		Middlewares: huma.Middlewares{only(a, right, tag)},
	}
	if right != Anyone {
		op.Security = []map[string][]string{{"token": {}}}
	} else {
		op.MaxBodyBytes = maxAnonymous
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

// Created is an option for operations that create something.
func Created(op *huma.Operation) { op.DefaultStatus = http.StatusCreated }

// operationID returns an id such as get-tables-name.
func operationID(method, where string) string {
	return strings.ToLower(method) + strings.NewReplacer("/", "-", "{", "", "}", "").Replace(where)
}

// scopes maps the first part of a path to the scope that a token needs. On other paths tokens are refused.
var scopes = map[string]access.Scope{
	"queries": access.QueryScope, "completion": access.QueryScope, "saved": access.QueryScope,
	"dashboards": access.QueryScope, "annotations": access.QueryScope,
	"tables": access.CatalogScope, "columns": access.CatalogScope, "metrics": access.CatalogScope, "quality": access.CatalogScope,
	"jobs": access.JobsScope, "ingestion": access.JobsScope,
	"people": access.PeopleScope, "audit": access.PeopleScope,
}

// only admits persons with a right, and tokens with the scope of the path.
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
