package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"
)

// terminal is the program on a terminal of its own.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	file *os.File

	mu    sync.Mutex
	vt    vt10x.Terminal
	wrote strings.Builder // all that the program has written
	ended chan error
}

// onTerminal starts the program with a home folder and variables, such as
// TERM=xterm.
func onTerminal(t *testing.T, width, height int, home string, vars []string, args ...string) *terminal {
	t.Helper()
	cmd := program(t, args...)
	cmd.Env = append(cmd.Env, "HOME="+home, "XDG_STATE_HOME=", "INPUTRC=/dev/null", "TERM=xterm-256color", "PAGER=", "LESS=", "EDITOR=",
		"VISUAL=")
	cmd.Env = append(cmd.Env, vars...)
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	require.NoError(t, err)
	s := &terminal{t: t, cmd: cmd, file: file, ended: make(chan error, 1),
		vt: vt10x.New(vt10x.WithSize(width, height), vt10x.WithWriter(file))}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 1<<16)
		for {
			n, err := file.Read(buf)
			s.mu.Lock()
			s.wrote.Write(buf[:n])
			_, _ = s.vt.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return // the program has closed the terminal
			}
		}
	}()
	go func() { s.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		file.Close()
		<-read
	})
	return s
}

// screen returns the text of the terminal without trailing blanks.
func (s *terminal) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := strings.Split(s.vt.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// output returns all that the program has written.
func (s *terminal) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrote.String()
}

// types sends keys.
func (s *terminal) types(keys string) {
	s.t.Helper()
	_, err := s.file.WriteString(keys)
	require.NoError(s.t, err)
}

// shows waits until the screen is like a pattern.
func (s *terminal) shows(pattern string) {
	s.t.Helper()
	like := regexp.MustCompile("(?m)" + pattern)
	for deadline := time.Now().Add(20 * time.Second); !like.MatchString(s.screen()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("nothing like %s on the screen:\n%s", pattern, s.screen())
		}
	}
}

// ready waits for a prompt with nothing behind it at the end of the screen.
func (s *terminal) ready() {
	s.t.Helper()
	s.shows(`^pingmill>\z`)
}

// resize changes the size of the window.
func (s *terminal) resize(width, height int) {
	s.t.Helper()
	s.mu.Lock()
	s.vt.Resize(width, height)
	s.mu.Unlock()
	require.NoError(s.t, pty.Setsize(s.file, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}

// ends waits for the end of the program.
func (s *terminal) ends() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		require.NoError(s.t, err)
	case <-time.After(20 * time.Second):
		s.t.Fatalf("the program goes on:\n%s", s.screen())
	}
}
