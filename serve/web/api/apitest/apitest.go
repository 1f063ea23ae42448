// Package apitest calls operations of the API in tests, as a person.
package apitest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
)

// API is an API in a test.
type API struct {
	huma.API
	mux *http.ServeMux
}

// New returns an API without operations.
func New() *API {
	mux := http.NewServeMux()
	return &API{api.New(mux, "test"), mux}
}

// Ask sends a request, such as "GET /tables", with body as JSON unless it is nil. It returns the status and text of
// the response.
func (a *API) Do(t testing.TB, p *access.Person, request string, body any) (status int, text string) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	var sent bytes.Buffer
	if body != nil {
		require.NoError(t, json.NewEncoder(&sent).Encode(body))
	}
	r := httptest.NewRequest(method, api.Prefix+path, &sent)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.mux.ServeHTTP(w, r.WithContext(access.With(r.Context(), p)))
	return w.Code, w.Body.String()
}

// Get sends a GET request, requires status 200, and decodes the response into out.
func (a *API) Get(t testing.TB, p *access.Person, path string, out any) {
	t.Helper()
	status, text := a.Do(t, p, "GET "+path, nil)
	require.Equal(t, http.StatusOK, status, text)
	require.NoError(t, json.Unmarshal([]byte(text), out), text)
}
