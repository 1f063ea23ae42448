// Package databasetest runs the tests of a package on both kinds of databases: files of SQLite, and a server of PostgreSQL
// that it starts if the machine has one.
package databasetest

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/database"
)

// running is the server on which the tests run; nil: they run on SQLite.
var running *Server

// Both runs the tests of a package on SQLite and then on PostgreSQL, and returns the exit status. It prints a line if the machine
// has no PostgreSQL.
func Both(m *testing.M) int {
	status := m.Run()
	if list := flag.Lookup("test.list"); status != 0 || list != nil && list.Value.String() != "" {
		return status
	}
	if programs() == "" {
		fmt.Fprintln(os.Stderr, "skipped: the tests on PostgreSQL, because initdb is not installed (Debian: apt-get install postgresql)")
		return status
	}
	s, err := Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer s.Stop()
	running = s
	return m.Run()
}

// Place returns a new place of databases for a test.
func Place(t testing.TB) database.Place {
	p := database.In(t.TempDir())
	if running != nil {
		p.URL = running.Database(t)
	}
	return p
}

// Server is a server of PostgreSQL.
type Server struct {
	dir     string
	process *exec.Cmd
	last    atomic.Int64 // number of the last database
}

// Need returns a server for a test, which ends with it. The test is skipped if the machine has no PostgreSQL.
func Need(t testing.TB) *Server {
	if programs() == "" {
		t.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	s, err := Start()
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	return s
}

// programs returns the folder of PostgreSQL's programs, "" if there is none. Debian's are not in PATH.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.Max(found))
}

// command returns a command of the server. PostgreSQL does not run as root.
func (s *Server) command(name string, args ...string) (*exec.Cmd, error) {
	c := exec.Command(filepath.Join(programs(), name), args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return c, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL as root: %w", err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return c, os.Chown(s.dir, uid, gid)
}

// Start starts a server in a temporary folder. It listens at a socket there only.
func Start() (_ *Server, err error) {
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "pingmill-pg"); err != nil {
		return nil, err
	}
	init, err := s.command("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--pgdata=data")
	if err == nil {
		var out []byte
		if out, err = init.CombinedOutput(); err != nil {
			err = fmt.Errorf("initdb: %w: %s", err, out)
		}
	}
	if err == nil {
		err = s.Run()
	}
	if err != nil {
		_ = os.RemoveAll(s.dir)
		return nil, err
	}
	return s, nil
}

// Run starts the process of the server, also after Kill.
func (s *Server) Run() (err error) {
	s.process, err = s.command("postgres", "-D", "data", "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off",
		"-c", "max_connections=200", "-c", "shared_buffers=16MB", "-c", "logging_collector=off")
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if err = s.do("SELECT 1"); err == nil {
			return nil
		}
		if time.Now().After(end) {
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("start PostgreSQL: %w: %s", err, text)
		}
	}
}

// Kill ends the process of the server at once; Run starts it again.
func (s *Server) Kill() {
	_ = s.process.Process.Signal(syscall.SIGQUIT)
	_ = s.process.Wait()
}

// Stop ends the server and removes its files.
func (s *Server) Stop() {
	s.Kill()
	_ = os.RemoveAll(s.dir)
}

// URL returns the address of a database.
func (s *Server) URL(name string) string {
	return (&url.URL{Scheme: "postgres", Path: "/" + name, RawQuery: url.Values{"host": {s.dir}, "user": {"postgres"}}.Encode()}).String()
}

func (s *Server) do(sql string) error {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, sql)
	return err
}

// Database creates an empty database and returns its address.
func (s *Server) Database(t testing.TB) string {
	name := fmt.Sprintf("test%d", s.last.Add(1))
	require.NoError(t, s.do("CREATE DATABASE "+name))
	return s.URL(name)
}
