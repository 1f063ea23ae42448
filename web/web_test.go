package web

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
)

// TestPages: addresses that only the pages know get the start page, those of the API do not.
func TestPages(t *testing.T) {
	s, err := New(t.Context(), Config{Site: sitetest.Local(t), Dir: t.TempDir(), URL: "http://127.0.0.1:8090", Version: "1", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	for path, want := range map[string]int{"/": 200, "/catalog/main_summary": 200, "/api/v1/nothing": 404, "/api/v1/openapi.json": 200} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		require.Equal(t, want, w.Code, path)
	}
	require.NoError(t, s.Close())
}
