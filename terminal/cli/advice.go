package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/internal/lazy"
)

// installationFlags lists the flags that select an installation.
var installationFlags = []string{"config", "data", "probes", "app"}

// CommandLine returns a command line for the installation of cmd, quoted for a shell. cmd may be nil.
func CommandLine(cmd *cobra.Command, args string) string {
	words := []string{Program(), args}
	if cmd == nil {
		return strings.Join(words, " ")
	}
	for _, name := range installationFlags {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			words = append(words, "--"+name, Quote(strings.Trim(flag.Value.String(), "[]")))
		}
	}
	return strings.Join(words, " ")
}

// advised matches a command that an error recommends.
var advised = lazy.Regexp("`pingmill ([^`]+)`")

// Advising adds the flags of cmd's installation to the commands that an error recommends.
func Advising(cmd *cobra.Command, err error) error {
	text := err.Error()
	changed := advised().ReplaceAllStringFunc(text, func(s string) string {
		return "`" + CommandLine(cmd, advised().FindStringSubmatch(s)[1]) + "`"
	})
	if changed == text {
		return err
	}
	return advisingError{err, changed}
}

// advisingError is an error with a changed text.
type advisingError struct {
	error
	text string
}

func (e advisingError) Error() string { return e.text }

func (e advisingError) Unwrap() error { return e.error }

// Program returns the name under which this program was called.
func Program() string {
	if filepath.Base(os.Args[0]) == Name {
		return Quote(os.Args[0])
	}
	return Name
}

// Quote quotes a word for a shell.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=:,./@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
