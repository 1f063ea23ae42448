package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

// archive returns a tar file of some files.
func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// serve returns a registry with one package; it returns the package's checksum.
func serve(t *testing.T, files map[string]string) (integrity string) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(archive(t, files)))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/@some/tool/-/tool-1.2.3.tgz" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(b.Bytes())
	}))
	t.Cleanup(s.Close)
	t.Setenv("npm_config_registry", s.URL+"/")
	sum := sha512.Sum512(b.Bytes())
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// TestInstall: a package is unpacked, what is packed in it, too, and its program runs. The second time it is not fetched again.
func TestInstall(t *testing.T) {
	sum := serve(t, map[string]string{
		"package/bin/tool.br":      packed(t, "#!/bin/sh\necho \"$WORD $*\"\n"),
		"package/bin/fonts.tar.br": packed(t, archive(t, map[string]string{"fonts.conf": "other folders", "fonts/a.ttf": "font"})),
		"package/include/much.h":   "not needed",
	})
	dir := t.TempDir()
	some := tool{
		packs:    []pack{{name: "@some/tool", version: "1.2.3", integrity: sum, only: "bin"}},
		programs: []program{{"tool", "export WORD=hello\nexec \"$tools/tool-1.2.3/bin/tool\" \"$@\""}},
	}
	require.NoError(t, some.install(dir))
	out, err := exec.Command(filepath.Join(dir, "bin", "tool"), "a b").CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "hello a b\n", string(out))
	fonts, err := os.ReadFile(filepath.Join(dir, "tool-1.2.3", "bin", "fonts", "fonts.conf"))
	require.NoError(t, err)
	require.Equal(t, fontsFile, string(fonts))
	require.NoFileExists(t, filepath.Join(dir, "tool-1.2.3", "include", "much.h"))
	t.Setenv("npm_config_registry", "http://127.0.0.1:1")
	require.NoError(t, some.install(dir))
}

// TestWrongChecksum: nothing is left of a package that is not the pinned one, of one that leaves its folder, and of one that there is not.
func TestWrongChecksum(t *testing.T) {
	sum := serve(t, map[string]string{"package/../../evil": "x"})
	dir := filepath.Join(t.TempDir(), "tools")
	p := pack{name: "@some/tool", version: "1.2.3", integrity: "sha512-AAAA"}
	require.ErrorContains(t, p.install(dir), "the checksum differs")
	require.NoDirExists(t, dir)
	p.integrity = sum
	require.Error(t, p.install(dir)) // its package folder is empty
	p.version = "2.0.0"
	require.ErrorContains(t, p.install(dir), "404")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoFileExists(t, filepath.Join(dir, "..", "evil"))
}
