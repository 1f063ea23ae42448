package web

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestPages: addresses that only the pages know get the start page, those of the API do not.
func TestPages(t *testing.T) {
	s, err := New(t.Context(), Config{Site: sitetest.Local(t), Dir: t.TempDir(), URL: "http://127.0.0.1:8090", Version: "1",
		Clock: clock.Clock{Now: time.Now},
		Log:   slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	for path, want := range map[string]int{"/": 200, "/catalog/main_summary": 200, "/api/v1/nothing": 404, "/api/v1/openapi.json": 200} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8090"+path, nil))
		require.Equal(t, want, w.Code, path)
	}
	require.NoError(t, s.Close())
}

// TestHeaders: every response limits what its page may load, pages of other names are refused, and only the assets are kept by browsers.
func TestHeaders(t *testing.T) {
	s, err := New(t.Context(), Config{Site: sitetest.Local(t), Dir: t.TempDir(), URL: "https://pings.example.org",
		Settings: Settings{Listen: "inner:8090"}, Version: "1", Clock: clock.Clock{Now: time.Now}, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer s.Close()
	for _, path := range []string{"/", "/nothing", "/api/v1/session", "/api/v1/nothing", "/assets/nothing.js"} {
		for host, status := range map[string]int{"pings.example.org": 0, "inner:8090": 0, "127.0.0.1:8090": 0, "evil.example": 421} {
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://"+host+path, nil))
			if status != 0 {
				require.Equal(t, status, w.Code, host)
				continue
			}
			require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'", path)
			require.Equal(t, path != "/assets/nothing.js", w.Header().Get("Cache-Control") == "no-store", path)
			require.NotEmpty(t, w.Header().Get("Strict-Transport-Security"))
		}
	}
}
