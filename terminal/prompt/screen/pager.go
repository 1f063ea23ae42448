// Package screen shows results on a terminal: in a pager when there is much, with the
// progress of what takes long.
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

// usualPager shows lines whole, however long they are, side by side with what fits.
var usualPager = []string{"less", "-S", "-F", "-X", "-R"}

// Pager shows text on a terminal, with another program where it does not fit.
type Pager struct {
	// Wide makes lines that are wider than the screen a reason for the program, which shows
	// them side by side; otherwise they take several rows.
	Wide bool
	// Paged says whether the last Run has shown its text in the other program.
	Paged bool

	out           io.Writer
	width, height int
	command       []string // none: never
}

// NewPager is a pager for a terminal of that size. PAGER of the environment is the
// program with its arguments; cat or nothing is none.
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

// errLeft is why a text ends early: somebody left the pager.
var errLeft = errors.New("the pager was left")

// Run calls f with a writer to the screen or to the pager, and waits until the pager
// is left. f's context ends then; that f failed for it is no error.
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

// pagerWriter keeps what is written until it is clear that it does not fit.
type pagerWriter struct {
	*Pager

	ctx    context.Context
	cancel context.CancelCauseFunc
	kept   bytes.Buffer
	rows   int // of the screen that kept takes up to last
	last   int // where the present line begins in kept
	pipe   io.WriteCloser
	left   chan struct{} // closed when the program has ended
}

// room is how many lines of the screen a result leaves for what comes below it.
const room = 3

// Write implements io.Writer.
func (w *pagerWriter) Write(p []byte) (int, error) {
	if w.pipe != nil {
		n, err := w.pipe.Write(p)
		if err != nil {
			w.cancel(errLeft)
		}
		return n, err
	}
	w.kept.Write(p)
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
	_, err := w.kept.WriteTo(to)
	return err
}

// fits looks at the lines that were written since it last did.
func (w *pagerWriter) fits() bool {
	for {
		text := w.kept.Bytes()[w.last:]
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

// start begins the program. Ctrl-C is its business then.
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
		_ = cmd.Wait() // how it ended says nothing about the result
		close(w.left)
		w.cancel(errLeft)
	}()
	return nil
}

// close shows what was kept, or waits for the program's end.
func (w *pagerWriter) close() error {
	if w.pipe == nil {
		return w.flush(w.out)
	}
	_ = w.pipe.Close() // the program may have closed it
	<-w.left
	return nil
}
