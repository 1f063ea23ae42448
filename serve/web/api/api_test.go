package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// TestRights: who lacks a right gets a problem, and the operation does not run.
func TestRights(t *testing.T) {
	mux := http.NewServeMux()
	a := New(mux, "1")
	type out struct{ Body string }
	for route, right := range map[string]access.Right{"GET /a": Anyone, "GET /m": Member, "GET /o": access.Operate} {
		Do(a, route, "a test", right, func(context.Context, *struct{}) (*out, error) { return &out{"done"}, nil })
	}
	nobody, member, operator := (*access.Person)(nil), &access.Person{}, &access.Person{Rights: []access.Right{access.Operate}}
	for _, c := range []struct {
		p    *access.Person
		path string
		want int
	}{
		{nobody, "/a", 200},
		{nobody, "/m", 401},
		{nobody, "/o", 401},
		{member, "/m", 200},
		{member, "/o", 403},
		{operator, "/o", 200},
	} {
		r := httptest.NewRequest("GET", Prefix+c.path, nil)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r.WithContext(access.With(r.Context(), c.p)))
		require.Equal(t, c.want, w.Code, c)
		if c.want != 200 {
			require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"), c)
		}
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", Prefix+"/openapi.json", nil))
	require.Contains(t, w.Body.String(), `"get-m"`)
	require.False(t, strings.Contains(w.Body.String(), "$schema"))
}
