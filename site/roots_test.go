package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

func TestRootsBelow(t *testing.T) {
	for place, want := range map[string]Roots{
		"":                   {Lake: "own"},
		"/disk":              {"/disk/archive", "own", "/disk/pipeline", "/disk/restricted"},
		"s3://b":             {"s3://b/archive", "own", "s3://b/pipeline", "s3://b/restricted"},
		"s3://b/p/?region=x": {"s3://b/p/archive?region=x", "own", "s3://b/p/pipeline?region=x", "s3://b/p/restricted?region=x"},
		"azblob://c/a?account=a%2Fb": {"azblob://c/a/archive?account=a%2Fb", "own", "azblob://c/a/pipeline?account=a%2Fb",
			"azblob://c/a/restricted?account=a%2Fb"},
	} {
		got, err := Roots{Lake: "own"}.Below(place)
		require.NoError(t, err)
		if got != want {
			t.Errorf("below %q: %+v, want %+v", place, got, want)
		}
	}
	if _, err := (Roots{}).Below("s3://name:secret@b"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a password in a URL: %v", err)
	}
}

// TestRootsCheck: roots that cannot be meant are refused before anything is opened, and passwords are not repeated.
func TestRootsCheck(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "archive"), link))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "archive"), 0o755))
	for _, c := range []struct {
		roots Roots
		want  string
	}{
		{Roots{}, ""},
		{Roots{Lake: "s3://b", Restricted: "gs://b"}, ""},
		{Roots{Lake: "s3://b/lake", Restricted: "s3://b/lake2"}, ""},
		{Roots{Lake: "s3://b?endpoint=http://one", Restricted: "s3://b?endpoint=http://two"}, ""},
		{Roots{Lake: filepath.Join(dir, "lake")}, ""},
		{Roots{Lake: "s3://b/x", Pipeline: "s3://b/x/"}, "pipeline root s3://b/x/ is in the lake root s3://b/x"},
		{Roots{Lake: "s3://b?region=a", Restricted: "s3://b/r?region=a"},
			"restricted root s3://b/r?region=a is in the lake root s3://b?region=a:"},
		{Roots{Archive: dir}, "the data folder is in it"},
		{Roots{Archive: filepath.Dir(dir)}, "the data folder is in it"},
		{Roots{Lake: filepath.Join(dir, "archive", "x")}, "is in the archive root"},
		{Roots{Lake: filepath.Join(link, "x")}, "is in the archive root"},
		{Roots{Lake: "ftp://b"}, "lake root: bad URL ftp://b: it has to begin with"},
		{Roots{Lake: "s3://b?regoin=x"}, "unknown setting \"regoin\""},
		{Roots{Lake: "s3:///lake"}, "it needs the name of a bucket"},
		{Roots{Lake: "s3://b/a/../c"}, "begins with a dot"},
		{Roots{Lake: "s3://b/a//c"}, "empty segment"},
		{Roots{Lake: "s3://b/a#c"}, "must not have a #"},
		{Roots{Lake: "s3://key:secret@b/a"}, "lake root: bad URL s3://b/a: it must not hold credentials"},
		{Roots{Lake: "s3://key:secret@b:x/a"}, "bad URL of a bucket"},
	} {
		err := c.roots.Check(dir)
		if (err == nil) != (c.want == "") || err != nil &&
			(!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%+v: %v, want %q", c.roots, err, c.want)
		}
	}
}

// TestRootsElsewhere: what was put where the roots are is found again, and the data folder has nothing of it.
func TestRootsElsewhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	roots, err := Roots{Lake: filepath.Join(t.TempDir(), "tables")}.Below(t.TempDir())
	require.NoError(t, err)
	is, err := roots.Exist(t.Context(), dir)
	require.NoError(t, err)
	require.False(t, is)
	s, err := Open(t.Context(), dir, schema.NewSet(&schema.Probes{}), At(roots))
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, store.WriteFile(t.Context(), s.Roots[schema.StorageRoot], "a", []byte("x")))
	data, err := os.ReadFile(filepath.Join(roots.Lake, "a"))
	require.NoError(t, err)
	require.Equal(t, "x", string(data))
	info, err := os.Stat(roots.Restricted)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ledgerName) {
			t.Errorf("%s is in the data folder", e.Name())
		}
	}
	is, err = roots.Exist(t.Context(), filepath.Join(t.TempDir(), "of another server"))
	require.NoError(t, err)
	require.True(t, is)
}

// TestServerName: where data is in buckets a server has a name, the same every time.
func TestServerName(t *testing.T) {
	dir := t.TempDir()
	share := func(name string, remote bool) (*Sharing, error) {
		s := &Site{Dir: dir, LockFiles: LockFiles{filepath.Join(dir, "locks")}, remote: remote}
		err := s.Share(t.Context(), name, time.Now)
		return s.Sharing, err
	}
	alone, err := share("", false)
	require.NoError(t, err)
	require.Nil(t, alone)
	given, err := share("one", true)
	require.NoError(t, err)
	require.Equal(t, "one", given.Holder)
	made, err := share("", true)
	require.NoError(t, err)
	again, err := share("", true)
	require.NoError(t, err)
	require.Regexp(t, "^server_[a-z2-7]{26}$", made.Holder)
	require.Equal(t, made.Holder, again.Holder)
	require.NoError(t, os.WriteFile(filepath.Join(dir, nameFile), []byte("not one name"), 0o644))
	_, err = share("", true)
	require.ErrorContains(t, err, "write one that no other server has")
}
