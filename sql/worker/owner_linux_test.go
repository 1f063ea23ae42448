package worker

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// TestOwner: root asks about files that only somebody else may read.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files to others")
	}
	const nobody = 65534
	v := days(t)
	for _, f := range v.Files {
		for path, mode := range map[string]os.FileMode{f: 0o600, filepath.Dir(f): 0o700} {
			require.NoError(t, os.Chown(path, nobody, nobody))
			require.NoError(t, os.Chmod(path, mode))
		}
	}
	_, _, err := runRequest(t, Request{SQL: "SELECT count(*) FROM days", Views: []query.View{v}})
	require.NoError(t, err)
}
