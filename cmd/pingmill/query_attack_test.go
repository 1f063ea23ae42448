package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueryAttacks: the statements of package worker are refused on the command line, each as an argument, and nothing is written or shown.
func TestQueryAttacks(t *testing.T) {
	t.Parallel()
	const canary = "canary-5f0c2e"
	data := loadedData(t, "--clients", "5")
	secret := filepath.Join(data, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte(canary), 0o600))
	names := func() (all []string) {
		require.NoError(t, filepath.WalkDir(data, func(path string, _ fs.DirEntry, err error) error {
			all = append(all, path)
			return err
		}))
		return all
	}
	words := strings.NewReplacer("{dir}", data, "{secret}", secret, "{link}", secret, "{part}", data+"/part.parquet", "{old}",
		data+"/old.parquet", "{other}", data+"/other.parquet", "{url}", "http://127.0.0.1:1")
	text, err := os.ReadFile("../../sql/worker/testdata/attacks.sql")
	require.NoError(t, err)
	mustCall(t, "query", "--data", data, "SELECT 1") // makes what there is to make
	before := names()
	harmless, n := false, 0
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "=="):
			harmless = strings.Contains(line, "like any other")
		case strings.HasPrefix(line, "--"), harmless:
		default:
			if n++; n%16 != 0 { // each takes a process
				continue
			}
			sql := words.Replace(strings.TrimSpace(line))
			for _, dialect := range []string{"duckdb", "presto"} {
				code, out, errs := call(nil, "query", "--data", data, "--dialect", dialect, "--format", "csv", "--timeout", "10s", "--", sql)
				if code == 0 || strings.Contains(out+errs, canary) {
					t.Errorf("%s: %s: exit %d: %s%s", dialect, sql, code, out, errs)
				}
			}
		}
	}
	require.Equal(t, before, names(), "nothing was written")
}
