package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestURIOfSQLite(t *testing.T) {
	dir := t.TempDir()
	for _, uri := range []string{"sqlite://" + dir + "/a.db", "sqlite:///" + dir + "/a.db", "sqlite://" + dir + "/b%3F%25%23 c.db"} {
		c, err := Open(t.Context(), Config{Kind: SQL, URI: uri})
		require.NoError(t, err, uri)
		_, err = c.Load(t.Context(), &Name{Namespace: "a", Table: "b"})
		require.ErrorIs(t, err, ErrNoTable, uri)
		require.NoError(t, c.Close())
	}
	require.FileExists(t, dir+"/a.db")
	require.FileExists(t, dir+"/b?%# c.db")
	for _, uri := range []string{"sqlite:", "sqlite:///", "sqlite:a.db", "sqlite://a.db", "sqlite://a/b.db"} {
		_, err := Open(t.Context(), Config{Kind: SQL, URI: uri})
		require.ErrorContains(t, err, "absolute path", uri)
	}
}
