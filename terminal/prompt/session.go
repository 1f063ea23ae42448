// Package prompt implements the prompt of `pingmill query`, with history, completion and backslash commands, and runs
// statements one after the other, from the prompt or from a file.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/engine"
)

// Options holds the dependencies and settings of a session.
type Options struct {
	Engine engine.Engine
	Site   *site.Site // for a server: only its tables
	In     io.Reader
	Out    io.Writer
	Errs   io.Writer
	Getenv func(string) string
	Now    func() time.Time

	engine.Settings
}

// Session runs statements and commands in order.
type Session struct {
	Options
	expanded query.Expanded
	timing   bool
	output   string // the file of \o, "" for Out
	last     string // the last statement
	history  *history
	editor   editor
	exports  exports
	leaving  bool
}

// New returns a session with the default settings.
func New(o Options) *Session {
	return &Session{Options: o, history: &history{}}
}

// Interact reads statements and commands from In, a terminal, until its end or \q.
func (s *Session) Interact(ctx context.Context) error {
	var err error
	if s.history, err = openHistory(historyFile(s.Getenv)); err != nil {
		s.print("%v", err)
	}
	defer cli.OnInterrupt(ctx, func() {})() // Ctrl-C has no effect while no statement runs
	var end func()
	s.editor, end = s.newEditor(ctx)
	defer end()
	defer s.exports.stop(ctx, s)
	s.timing = true
	s.greet()
	for !s.leaving && ctx.Err() == nil {
		s.exports.notes(s)
		s.Engine.Warm()
		text, err := s.editor.Read()
		switch {
		case errors.Is(err, io.EOF):
			return context.Cause(ctx)
		case err != nil:
			return fmt.Errorf("read from the terminal: %w", err)
		}
		if err := s.history.add(text); err != nil {
			s.print("%v", err)
		}
		s.typed(ctx, text)
	}
	return context.Cause(ctx)
}

func (s *Session) greet() {
	s.print("\\? helps, \\d lists tables, \\q leaves. Statements end with ;")
}

// typed runs a command or statements.
func (s *Session) typed(ctx context.Context, text string) {
	text = strings.TrimSpace(text)
	if bare := strings.ToLower(strings.TrimRight(text, "; ")); bare == "quit" || bare == "exit" || bare == "help" {
		text = map[string]string{"help": `\?`}[bare]
		if text == "" {
			text = `\q`
		}
	}
	if strings.HasPrefix(text, `\`) {
		s.report(s.command(ctx, text))
		return
	}
	for _, st := range lexer.All(s.Dialect, text) {
		s.last = strings.TrimSpace(st.SQL)
		if err := s.show(ctx, st.In(text)); err != nil {
			s.report(err)
			return
		}
	}
}

// report prints an error.
func (s *Session) report(err error) {
	switch {
	case err == nil:
	case errors.Is(err, errCancelled):
		s.print("cancelled")
	default:
		s.print("%s", strings.ReplaceAll(err.Error(), "--dialect ", `\dialect `)) // the prompt has no flags
	}
}

// print prints a message about the session.
func (s *Session) print(format string, args ...any) {
	fmt.Fprintln(s.Errs, cli.Safe(fmt.Sprintf(format, args...)))
}

// size returns the size of the terminal, 0 if Out is none.
func (s *Session) size() (width, height int) {
	f, ok := s.Out.(*os.File)
	if !ok || !cli.IsTerminal(f) {
		return 0, 0
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}
