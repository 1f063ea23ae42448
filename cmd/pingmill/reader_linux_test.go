package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// reader is a user with the right to read an installation, without the restricted folder.
type reader struct {
	t   *testing.T
	exe string
}

// nobody is the user, and the group, that has no rights of its own.
const nobody = 65534

// newReader returns another user, as one of their group, the right to read what is in a folder of the test, but for
// what is private.
func newReader(t *testing.T, data string) *reader {
	t.Helper()
	own, err := os.Executable()
	require.NoError(t, err)
	r := &reader{t, filepath.Join(t.TempDir(), "pingmill")}
	if err := os.Link(own, r.exe); err != nil { // which others cannot reach
		b, err := os.ReadFile(own)
		if err == nil {
			err = os.WriteFile(r.exe, b, 0o755)
		}
		require.NoError(t, err)
	}
	for _, dir := range []string{r.exe, data} {
		for dir = filepath.Dir(dir); len(dir) > 1; dir = filepath.Dir(dir) {
			info, err := os.Stat(dir)
			require.NoError(t, err)
			if info.Mode().Perm()&0o005 != 0o005 {
				require.NoError(t, os.Chmod(dir, 0o755))
			}
		}
	}
	if os.Geteuid() != 0 { // the owner has the right to read only
		protect(t, data)
	} else {
		share(t, data)
	}
	return r
}

// share gives the files of a folder, and those that will be made in it, to the group of nobody, as docs/operations.md says.
func share(t *testing.T, data string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, -1, nobody)
		}
		if err == nil && d.IsDir() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				err = os.Chmod(path, info.Mode()|fs.ModeSetgid)
			}
		}
		if errors.Is(err, fs.ErrNotExist) { // a server works in it
			return nil
		}
		return err
	})
	require.NoError(t, err)
}

// protect takes the owner's right to write, and to read what the group may not.
func protect(t *testing.T, data string) {
	t.Helper()
	was := map[string]fs.FileMode{}
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			var info fs.FileInfo
			info, err = d.Info()
			was[path] = info.Mode().Perm()
		}
		return err
	})
	paths := []string{}
	for path := range was {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	t.Cleanup(func() {
		for _, path := range paths {
			_ = os.Chmod(path, was[path])
		}
	})
	slices.Reverse(paths)
	for _, path := range paths {
		group := was[path] >> 3 & 0o5
		err = os.Chmod(path, group<<6|group<<3|group)
	}
	require.NoError(t, err)
}

func (r *reader) call(args ...string) (code int, out string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), r.exe, args...)
	cmd.Dir = "/"
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

// state returns all that could be changed in a folder.
func state(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, name := range names(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, name))
		require.NoError(t, err)
		all = append(all, fmt.Sprint(name, info.Size(), info.Mode(), info.ModTime().Format(time.RFC3339Nano)))
	}
	return all
}

// TestReading: a user with the right to read only runs everything, changes nothing, and gets an error for forbidden
// actions.
func TestReading(t *testing.T) {
	t.Parallel()
	data := loadedData(t, "--clients", "30", "--days", "1")
	mustCall(t, "run", "all", "--data", data, "--date", "20180301")
	clients := strings.Fields(mustCall(t, "query", "--data", data, "--format", "csv", "SELECT min(client_id) FROM clients_daily"))
	rows := mustCall(t, "query", "--data", data, "--format", "csv", "SELECT count(*) FROM clients_daily WHERE client_id <> '"+clients[1]+"'")
	mustCall(t, "delete", "--data", data, "--client-id", strings.ToUpper(clients[1]))
	r := newReader(t, data)
	before := state(t, data)
	day := []string{"--from", "20180301", "--to", "20180301"}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{0, "permission denied", []string{"tables"}},
		{0, strings.TrimPrefix(rows, "count(*)\n"), []string{"query", "--format", "csv", "SELECT count(*) FROM clients_daily"}},
		{0, "pingmill", []string{"query", "--format", "csv", "SELECT 'pingmill' FROM main_summary ORDER BY random() LIMIT 1"}},
		{1, "permission denied", []string{"query", "SELECT count(*) FROM search_clients_daily"}},
		{0, "unreadable search_clients_daily 20180301: permission denied", append([]string{"status"}, day...)},
		{0, "client_id", []string{"schema", "clients_daily"}},
		{0, "rejected", []string{"errors"}},
		{0, "passed", []string{"check", "clients_daily", "--date", "20180301"}},
		{0, "nothing to do", []string{"run", "clients_daily", "--plan", "--date", "20180301"}},
		{1, "permission denied", []string{"delete", "--status"}},
		{1, "permission denied", []string{"delete", "--client-id", "x"}},
		{1, "permission denied", []string{"run", "all", "--date", "20180301"}},
		{1, "permission denied", []string{"load", "/dev/null"}},
	} {
		args := c.args
		if c.args[0] != "schema" {
			args = append(args, "--data", data)
		}
		code, out := r.call(args...)
		if code != c.code || !strings.Contains(out, c.says) || strings.Contains(out, "panic") {
			t.Errorf("%v: exit %d, want %d with %q:\n%s", c.args, code, c.code, c.says, out)
		}
	}
	if os.Geteuid() == 0 {
		if after := state(t, data); !slices.Equal(before, after) {
			t.Errorf("there was\n%s\nthere is\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}

// TestReadingWhileServed: the same while a service has the ledger open, and after it was killed.
func TestReadingWhileServed(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs another user: run as root")
	}
	data := loadedData(t, "--clients", "5", "--days", "1")
	s := newServer(t, data)
	s.start()
	r := newReader(t, data)
	read := func() {
		t.Helper()
		code, out := r.call("status", "--data", data, "--to", "20180301", "--days", "1")
		if code != 1 || !strings.Contains(out, "the spool is not known") || !strings.Contains(out, "M missing") ||
			strings.Contains(out, "ledger") {
			t.Errorf("exit %d: %s", code, out)
		}
	}
	read()
	s.kill()
	read()
}
