package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// definitionsOf writes a folder of definitions.
func definitionsOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

func TestReadDefinitions(t *testing.T) {
	var g Glean
	require.NoError(t, g.ReadDefinitions(definitionsOf(t, map[string]string{
		"org-a/pings.yaml":      "---\n$schema: moz://mozilla.org/schemas/glean/pings/2-0-0\nno_lint: [X]\none:\n  include_client_id: true\ntwo:\n  metadata:\n    include_info_sections: false\n",
		"org-a/more.pings.yaml": `{"three": {"metadata": {"include_info_sections": true, "tags": ["x"]}}, "four": {"metadata": {"include_info_sections": false}}}`,
		"org-b/metrics.yaml":    "not: read",
		"README":                "no folder",
	})))
	require.Equal(t, []string{"org-a", "org-b"}, g.Applications)
	require.NoError(t, g.ReadDefinitions(definitionsOf(t, map[string]string{"org-a/pings.yaml": "two: {}\nfour: {metadata: {include_info_sections: false}}\nfive: {}\n"})))
	for docType, want := range map[string]InfoSections{"one": WithInfo, "two": InfoUnknown, "three": WithInfo, "four": WithoutInfo, "five": WithInfo, "six": InfoUnknown} {
		require.Equal(t, want, g.InfoSections("org-a", docType), docType)
		require.Equal(t, InfoUnknown, g.InfoSections("org-b", docType), docType)
	}
	d := newDecoder(t, Config{Glean: g})
	require.Equal(t, Ping, decode(t, d, "/submit/org-a/four/1/"+gleanID, "{}").Kind)
	require.Equal(t, ClassSchema, decode(t, d, "/submit/org-a/one/1/"+gleanID, "{}").Class)

	for _, text := range []string{"a: [", "a: 5", "a: {metadata: {include_info_sections: maybe}}", "- a"} {
		dir := definitionsOf(t, map[string]string{"org-a/pings.yaml": text})
		require.ErrorContains(t, new(Glean).ReadDefinitions(dir), "pings.yaml", text)
	}
	require.Error(t, new(Glean).ReadDefinitions(filepath.Join(t.TempDir(), "none")))
}
