package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/site"
)

var writeDocument = flag.Bool("write", false, "write app/openapi.json")

// TestDocument: the document from which the pages' types are made is the one that the server has.
func TestDocument(t *testing.T) {
	dir := t.TempDir()
	probes, err := schema.LoadProbes("")
	require.NoError(t, err)
	installation, err := site.Open(t.Context(), dir, schema.NewSet(probes))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, installation.Close()) })
	s, err := New(t.Context(), Config{Site: installation, Dir: dir + "/web", Version: "0", URL: "http://127.0.0.1:8090",
		Clock: clock.Clock{Now: time.Now},
		Log:   slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8090"+api.Prefix+"/openapi.json", nil))
	require.Equal(t, 200, w.Code)
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, w.Body.Bytes(), "", " "))
	b.WriteByte('\n')
	if *writeDocument {
		require.NoError(t, os.WriteFile("app/openapi.json", b.Bytes(), 0o644))
	}
	have, err := os.ReadFile("app/openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(have), b.String(), "run make web-types")
}
