//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package line

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// errWoken means that no key was pressed, but the screen must be drawn again.
var errWoken = errors.New("woken")

// escapeTime is the maximum delay within a sequence after ESC. After it, ESC is a key.
const escapeTime = 50 * time.Millisecond

// terminal reads keys one by one. Unused input remains for the next call.
type terminal struct {
	in    *os.File
	input []byte

	mu    sync.Mutex
	state *term.State // the state to restore; nil: nothing to restore
	awake [2]*os.File // a pipe whose bytes wake key
	sizes chan os.Signal
}

// raw starts reading keys.
func (t *terminal) raw(in *os.File) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in = in
	if t.state, err = term.MakeRaw(int(in.Fd())); err != nil {
		return err
	}
	if t.awake[0] == nil {
		if t.awake[0], t.awake[1], err = os.Pipe(); err != nil {
			return err
		}
		t.sizes = make(chan os.Signal, 1)
		go func() {
			for range t.sizes {
				t.wake()
			}
		}()
	}
	signal.Notify(t.sizes, syscall.SIGWINCH)
	return nil
}

func (t *terminal) restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == nil {
		return
	}
	signal.Stop(t.sizes)
	_ = term.Restore(int(t.in.Fd()), t.state) // the state is restored
	t.state = nil
}

// quiet disables the echo until restore, and keeps Ctrl-D for key: the terminal would drop it.
func (t *terminal) quiet(in *os.File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fd := int(in.Fd())
	state, err := term.GetState(fd)
	if err != nil || t.state != nil || t.sizes == nil {
		return
	}
	modes, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return
	}
	modes.Lflag &^= unix.ECHO
	modes.Cc[unix.VEOF] = noCharacter
	if unix.IoctlSetTermios(fd, setTermios, modes) == nil {
		t.state = state
	}
}

func (t *terminal) wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.awake[1] != nil && t.state != nil {
		_, _ = t.awake[1].Write([]byte{0})
	}
}

// pending reports whether unread keys are buffered.
func (t *terminal) pending() bool { return len(t.input) > 0 }

// key waits for a key or a wake-up.
func (t *terminal) key() (key, error) {
	for {
		if len(t.input) > 0 {
			k, size := decode(t.input, false)
			if size == 0 && t.input[0] == 0x1b && len(t.input) < longestSequence && !t.readable(escapeTime) {
				k, size = decode(t.input, true)
			}
			if size > 0 {
				t.input = t.input[size:]
				return k, nil
			}
		}
		if err := t.read(); err != nil {
			return key{}, err
		}
	}
}

// read waits for input or a wake-up.
func (t *terminal) read() error {
	fds := []unix.PollFd{{Fd: int32(t.in.Fd()), Events: unix.POLLIN}, {Fd: int32(t.awake[0].Fd()), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, -1); errors.Is(err, unix.EINTR) {
		return nil
	} else if err != nil {
		return err
	}
	buf := make([]byte, 4096)
	if fds[0].Revents != 0 {
		n, err := t.in.Read(buf)
		t.input = append(t.input, buf[:n]...)
		return err
	}
	if _, err := t.awake[0].Read(buf); err != nil {
		return err
	}
	return errWoken
}

// readable reports whether input arrives within a time.
func (t *terminal) readable(within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(t.in.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, int(within.Milliseconds()))
	return n > 0 && err == nil
}

// stop stops this process group.
func stop() { _ = syscall.Kill(0, syscall.SIGTSTP) }
