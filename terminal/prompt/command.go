package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// argument is the kind of a command's argument, for completion.
type argument uint8

const (
	noArgument argument = iota
	aTable
	aFile
	aFunction
	aFormat
	aDialect
	onOff
)

// command is a command that begins with a backslash.
type command struct {
	name string
	arg  string // as help shows it
	kind argument
	doc  string
	run  func(s *Session, ctx context.Context, arg string) error
}

// commands returns all commands in the order of the help.
func commands() []command {
	return []command{
		{"d", "[TABLE[.COLUMN]]", aTable, "tables, or columns of one: \\d addons.*name*", (*Session).describe},
		{"d+", "TABLE[.COLUMN]", aTable, "all that is known about its columns", (*Session).describeMore},
		{"dp", "TABLE", aTable, "its published days: files, rows, size", (*Session).partitions},
		{"df", "[PATTERN]", aFunction, "functions: \\df map_agg, \\df *percentile*", (*Session).describeFunctions},
		{"x", "[on|off|auto]", onOff, "rows with a column a line; auto: where they do not fit", (*Session).expand},
		{"timing", "[on|off]", onOff, "time, and what was read, after each statement", (*Session).setTiming},
		{"dialect", "[NAME]", aDialect, "of SQL: presto or duckdb", (*Session).setDialect},
		{"format", "[NAME]", aFormat, "table, csv, json, ndjson, parquet, arrow or spreadsheet", (*Session).setFormat},
		{"o", "[FILE]", aFile, "results go to a file, or to the screen again", (*Session).setOutput},
		{"i", "FILE", aFile, "run the statements of a file", (*Session).include},
		{"export", "FILE [SQL]", aFile, "write a whole result in the background", (*Session).export},
		{"limits", "", noArgument, "what a statement may read, take and show", (*Session).showLimits},
		{"watch", "[SECONDS]", noArgument, "run the last statement again and again", (*Session).watch},
		{"e", "", noArgument, "edit the last statement in $EDITOR, and run it", (*Session).edit},
		{"?", "", noArgument, "this list (also \\h)", (*Session).help},
		{"q", "", noArgument, "leave (also Ctrl-D)", (*Session).quit},
	}
}

// otherNames maps aliases to commands.
var otherNames = map[string]string{"h": "?", "help": "?", "quit": "q", "l": "d", "dt": "d"}

// command runs a line that begins with a backslash.
func (s *Session) command(ctx context.Context, line string) error {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, `\`), " ")
	if first, rest, cut := strings.Cut(name, "\n"); cut {
		name, arg = first, rest+" "+arg
	}
	name = strings.TrimSuffix(name, ";")
	if other := otherNames[name]; other != "" {
		name = other
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(s, ctx, strings.TrimSpace(arg))
		}
	}
	return fmt.Errorf(`no command \%s: \? lists them`, name)
}

func (s *Session) help(ctx context.Context, _ string) error {
	return s.page(ctx, func(out io.Writer) {
		fmt.Fprintln(out, "A statement ends with ; and may have several lines. Commands have one line:")
		fmt.Fprint(out, commandsHelp()+keysHelp)
	})
}

// commandsHelp returns the help of all commands, one line each.
func commandsHelp() string {
	var b strings.Builder
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-22s %s\n", strings.TrimSpace(`\`+c.name+" "+c.arg), c.doc)
	}
	return b.String()
}

const keysHelp = `Keys:
  Tab                    completes a name; again: the next one; Esc: as typed
  Up, Down               lines of the statement, then what was typed before
  Ctrl-R                 searches that
  Alt-Enter              another line, whatever is typed
  Ctrl-C                 cancels what runs, or clears what is typed
  Ctrl-X Ctrl-E          edits what is typed in $EDITOR
  Ctrl-W, -U, -K, -Y     cut a word, to the begin, to the end; put it back
  Ctrl-_                 takes the last change back
`

func (s *Session) quit(context.Context, string) error {
	s.leaving = true
	return nil
}

// toggled returns the new value of a switch: on, off, or toggled without an argument.
func toggled(now bool, arg string) (bool, error) {
	switch strings.ToLower(arg) {
	case "":
		return !now, nil
	case "on":
		return true, nil
	case "off":
		return false, nil
	}
	return now, fmt.Errorf("%q is neither on nor off", arg)
}

func (s *Session) expand(_ context.Context, arg string) error {
	if strings.EqualFold(arg, "auto") {
		s.expanded = query.ExpandedAuto
	} else {
		on, err := toggled(s.expanded == query.ExpandedOn, arg)
		if err != nil {
			return errors.New("expanded is on, off or auto")
		}
		s.expanded = query.ExpandedOff
		if on {
			s.expanded = query.ExpandedOn
		}
	}
	s.print("expanded is %s", s.expanded)
	return nil
}

func (s *Session) setTiming(_ context.Context, arg string) (err error) {
	if s.timing, err = toggled(s.timing, arg); err == nil {
		s.print("timing is %s", map[bool]string{true: "on", false: "off"}[s.timing])
	}
	return err
}

func (s *Session) setFormat(_ context.Context, arg string) error {
	if arg != "" {
		f, err := query.ParseFormat(arg)
		if err != nil {
			return err
		}
		s.Format = f
	}
	s.print("format is %s", s.Format)
	return nil
}

func (s *Session) setDialect(_ context.Context, arg string) error {
	if arg != "" {
		d, err := query.ParseDialect(strings.ToLower(arg))
		if err != nil {
			return err
		}
		s.Dialect = d
	}
	s.print("dialect is %s", s.Dialect)
	return nil
}

func (s *Session) showLimits(ctx context.Context, _ string) error {
	return s.page(ctx, func(out io.Writer) {
		screen.Columns(out, 0, []string{"limit", "of a statement", "set by"}, s.Settings.LimitRows())
	})
}

func (s *Session) setOutput(_ context.Context, arg string) error {
	s.output = s.path(arg)
	if arg == "" {
		s.print("results go to the screen")
	} else {
		s.print("results go to %s; each statement overwrites it", s.output)
	}
	return nil
}

// path expands a typed file name: it removes quotes and replaces ~ by the home folder.
func (s *Session) path(arg string) string {
	if len(arg) > 1 && (arg[0] == '\'' || arg[0] == '"') && arg[len(arg)-1] == arg[0] {
		arg = arg[1 : len(arg)-1]
	}
	if rest, ok := strings.CutPrefix(arg, "~/"); ok {
		return filepath.Join(s.Getenv("HOME"), rest)
	}
	return arg
}

func (s *Session) include(ctx context.Context, arg string) error {
	if arg == "" {
		return errors.New(`\i FILE`)
	}
	text, err := os.ReadFile(s.path(arg))
	if err != nil {
		return err
	}
	for _, st := range lexer.All(s.Dialect, string(text)) {
		s.last = strings.TrimSpace(st.SQL)
		if err := s.show(ctx, st.In(string(text))); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) watch(ctx context.Context, arg string) error {
	every := 2.0
	if arg != "" {
		var err error
		if every, err = strconv.ParseFloat(arg, 64); err != nil || every < 0.1 || every > 86400 {
			return errors.New(`\watch SECONDS: from 0.1 to 86400`)
		}
	}
	if s.last == "" {
		return errors.New("there is no last statement")
	}
	err := s.interruptible(ctx, func(ctx context.Context) error {
		for {
			fmt.Fprintf(s.Out, "%s, every %g s\n", s.Now().UTC().Format("2006-01-02 15:04:05 UTC"), every)
			if _, err := s.runStatement(ctx, s.last, s.Out); err != nil {
				return err
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(time.Duration(every * float64(time.Second))):
			}
		}
	})
	if errors.Is(err, errCancelled) {
		return nil
	}
	return err
}
