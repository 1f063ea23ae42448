package web

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPages: addresses that only the pages know get the start page, those of the API do not.
func TestPages(t *testing.T) {
	s, err := New(t.Context(), Config{Version: "1"})
	require.NoError(t, err)
	for path, want := range map[string]int{"/": 200, "/catalog/main_summary": 200, "/api/v1/nothing": 404, "/api/v1/openapi.json": 200} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		require.Equal(t, want, w.Code, path)
	}
	require.NoError(t, s.Close())
}
