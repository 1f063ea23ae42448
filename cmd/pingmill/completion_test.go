package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/terminal/cli"
)

// TestFormatsComplete finds flags of few values that offer files.
func TestFormatsComplete(t *testing.T) {
	for _, c := range allCommands(t) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains([]string{"format", "date", "from", "to", "class", "doc-type", "table"}, f.Name) {
				return
			}
			if _, ok := c.GetFlagCompletionFunc(f.Name); !ok {
				t.Errorf("%s --%s offers nothing", c.CommandPath(), f.Name)
			}
		})
	}
}

// TestManPages writes what `make install` installs.
func TestManPages(t *testing.T) {
	prefix := t.TempDir()
	mustCall(t, "man", prefix)
	for _, c := range allCommands(t) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		b, err := os.ReadFile(filepath.Join(prefix, "share", "man", "man1", name))
		if err != nil || !strings.Contains(string(b), c.Short[:4]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name := range cli.CompletionFiles {
		if b, err := os.ReadFile(filepath.Join(prefix, filepath.FromSlash(name))); err != nil || !strings.Contains(string(b), "__complete") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
