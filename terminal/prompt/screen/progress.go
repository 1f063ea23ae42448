package screen

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/terminal/cli"
)

// Progress is a status line on a terminal that is overwritten during a long operation and removed when there is a
// result.
type Progress struct {
	mu     sync.Mutex
	out    io.Writer // nil: show nothing
	share  float64
	text   string
	shown  bool
	done   bool
	now    func() time.Time
	begun  time.Time
	ending chan struct{}
}

// NewProgress shows a line on out after a delay, then updates it four times a second.
func NewProgress(out io.Writer, now func() time.Time, after time.Duration) *Progress {
	p := &Progress{out: out, share: -1, now: now, begun: now(), ending: make(chan struct{})}
	if out == nil {
		p.done = true
		return p
	}
	go p.run(after)
	return p
}

func (p *Progress) run(after time.Duration) {
	select {
	case <-time.After(after):
	case <-p.ending:
		return
	}
	t := time.NewTicker(250 * time.Millisecond)
	defer t.Stop()
	for {
		p.mu.Lock()
		if p.done {
			p.mu.Unlock()
			return
		}
		fmt.Fprint(p.out, "\r"+p.line()+"\x1b[K")
		p.shown = true
		p.mu.Unlock()
		select {
		case <-t.C:
		case <-p.ending:
			return
		}
	}
}

// barWidth is the width of the bar in characters.
const barWidth = 20

func (p *Progress) line() string {
	var b strings.Builder
	if p.share >= 0 {
		full := int(min(1, p.share) * barWidth)
		fmt.Fprintf(&b, "[%s%s] %3.0f %%  ", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*min(1, p.share))
	}
	fmt.Fprintf(&b, "%.0f s", p.now().Sub(p.begun).Seconds())
	if p.text != "" {
		b.WriteString("  " + cli.Safe(p.text))
	}
	return b.String() + "  Ctrl-C cancels"
}

// Set sets the progress; share is negative if it is unknown.
func (p *Progress) Set(share float64, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.share, p.text = share, text
}

// Stop removes the line permanently.
func (p *Progress) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.done = true
	close(p.ending)
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// Before returns a writer that removes the line before the first byte is written to out.
func (p *Progress) Before(out io.Writer) io.Writer { return stopping{p, out} }

type stopping struct {
	p   *Progress
	out io.Writer
}

func (s stopping) Write(b []byte) (int, error) {
	s.p.Stop()
	return s.out.Write(b)
}
