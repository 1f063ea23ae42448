package main

import (
	"io/fs"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModes walks an installation that was made without a umask: nobody but the owner and the group may read anything.
func TestModes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := programIn(t, t.TempDir())
	out, err := exec.Command("sh", "-c", `umask 0 && exec "$0" "$@"`, bin, "demo", "--dir", filepath.Join(dir, "demo"), "--clients", "20",
		"--days", "1", "--once").CombinedOutput()
	require.NoError(t, err, "%s", out)
	s := serverOf(t, bin, filepath.Join(dir, "demo", "data"))
	s.begin = func(cmd *exec.Cmd) error {
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `umask 0 && exec "$0" "$@"`}, cmd.Args...)
		return cmd.Start()
	}
	s.args = []string{"--publish-every", "1s"}
	s.start()
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, http.StatusOK)
	s.stop()
	seen := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "demo"), func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		seen++
		assert.Zero(t, info.Mode().Perm()&0o027, "%s has %s", path, info.Mode())
		return nil
	}))
	assert.Greater(t, seen, 100)
}

// TestManPagesAreForAll: what is installed for everybody can be read by everybody.
func TestManPagesAreForAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := program(t, "man", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "share"), func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		assert.NotZero(t, info.Mode().Perm()&0o004, "%s has %s", path, info.Mode())
		return nil
	}))
}
