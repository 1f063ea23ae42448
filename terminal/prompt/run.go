package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/engine"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// errCancelled is the cause of a statement's context after Ctrl-C.
var errCancelled = errors.New("cancelled")

// show runs one statement at the prompt. The result goes to the screen, in a pager if it is large, or to the file of
// \o.
func (s *Session) show(ctx context.Context, sql string) error {
	if s.output != "" {
		return s.toFile(ctx, sql, s.output)
	}
	var a engine.Answer
	var took time.Duration
	paged, err := s.paged(ctx, func(ctx context.Context, out io.Writer) (err error) {
		start := s.Now()
		a, err = s.runStatement(ctx, sql, out)
		took = s.Now().Sub(start)
		return err
	})
	s.noted(a)
	if err == nil && s.timing {
		text := footer(a, took)
		if paged {
			text = engine.RowCount(a.Rows) + ", " + text
		}
		s.print("%s", text)
	}
	return err
}

// paged calls f with the screen or, for long output, with a pager; paged reports which. Ctrl-C cancels f's context.
func (s *Session) paged(ctx context.Context, f func(context.Context, io.Writer) error) (paged bool, err error) {
	width, height := s.size()
	if width == 0 {
		return false, s.interruptible(ctx, func(ctx context.Context) error { return f(ctx, s.Out) })
	}
	p := screen.NewPager(s.Out, width, height, s.Getenv)
	p.Wide = s.expanded == query.ExpandedOff
	err = s.interruptible(ctx, func(ctx context.Context) error { return p.Run(ctx, f) })
	return p.Paged, err
}

// page shows a text, in a pager if it is long.
func (s *Session) page(ctx context.Context, write func(io.Writer)) error {
	_, err := s.paged(ctx, func(_ context.Context, out io.Writer) error {
		write(out)
		return nil
	})
	return err
}

// interruptible calls f with a context that Ctrl-C cancels.
func (s *Session) interruptible(ctx context.Context, f func(context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer cli.OnInterrupt(ctx, func() { cancel(errCancelled) })()
	if s.editor != nil {
		defer s.editor.Quiet()()
	}
	err := f(inner)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inner), errCancelled) {
		return errCancelled
	}
	return err
}

// toFile writes the result of a statement to a file, which appears when it is complete.
func (s *Session) toFile(ctx context.Context, sql, file string) error {
	return s.interruptible(ctx, func(ctx context.Context) error {
		start := s.Now()
		var a engine.Answer
		err := cli.WriteFile(ctx, file, func(w io.Writer) (err error) {
			a, err = s.runStatement(ctx, sql, w)
			return err
		})
		if err == nil {
			s.print("%s in %s: %s", engine.RowCount(a.Rows), file, footer(a, s.Now().Sub(start)))
		}
		return err
	})
}

// runStatement runs one statement and shows its progress on the terminal until there is a result.
func (s *Session) runStatement(ctx context.Context, sql string, out io.Writer) (engine.Answer, error) {
	width, _ := s.size()
	if s.output != "" && out != s.Out {
		width = 0 // the output goes to the file of \o
	}
	q := engine.Query{SQL: sql, Dialect: s.Dialect, Format: s.Format, Write: query.WriteOptions{Width: width, Expanded: s.expanded}}
	switch {
	case width == 0 || q.Format == query.FormatTable:
	case q.Format.Binary():
		return engine.Answer{}, fmt.Errorf("%s is for files: --output FILE, or at the prompt \\o FILE or \\export FILE", q.Format)
	default:
		safe := &cli.SafeWriter{To: out}
		defer safe.Close()
		out = safe
	}
	p := s.newProgress()
	defer p.Stop()
	return s.Engine.Run(ctx, q, p.Before(out), func(at engine.Progress) { p.Set(at.Share, at.Text) })
}

func (s *Session) newProgress() *screen.Progress {
	if !cli.IsTerminal(s.Errs) || s.Getenv("TERM") == "dumb" {
		return screen.NewProgress(nil, s.Now, time.Second)
	}
	return screen.NewProgress(s.Errs, s.Now, time.Second)
}

// noted prints the notes of an answer.
func (s *Session) noted(a engine.Answer) {
	for _, note := range a.Notes {
		s.print("note: %s", note)
	}
	if a.Used != "" {
		s.print("%s", a.Used)
	}
}

// footer returns the duration of a statement and what it read.
func footer(a engine.Answer, took time.Duration) string {
	text := seconds(took)
	if a.Read != "" {
		text += ", read " + a.Read
	}
	return text
}

func seconds(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
