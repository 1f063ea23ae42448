// Package screen shows results on a terminal: long ones in a pager, and the progress of long operations.
package screen

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/rivo/uniseg"
)

// usualPager does not wrap lines; the user scrolls sideways.
var usualPager = []string{"less", "-S", "-F", "-X", "-R"}

// Pager shows text on a terminal, in another program if it does not fit.
type Pager struct {
	// Wide makes Run start the program also for lines wider than the screen, because it can scroll sideways. Otherwise
	// such lines take several rows.
	Wide bool
	// Paged reports whether the last Run used the program.
	Paged bool

	out           io.Writer
	width, height int
	command       []string // none: no pager
}

// NewPager returns a pager for a terminal of a size. The variable PAGER names the program with its arguments; cat or
// nothing disables it.
func NewPager(out io.Writer, width, height int, getenv func(string) string) *Pager {
	p := &Pager{out: out, width: width, height: height, command: usualPager}
	if set := getenv("PAGER"); set != "" {
		p.command = strings.Fields(set)
		if len(p.command) == 1 && p.command[0] == "less" {
			p.command = usualPager
		}
	}
	if len(p.command) == 0 || p.command[0] == "cat" || getenv("TERM") == "dumb" {
		p.command = nil
	} else if _, err := exec.LookPath(p.command[0]); err != nil {
		p.command = nil
	}
	return p
}

// errLeft is the cause of f's context after the user left the pager.
var errLeft = errors.New("the pager was left")

// Run calls f with a writer to the screen or the pager, and waits until the user leaves the pager. Leaving it cancels
// f's context; f's error is then ignored.
func (p *Pager) Run(ctx context.Context, f func(context.Context, io.Writer) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &pagerWriter{Pager: p, ctx: inner, cancel: cancel}
	err := f(inner, w)
	if errors.Is(context.Cause(inner), errLeft) {
		err = nil
	}
	p.Paged = w.pipe != nil
	return errors.Join(err, w.close())
}

// pagerWriter buffers the output until it does not fit on the screen.
type pagerWriter struct {
	*Pager

	ctx      context.Context
	cancel   context.CancelCauseFunc
	buffered bytes.Buffer
	rows     int // screen rows that buffered needs up to last
	last     int // offset of the current line in buffered
	pipe     io.WriteCloser
	left     chan struct{} // closed when the program has ended
}

// room is the number of screen rows reserved for the text below a result.
const room = 3

func (w *pagerWriter) Write(p []byte) (int, error) {
	if w.pipe != nil {
		n, err := w.pipe.Write(p)
		if err != nil {
			w.cancel(errLeft)
		}
		return n, err
	}
	w.buffered.Write(p)
	if w.command == nil {
		return len(p), w.flush(w.out)
	}
	if w.fits() {
		return len(p), nil
	}
	if err := w.start(); err != nil {
		w.command = nil
		return len(p), w.flush(w.out)
	}
	return len(p), w.flush(w.pipe)
}

func (w *pagerWriter) flush(to io.Writer) error {
	_, err := w.buffered.WriteTo(to)
	return err
}

// fits examines the lines written since its last call, and reports whether they fit.
func (w *pagerWriter) fits() bool {
	for {
		text := w.buffered.Bytes()[w.last:]
		n := bytes.IndexByte(text, '\n')
		whole := n >= 0
		if whole {
			text = text[:n]
		}
		rows := 1
		if len(text) > w.width {
			rows = max(1, (uniseg.StringWidth(string(text))+w.width-1)/w.width)
		}
		if w.Wide && rows > 1 || w.rows+rows > w.height-room {
			return false
		}
		if !whole {
			return true
		}
		w.last += n + 1
		w.rows += rows
	}
}

// start starts the program, which then handles Ctrl-C.
func (w *pagerWriter) start() error {
	cmd := exec.Command(w.command[0], w.command[1:]...)
	cmd.Stdout, cmd.Stderr = w.out, os.Stderr
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.pipe, w.left = pipe, make(chan struct{})
	go func() {
		_ = cmd.Wait() // its status does not concern the result
		close(w.left)
		w.cancel(errLeft)
	}()
	return nil
}

// close writes the buffer to the screen, or waits for the program's end.
func (w *pagerWriter) close() error {
	if w.pipe == nil {
		return w.flush(w.out)
	}
	_ = w.pipe.Close() // the program may have closed it
	<-w.left
	return nil
}
