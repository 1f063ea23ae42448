package rules

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example is a file in CONTRIBUTING.md, whose first line names its place.
var example = regexp.MustCompile("(?s)```go\n// ([a-z_/]+\\.go)\n(.*?)```\n")

// TestRecipe builds the tables that CONTRIBUTING.md adds, and makes rows of them.
func TestRecipe(t *testing.T) {
	doc := read(t, "../../CONTRIBUTING.md")
	places := map[string]string{} // what go build reads in the place of a file
	put := func(file, text string) {
		path := filepath.Join(t.TempDir(), filepath.Base(file))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		whole, err := filepath.Abs(filepath.Join("../..", file))
		require.NoError(t, err)
		places[whole] = path
	}
	for _, m := range example.FindAllStringSubmatch(doc, -1) {
		if b, err := format.Source([]byte(m[2])); err != nil || string(b) != m[2] {
			t.Errorf("CONTRIBUTING.md: %s is not as gofmt writes it: %v", m[1], err)
		}
		put(m[1], m[2])
	}
	if len(places) != 3 {
		t.Fatalf("CONTRIBUTING.md has %d files of a new table", len(places))
	}
	put("ping/ndjson/recipe_test.go", read(t, "testdata/recipe_test.go.txt"))
	put("schema/tables.go", replaced(t, read(t, "../../schema/tables.go"), "updates(),\n", "updates(), Heartbeat(), EngagementDaily(),\n"))
	put("table/rows.go", replaced(t, read(t, "../../table/rows.go"), `map[string]func(*schema.Table, *input) Rows{`,
		"map[string]func(*schema.Table, *input) Rows{\n\"engagement_daily\": newEngagementDaily,"))
	overlay, err := json.Marshal(map[string]any{"Replace": places})
	require.NoError(t, err)
	list := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	cmd := exec.Command("go", "test", "-overlay", list, "-run", "^TestRecipe$", "-v", "./ping/ndjson")
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestRecipe") {
		t.Errorf("%v\n%s", err, out)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func replaced(t *testing.T, text, old, by string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, by, 1)
}
