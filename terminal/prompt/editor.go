package prompt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/line"
)

// Prompts before the first and the next lines of a statement.
const (
	firstPrompt = "pingmill> "
	nextPrompt  = "       -> "
)

// editor reads input from a person.
type editor interface {
	// Read returns a command or complete statements, and io.EOF at the end.
	Read() (string, error)
	// Notice shows a text while Read waits. It may be called by any goroutine.
	Notice(text string)
	// Quiet disables the echo of typed text until undo is called, while a statement runs.
	Quiet() (undo func())
}

// newEditor returns an editor for the terminal. The caller calls end to close it.
func (s *Session) newEditor(ctx context.Context) (e editor, end func()) {
	in, ok := s.In.(*os.File)
	dumb := s.Getenv("TERM") == "dumb" || s.Getenv("TERM") == "" || runtime.GOOS == "windows"
	if !ok || dumb || !term.IsTerminal(int(in.Fd())) || !cli.IsTerminal(s.Out) {
		return &plainEditor{in: bufio.NewReader(s.In), out: s.Out, ends: func(text string) bool { return ends(s.Dialect, text) }}, func() {}
	}
	l := &line.Editor{
		In: in, Out: s.Out, Size: s.size, First: firstPrompt, Next: nextPrompt,
		Complete:   s.offers,
		Accepts:    func(text string) (bool, int) { return accepts(s.Dialect, text) },
		History:    func(n int) string { return s.history.lines[n] },
		HistoryLen: func() int { return len(s.history.lines) },
		Edit:       func(text string) (string, error) { return s.inEditor(ctx, text) },
	}
	stop := context.AfterFunc(ctx, l.Restore) // a signal may end the process while a line is edited
	return l, func() { stop() }
}

// plainEditor is an editor for terminals without cursor control.
type plainEditor struct {
	in   *bufio.Reader
	out  io.Writer
	ends func(text string) bool // whether the text can run
}

func (e *plainEditor) Read() (string, error) {
	var text strings.Builder
	for prompt := firstPrompt; ; prompt = nextPrompt {
		fmt.Fprint(e.out, prompt)
		line, err := e.in.ReadString('\n')
		text.WriteString(line)
		if err != nil && text.Len() == 0 || err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if err != nil || e.ends(text.String()) {
			return text.String(), nil
		}
	}
}

func (e *plainEditor) Notice(string) {}

func (e *plainEditor) Quiet() (undo func()) { return func() {} }

// ends reports whether a text can run: a command or complete statements.
func ends(d query.Dialect, text string) bool {
	trimmed := strings.TrimSpace(text)
	switch strings.ToLower(trimmed) {
	case "quit", "exit", "help":
		return true
	}
	return strings.HasPrefix(trimmed, `\`) || lexer.Complete(d, text)
}

// accepts reports whether Enter runs a text. A command below an incomplete statement runs alone; the statement's stays
// bytes remain.
func accepts(d query.Dialect, text string) (run bool, stays int) {
	above := strings.LastIndexByte(text, '\n') + 1
	if above > 0 && strings.HasPrefix(strings.TrimSpace(text[above:]), `\`) && !inText(d, text[:above]) {
		return true, above
	}
	return ends(d, text), 0
}

// inText reports whether sql ends inside of a string, name or comment.
func inText(d query.Dialect, sql string) bool {
	tokens := slices.Collect(lexer.Scan(d, sql))
	return len(tokens) > 0 && tokens[len(tokens)-1].Open
}
