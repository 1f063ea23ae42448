package loader

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// strictSchemas returns a folder of schemas that no ping satisfies.
func strictSchemas(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, docType := range []string{"main", "crash", "new-profile", "update"} {
		schema := `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","required":["fromTheFuture"]}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, docType+".4.schema.json"), []byte(schema), 0o600))
	}
	return dir
}

// loadStrictly loads submissions with the strict schemas and without a check
// for duplicates.
func loadStrictly(t testing.TB, s *site.Site, schemas string, all []sitetest.Sent) {
	t.Helper()
	loadWith(t, s, ingest.Config{Schemas: schemas}, all)
}

func loadWith(t testing.TB, s *site.Site, c ingest.Config, all []sitetest.Sent) {
	t.Helper()
	if _, err := Load(context.Background(), s, bytes.NewReader(sitetest.Lines(t, all)), LoadOptions{Decode: c}); err != nil {
		t.Fatal(err)
	}
}

func mustReplay(t testing.TB, s *site.Site, o ReplayOptions) Replayed {
	t.Helper()
	r, err := Replay(context.Background(), s, o)
	require.NoError(t, err)
	return r
}
