package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
)

var (
	codeBlock  = regexp.MustCompile("(?ms)^(?: *```(?:sh|engines)?[a-z ]*\n.*?^ *```$|(?:^ {4,}[^\n]*\n)+)")
	callStart  = regexp.MustCompile(`(?m)(?:^|[|;&(] *)(?:\$ )? *(?:[A-Z_]+=\S+ )*(?:\S*/)?pingmill ([a-z][^\n]*(?:\\\n[^\n]*)*)`)
	inlineCall = regexp.MustCompile("`pingmill ([a-z][^`]*)`")
)

// TestCommandsOfPages parses the commands of pingmill in the documentation: each names a command and flags that exist.
func TestCommandsOfPages(t *testing.T) {
	names := pageNames(t)
	calls := 0
	parse := func(name, call string) {
		args := callWords(call)
		calls++
		cmd, rest, err := newRoot().Find(args)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if errors.Is(err, pflag.ErrHelp) || err != nil && strings.HasPrefix(err.Error(), "flag needs an argument") {
			err = nil // a text names the flag alone
		}
		if err != nil || !cmd.HasParent() {
			t.Errorf("%s: pingmill %q: %v", name, args, err)
		}
	}
	for _, name := range names {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, block := range codeBlock.FindAllString(string(page), -1) {
			for _, call := range callStart.FindAllStringSubmatch(block, -1) {
				parse(name, call[1])
			}
		}
		for _, call := range inlineCall.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(page), ""), -1) {
			parse(name, call[1])
		}
	}
	require.Greater(t, calls, 150)
}

// pageNames returns the files of the documentation.
func pageNames(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		names = append(names, found...)
	}
	return names
}

// TestConfigurationsOfPages loads every configuration that a page shows: keys and values, not the files that they name.
func TestConfigurationsOfPages(t *testing.T) {
	var sections []string
	for _, k := range config.All {
		section, _, _ := strings.Cut(k.Name, ".")
		sections = append(sections, section)
	}
	found := 0
	for _, name := range pageNames(t) {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, block := range codeBlock.FindAllString(string(page), -1) {
			text := configuration(block)
			key, _, is := strings.Cut(strings.TrimPrefix(text, "# pingmill.yaml\n"), ":")
			if !is || !slices.Contains(sections, key) {
				continue
			}
			found++
			file := filepath.Join(t.TempDir(), "pingmill.yaml")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			if _, err := config.All.Load(config.Sources{File: file}); err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
		}
	}
	require.GreaterOrEqual(t, found, 7)
}

// configuration returns the text of a code block without its fence or indentation.
func configuration(block string) string {
	if fenced, is := strings.CutPrefix(block, "```yaml\n"); is {
		return strings.TrimSuffix(strings.TrimSpace(fenced), "```")
	}
	return strings.ReplaceAll(strings.TrimPrefix(block, "    "), "\n    ", "\n")
}

// callWords splits a command as a shell does, up to a pipe, a redirection, a comment, or the explanation that pages write after spaces.
func callWords(line string) (all []string) {
	line = strings.ReplaceAll(line, "\\\n", " ")
	var word strings.Builder
	var quote rune
	open := false
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case strings.ContainsRune("|;&<>)", r), r == '#' && !open, strings.HasPrefix(line[i:], "   "):
			line = line[:i]
		case r == ' ' || r == '\n':
			if open {
				all = append(all, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
		if i >= len(line) {
			break
		}
	}
	if open {
		all = append(all, word.String())
	}
	return all
}
