package prompt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/terminal/cli"
)

// edit implements \e: it opens the last statement in an editor and runs the result if it is complete.
func (s *Session) edit(ctx context.Context, _ string) error {
	text := s.last
	if text != "" {
		text += ";"
	}
	text, err := s.inEditor(ctx, text)
	if err != nil {
		return err
	}
	if err := s.history.add(text); err != nil {
		s.print("%v", err)
	}
	if text == "" || !lexer.Complete(s.Dialect, text) {
		s.print("not run, as it does not end with ; it is the last one in the history")
		return nil
	}
	fmt.Fprintln(s.Out, text)
	s.typed(ctx, text)
	return nil
}

// inEditor opens a text in the editor that the environment names.
func (s *Session) inEditor(ctx context.Context, text string) (string, error) {
	dir, err := os.MkdirTemp("", "pingmill-edit-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "statement.sql")
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		return "", err
	}
	name := "vi"
	for _, variable := range []string{"EDITOR", "VISUAL"} {
		if set := s.Getenv(variable); set != "" {
			name = set
		}
	}
	defer cli.OnInterrupt(ctx, func() {})() // Ctrl-C is the editor's
	words := append(strings.Fields(name), file)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("run the editor %s: %w", name, err)
	}
	edited, err := os.ReadFile(file)
	return strings.TrimSpace(string(edited)), err
}
