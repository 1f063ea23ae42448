package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/terminal/cli"
)

// ReadTexts returns the SQL for a call without a prompt: from the arguments, from files, or from standard input, also
// named -.
func ReadTexts(in io.Reader, args, files []string) ([]string, error) {
	if len(args) > 0 && args[0] != "-" {
		return args, nil
	}
	given := len(args) > 0 || len(files) > 0
	if len(files) == 0 {
		files = []string{"-"}
	}
	var texts []string
	for _, file := range files {
		b, err := readFile(in, file)
		if err != nil {
			return nil, fmt.Errorf("read the query: %w", err)
		}
		texts = append(texts, string(b))
	}
	if !given && strings.TrimSpace(texts[0]) == "" {
		return nil, cli.Usagef("no SQL: it is an argument, in a --file, or standard input; a prompt needs a terminal")
	}
	return texts, nil
}

func readFile(in io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(name)
}

// Run opens a prompt if interactive is set, otherwise runs texts.
func Run(ctx context.Context, o Options, interactive bool, texts []string, output string) error {
	if interactive {
		return New(o).Interact(ctx)
	}
	return RunTexts(ctx, o, texts, output)
}

// RunTexts runs texts of SQL in order. It writes the results to the file output, which appears when it is complete, or
// to o.Out if output is "".
func RunTexts(ctx context.Context, o Options, texts []string, output string) error {
	run := func(out io.Writer) error {
		o.Out = out
		s := New(o)
		for _, text := range texts {
			if err := s.runText(ctx, text); err != nil {
				return fmt.Errorf("query: %w", err)
			}
		}
		return nil
	}
	if output != "" {
		return cli.WriteFile(ctx, output, run)
	}
	return run(o.Out)
}

// runText runs the statements of a text until one fails.
func (s *Session) runText(ctx context.Context, text string) error {
	statements := lexer.All(s.Dialect, text)
	if len(statements) == 0 {
		return errors.New("there is no statement")
	}
	if len(statements) > 1 && s.Format.Binary() {
		return fmt.Errorf("a file of the format %s takes the result of one statement", s.Format)
	}
	for i, st := range statements {
		if i > 0 && (s.Format == query.FormatCSV || s.Format == query.FormatSpreadsheet) {
			fmt.Fprintln(s.Out)
		}
		a, err := s.runStatement(ctx, st.In(text), s.Out)
		if err != nil {
			return err
		}
		s.noted(a)
	}
	return nil
}
