package tasks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

// Rounds does the tasks of plans that plan makes, as Lines does. If wait is not 0 it goes on with what can be done later, for that
// long, until others have published all tables; pause is between two looks.
func (r *Runner) Rounds(ctx context.Context, plan func(context.Context) (Plan, error), out io.Writer, wait, pause time.Duration) error {
	done := map[string]bool{}
	for end := r.Now().Add(wait); ; {
		p, err := plan(ctx)
		if err != nil {
			return err
		}
		made := p.made()
		if err := r.Lines(ctx, p.rest(done), out); err != nil || wait == 0 || made {
			return err
		}
		if r.Now().After(end) {
			return fmt.Errorf("task: the day is not published after %v: is there a pingmill commit --wait?", wait)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// rest returns the lines of the tasks that are not done yet, which they are from then on.
func (p *Plan) rest(done map[string]bool) io.Reader {
	var left []Description
	for _, d := range p.Now {
		if name := fmt.Sprint(d.Table, d.Day, d.Generation, d.Lo, d.Hi); !done[name] {
			done[name] = true
			left = append(left, d)
		}
	}
	p.Now = left
	var b bytes.Buffer
	_ = p.Write(&b) // to memory
	return &b
}
