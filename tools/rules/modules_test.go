package rules

import (
	"go/ast"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModules: the first list of modules in go.mod is of those that the program needs, the second one of those that only
// tests, measurements and generators need.
func TestModules(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	blocks := strings.Split(string(text), "\nrequire (\n")
	require.Len(t, blocks, 4, "go.mod has lists of the program's modules, of the tests' and of indirect ones")
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "../../cmd/pingmill")
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=1")
	out, err := cmd.Output()
	require.NoError(t, err)
	used := strings.Fields(string(out))
	for i, direct := range []bool{true, false} {
		for line := range strings.Lines(blocks[i+1]) {
			if name := strings.Fields(line); len(name) == 2 && slices.Contains(used, name[0]) != direct {
				t.Errorf("go.mod: module %s belongs into the other list: the program imports it: %v", name[0], !direct)
			}
		}
	}
}

// TestMethodsAreDropped: nothing in the program calls methods by names that only the running program knows, as templates do. One
// such call makes the linker keep all exported methods, a tenth of the program.
func TestMethodsAreDropped(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	tags := regexp.MustCompile(`(?m)^TAGS := (\S+)$`).FindSubmatch(makefile)
	require.Len(t, tags, 2)
	cmd := exec.Command("go", "list", "-deps", "-tags", string(tags[1]), "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../../cmd/pingmill")
	cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=1")
	out, err := cmd.Output()
	require.NoError(t, err)
	var importers []string
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if slices.Contains(words[1:], "text/template") || slices.Contains(words[1:], "html/template") {
			importers = append(importers, words[0])
		}
	}
	// The linker drops their functions that take templates as long as nothing calls them.
	require.ElementsMatch(t, []string{"html/template", "github.com/spf13/cobra", "github.com/wneessen/go-mail"}, importers)
	calls := []string{"SetVersionTemplate", "SetUsageTemplate", "SetHelpTemplate", "SetBodyHTMLTemplate", "SetBodyTextTemplate",
		"AddAlternativeHTMLTemplate", "AddAlternativeTextTemplate", "AttachHTMLTemplate", "AttachTextTemplate", "EmbedHTMLTemplate",
		"EmbedTextTemplate", "MethodByName"}
	for name := range places(t) {
		if strings.HasPrefix(name, "tools/") || strings.HasSuffix(name, "test") {
			continue
		}
		for _, file := range sourcesOf(t, name) {
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(calls, s.Sel.Name) {
					t.Errorf("%s calls %s, which keeps all exported methods in the program", name, s.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestImageTags: the image is the program that `make build` makes and the tests test, so it has the same build tags.
func TestImageTags(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		return string(b)
	}
	tags := regexp.MustCompile(`(?m)^TAGS := (\S+)$`).FindStringSubmatch(read("Makefile"))
	require.Len(t, tags, 2)
	require.Contains(t, read("packaging/Dockerfile"), "-tags "+tags[1]+",netgo,osusergo ")
	require.Contains(t, read("Makefile"), "-tags $(TAGS),netgo,osusergo ")
}
