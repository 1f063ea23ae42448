package prompt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"
	"golang.org/x/term"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/prompt/sqltext"
)

// Prompts before the first and the next lines of a statement.
const (
	firstPrompt = "pingmill> "
	nextPrompt  = "       -> "
)

// errInterrupted is Ctrl-C while something is typed.
var errInterrupted = errors.New("interrupted")

// editor reads what a person types.
type editor interface {
	// read gives a command or complete statements; io.EOF behind the last.
	read() (string, error)
	// note shows a text while read waits. It may be called by any goroutine.
	note(text string)
	close()
}

func (s *Session) newEditor(ctx context.Context) editor {
	in, ok := s.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || !cli.IsTerminal(s.Out) || s.Getenv("TERM") == "dumb" || s.Getenv("TERM") == "" {
		return &plainEditor{in: bufio.NewReader(s.In), out: s.Out}
	}
	return newLineEditor(ctx, s, in)
}

// plainEditor is for terminals that only write lines.
type plainEditor struct {
	in  *bufio.Reader
	out io.Writer
}

func (e *plainEditor) read() (string, error) {
	var text strings.Builder
	for prompt := firstPrompt; ; prompt = nextPrompt {
		fmt.Fprint(e.out, prompt)
		line, err := e.in.ReadString('\n')
		text.WriteString(line)
		if err != nil && text.Len() == 0 || err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if err != nil || complete(text.String()) {
			return text.String(), nil
		}
	}
}

func (e *plainEditor) note(string) {}

func (e *plainEditor) close() {}

// complete says whether what was typed is to be run: a command, or statements.
func complete(text string) bool {
	trimmed := strings.TrimSpace(text)
	switch strings.ToLower(trimmed) {
	case "quit", "exit", "help":
		return true
	}
	return strings.HasPrefix(trimmed, `\`) || sqltext.Complete(text)
}

// lineEditor edits lines on a terminal, with history and completion.
type lineEditor struct {
	shell   *readline.Shell
	command string // typed below a statement that has no end yet
	done    chan struct{}
}

// errCommand ends a line for a command below an unfinished statement, which stays.
var errCommand = errors.New("a command")

// settings of the line editor, before the user's inputrc.
var lineSettings = map[string]any{
	"menu-complete-display-prefix": true,
	"completion-ignore-case":       true,
	"multiline-column":             false, // it is drawn over lines that are wider than the screen
	"enable-bracketed-paste":       true,
	"revert-all-at-newline":        true, // what was recalled and changed stays as it was in the history
}

// lineKeys are bound besides the usual ones of readline.
var lineKeys = map[string]string{
	`\C-c`: "pingmill-interrupt",
	`\r`:   "pingmill-accept",
	`\t`:   "menu-complete",
	`\C-r`: "pingmill-search",
	`\e[A`: "pingmill-up", `\eOA`: "pingmill-up", `\M-[A`: "pingmill-up", `\M-OA`: "pingmill-up", `\C-p`: "pingmill-up",
	`\e[B`: "pingmill-down", `\eOB`: "pingmill-down", `\M-[B`: "pingmill-down", `\M-OB`: "pingmill-down", `\C-n`: "pingmill-down",
	`\e\r`: "accept-line",
}

func newLineEditor(ctx context.Context, s *Session, in *os.File) *lineEditor {
	rl := readline.NewShell()
	for name, value := range lineSettings {
		_ = rl.Config.Set(name, value) // the names are the library's
	}
	tells, typed := tellsCursor(in, s.Out)
	_ = rl.Config.Set("cursor-position-probe", tells)
	rl.Keys.Feed(false, []rune(string(typed))...)
	rl.Prompt.Primary(func() string { return firstPrompt })
	rl.Prompt.Secondary(func() string { return nextPrompt })
	rl.AcceptMultiline = func(line []rune) bool { return complete(string(line)) }
	rl.History.Delete()
	rl.History.Add("history", s.history)
	rl.Completer = func(line []rune, at int) readline.Completions {
		return completions(s.complete(string(line[:at]), string(line[at:])))
	}
	e := &lineEditor{shell: rl, done: make(chan struct{})}
	rl.Keymap.Register(map[string]func(){
		"pingmill-interrupt": e.interrupt, "pingmill-accept": e.accept, "pingmill-search": e.search,
		"pingmill-up": func() { e.move(-1) }, "pingmill-down": func() { e.move(1) },
	})
	for _, keys := range []string{"emacs", "emacs-standard", "vi-insert", "vi-command"} {
		binds := rl.Config.Binds[keys]
		for key, action := range lineKeys {
			binds[inputrc.Unescape(key)] = inputrc.Bind{Action: action}
		}
	}
	e.restoreAtEnd(ctx, in)
	return e
}

// interrupt is Ctrl-C: it leaves a list of completions or a search, or else the line.
func (e *lineEditor) interrupt() {
	if e.shell.Keymap.Local() != "" {
		e.shell.Keymap.Commands()["abort"]()
		return
	}
	e.shell.Display.AcceptLine()
	e.shell.History.Accept(false, false, errInterrupted)
}

// accept is Enter.
func (e *lineEditor) accept() {
	text := string(*e.shell.Line())
	above, last, several := cutLast(text)
	if e.shell.Keymap.Local() != "" || !several || !strings.HasPrefix(last, `\`) || inText(above) {
		e.shell.Keymap.Commands()["accept-line"]()
		return
	}
	e.shell.Display.AcceptLine()
	e.command = last
	e.shell.Line().Set([]rune(above)...)
	e.shell.History.Accept(true, false, errCommand)
}

// cutLast cuts a text before its last line.
func cutLast(text string) (above, last string, several bool) {
	n := strings.LastIndexByte(text, '\n')
	if n < 0 {
		return "", text, false
	}
	return text[:n+1], strings.TrimSpace(text[n+1:]), true
}

// inText says whether sql ends inside of a text, name or comment.
func inText(sql string) bool {
	tokens := sqltext.Scan(sql)
	return len(tokens) > 0 && tokens[len(tokens)-1].Open
}

// search is Ctrl-R. The editor would only find what begins with the present line.
func (e *lineEditor) search() {
	if e.shell.Keymap.Local() == "" {
		e.shell.Line().Set()
		e.shell.Cursor().Set(0)
	}
	e.shell.Keymap.Commands()["reverse-search-history"]()
}

// move is an arrow key: to the line above or below, and from the first and the last
// line to another statement of the history.
func (e *lineEditor) move(lines int) {
	text := []rune(*e.shell.Line())
	at := e.shell.Cursor().Pos()
	begin, end := lineOf(text, at)
	switch {
	case lines < 0 && begin > 0:
		above, _ := lineOf(text, begin-1)
		e.shell.Cursor().Set(min(above+at-begin, begin-1))
	case lines > 0 && end < len(text):
		_, last := lineOf(text, end+1)
		e.shell.Cursor().Set(min(end+1+at-begin, last))
	default:
		e.shell.History.Walk(-lines)
	}
}

// lineOf is where the line of a place begins and ends, without the newline.
func lineOf(text []rune, at int) (begin, end int) {
	for begin = min(at, len(text)); begin > 0 && text[begin-1] != '\n'; begin-- {
	}
	for end = min(at, len(text)); end < len(text) && text[end] != '\n'; end++ {
	}
	return begin, end
}

// restoreAtEnd gives the terminal back as it was when a signal ends the process in
// the middle of a line.
func (e *lineEditor) restoreAtEnd(ctx context.Context, in *os.File) {
	state, err := term.GetState(int(in.Fd()))
	if err != nil {
		return
	}
	go func() {
		select {
		case <-ctx.Done():
			_ = term.Restore(int(in.Fd()), state)
			fmt.Println()
		case <-e.done:
		}
	}()
}

func (e *lineEditor) read() (string, error) {
	text, err := e.shell.Readline()
	if errors.Is(err, errCommand) {
		return e.command, nil
	}
	if err != nil {
		return "", err
	}
	// Keys without a meaning come as escapes.
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, text), nil
}

func (e *lineEditor) note(text string) { e.shell.Hint.SetTransient(text) }

func (e *lineEditor) close() { close(e.done) }
