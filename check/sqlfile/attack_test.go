package sqlfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/check/sqlfile"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/worker"
)

// TestAttacks: no statement of package worker that would write, read a file or change anything is taken as a check.
func TestAttacks(t *testing.T) {
	const canary = "canary-5f0c2e"
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte(canary), 0o600))
	words := strings.NewReplacer("{dir}", dir, "{secret}", secret, "{link}", secret, "{part}", dir+"/part.parquet", "{old}",
		dir+"/old.parquet", "{other}", dir+"/other.parquet", "{url}", "http://127.0.0.1:1")
	text, err := os.ReadFile("../../sql/worker/testdata/attacks.sql")
	require.NoError(t, err)
	files := map[string]string{}
	harmless, n := false, 0
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "=="):
			harmless = strings.Contains(line, "like any other")
		case strings.HasPrefix(line, "--"), harmless:
		default:
			if n++; n%6 == 0 { // each takes a process
				files[fmt.Sprintf("a%d.crash_summary.error.sql", n)] = "-- dialect: duckdb\n" + words.Replace(line)
			}
		}
	}
	tables := schema.NewSet(probes(t)).Tables
	checks, err := sqlfile.Load(t.Context(), folder(t, files), tables, check.All(tables), &worker.Runner{Temp: t.TempDir()})
	require.Empty(t, checks)
	require.NotContains(t, err.Error(), canary)
	require.Len(t, strings.Split(err.Error(), "read check "), len(files)+1, "each is refused")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing was written")
}
