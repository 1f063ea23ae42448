package site

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// TestRights: others may read a new installation, but for what is private in it.
func TestRights(t *testing.T) {
	for range 20 { // whatever is opened first
		dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
		below, err := Roots{}.Below(elsewhere)
		require.NoError(t, err)
		for at, roots := range map[string]Roots{filepath.Join(dir, "new"): {}, elsewhere: below} {
			s, err := Open(t.Context(), filepath.Join(dir, "new"), schema.NewSet(&schema.Probes{}), At(roots))
			require.NoError(t, err)
			require.NoError(t, s.Close())
			for name, want := range map[string]fs.FileMode{
				"": 0o755, "archive": 0o755, "archive/forgotten": 0o755, "archive/forget": 0o700,
				"lake": 0o755, "pipeline": 0o755, "restricted": 0o700,
			} {
				info, err := os.Stat(filepath.Join(at, name))
				require.NoError(t, err)
				require.Equal(t, want, info.Mode().Perm(), name)
			}
		}
	}
}
