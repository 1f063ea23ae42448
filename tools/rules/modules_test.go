package rules

import (
	"encoding/json"
	"go/ast"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
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
	tags := regexp.MustCompile(`(?m)^TAGS := (\S+)$`).FindStringSubmatch(read(t, "../../Makefile"))
	require.Len(t, tags, 2)
	require.Contains(t, read(t, "../../packaging/Dockerfile"), "-tags "+tags[1]+",netgo,osusergo ")
	require.Contains(t, read(t, "../../Makefile"), "-tags $(TAGS),netgo,osusergo ")
}

// TestImageConfig: the image of a release has the settings of the Dockerfile.
func TestImageConfig(t *testing.T) {
	var image struct {
		User, WorkingDir, StopSignal string
		Env, Entrypoint, Cmd         []string
		ExposedPorts, Volumes        map[string]struct{}
		Healthcheck                  struct{ Test []string }
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "../../packaging/release/image.json")), &image))
	list := func(words []string) string {
		b, err := json.Marshal(words)
		require.NoError(t, err)
		return strings.ReplaceAll(string(b), ",", ", ")
	}
	lines := []string{
		"USER " + image.User, "WORKDIR " + image.WorkingDir, "STOPSIGNAL " + image.StopSignal, "ENTRYPOINT " + list(image.Entrypoint),
		"CMD " + list(image.Cmd), "CMD " + list(image.Healthcheck.Test[1:]),
	}
	for port := range image.ExposedPorts {
		lines = append(lines, "EXPOSE "+strings.TrimSuffix(port, "/tcp"))
	}
	for volume := range image.Volumes {
		lines = append(lines, "VOLUME "+volume)
	}
	for _, variable := range image.Env {
		lines = append(lines, "ENV "+variable)
	}
	dockerfile := read(t, "../../packaging/Dockerfile")
	for _, line := range lines {
		require.Contains(t, dockerfile, line+"\n")
	}
	require.Equal(t, len(image.Env), strings.Count(dockerfile, "\nENV "))
}

// TestDuckDBLicences: the licences of DuckDB's parts have the version of go.mod, in which v2.10505.0 means 1.5.5. For another
// version compare third_party and extension/icu of its sources with packaging/release/licences/duckdb.
func TestDuckDBLicences(t *testing.T) {
	found := regexp.MustCompile(`duckdb-go/v2 v2\.(\d)(\d\d)(\d\d)\.`).FindStringSubmatch(read(t, "../../go.mod"))
	require.Len(t, found, 4)
	var parts []string
	for _, part := range found[1:] {
		n, err := strconv.Atoi(part)
		require.NoError(t, err)
		parts = append(parts, strconv.Itoa(n))
	}
	require.Equal(t, strings.Join(parts, "."), strings.TrimSpace(read(t, "../../packaging/release/licences/duckdb/VERSION")))
}
