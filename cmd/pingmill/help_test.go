package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/terminal/cli"
)

// allCommands returns those that a user finds, without the scripts of other shells.
func allCommands(t *testing.T) []*cobra.Command {
	t.Helper()
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		all = append(all, c)
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				walk(below)
			}
		}
	}
	walk(newRoot())
	if len(all) < 20 {
		t.Fatalf("there are %d commands", len(all))
	}
	return all
}

func pathOf(c *cobra.Command) []string { return strings.Fields(c.CommandPath())[1:] }

// TestHelpOfAllCommands looks at every page.
func TestHelpOfAllCommands(t *testing.T) {
	for _, c := range allCommands(t) {
		path := pathOf(c)
		page := mustCall(t, append(path, "--help")...)
		if other := mustCall(t, append([]string{"help"}, path...)...); other != page {
			t.Errorf("help %s and %[1]s --help differ:\n%s\n%s", path, other, page)
		}
		checkWidth(t, page, cli.HelpWidth)
		if c.HasParent() && c.Parent().Name() == "pingmill" && c.GroupID == "" {
			t.Errorf("%s is in no group", c.CommandPath())
		}
		if len(path) > 1 && c.Parent().Name() == "completion" {
			continue // cobra's own text
		}
		for _, width := range []int{cli.LeastHelp, cli.WidestHelp} {
			var b bytes.Buffer
			c.Example = ""
			help.Write(&b, c, width)
			checkWidth(t, b.String(), width)
		}
	}
}

func checkWidth(t *testing.T, page string, width int) {
	t.Helper()
	for _, line := range strings.Split(page, "\n") {
		if n := uniseg.StringWidth(line); n > width && strings.Contains(strings.TrimSpace(line), " ") || strings.HasSuffix(line, " ") {
			t.Errorf("a line of %d columns, not %d: %q", n, width, line)
		}
	}
}

var flagLine = regexp.MustCompile(`(?m)^(?:      |  -\w, )--([a-z-]+)`)

// TestHelpHasOnlyOwnFlags compares the flags that pages list with those that
// commands are about.
func TestHelpHasOnlyOwnFlags(t *testing.T) {
	for _, c := range allCommands(t) {
		c.InitDefaultHelpFlag()
		var want []string
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
				t.Errorf("%s --%s: %q is no description", c.CommandPath(), f.Name, f.Usage)
			}
			key, _ := config.KeyOf(f)
			if own := key == "" || key == "data" || help.Describes(c, key); own && (f.Name != "help" || !c.HasParent()) && !f.Hidden {
				want = append(want, f.Name)
			}
		})
		var got []string
		for _, m := range flagLine.FindAllStringSubmatch(mustCall(t, append(pathOf(c), "--help")...), -1) {
			got = append(got, m[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", c.CommandPath(), got, want)
		}
	}
	if page := mustCall(t, "run", "--help"); strings.Contains(page, "  --keep-archive") || !strings.Contains(page, "--keep-archive,") {
		t.Errorf("run describes settings that it is not about, or does not name them:\n%s", page)
	}
}

// TestExamplesParse gives every example to a shell, and what that makes of it to
// the command.
func TestExamplesParse(t *testing.T) {
	for _, c := range allCommands(t) {
		if c.Example == "" {
			continue
		}
		for _, args := range shellCalls(t, t.TempDir(), c.Example) {
			cmd, rest, err := newRoot().Find(args)
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err == nil {
				err = cmd.ValidateFlagGroups()
			}
			if err != nil || cmd == cmd.Root() {
				t.Errorf("example of %s: pingmill %q is %s: %v", c.CommandPath(), args, cmd.CommandPath(), err)
			}
		}
	}
}

// shellCalls returns the arguments of the calls of pingmill that a script makes.
func shellCalls(t *testing.T, dir, script string) (calls [][]string) {
	t.Helper()
	sh := exec.Command("sh", "-euc", "pingmill() { printf '%s\\0' \"$@\" >> calls; printf '\\n\\0' >> calls; }\n"+script)
	sh.Dir = dir
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v: %s", script, err, out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "calls"))
	require.NoError(t, err)
	for _, call := range strings.Split(strings.TrimSuffix(string(b), "\n\x00"), "\n\x00") {
		calls = append(calls, strings.Split(strings.TrimSuffix(call, "\x00"), "\x00"))
	}
	return calls
}
