package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// schemaFolder makes a folder with schema files by name.
func schemaFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestSchemaFolder(t *testing.T) {
	set := mustLoad(t, schemaFolder(t, map[string]string{
		"main.4.schema.json":                 `{"type":"object"}`,
		"shape/shape.1.schema.json":          `{"properties":{"a":{"$ref":"../shared/parts%201%25.json#/definitions/a"}}}`,
		"shared/parts 1%.json":               `{"definitions":{"a":{"type":"integer"}}}`,
		"telemetry/core/core.10.schema.json": `{"required":["v"]}`,
		"other/event.2.schema.json":          `{"required":["x"]}`,
		"other/sub/deep.0.schema.json":       `{}`,
		"my.doc.type.3.schema.json":          `{}`,
		"main.04.schema.json":                `not read`,
		"README.md":                          `not read`,
	}))
	for _, k := range []schemaKey{
		{"telemetry", "main", "4"}, {"telemetry", "shape", "1"}, {"telemetry", "core", "10"},
		{"other", "event", "2"}, {"other", "deep", "0"}, {"telemetry", "my.doc.type", "3"},
	} {
		if set[k] == nil || set[k].program == nil {
			t.Errorf("no schema %v", k)
		}
	}
	if len(set) != 6 {
		t.Errorf("%d schemas, want 6: %v", len(set), set)
	}
	if got := verdict(set[schemaKey{"telemetry", "shape", "1"}], []byte(`{"a":"x"}`)); got != "type at /a" {
		t.Errorf("a reference to another file: %q", got)
	}
}

func TestSchemaFolderErrors(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":     {map[string]string{"x.json": "{}"}, "no file is named <docType>.<version>.schema.json"},
		"broken":    {map[string]string{"main.4.schema.json": "{"}, "compile main.4.schema.json"},
		"no schema": {map[string]string{"main.4.schema.json": `{"type":"integr"}`}, "compile main.4.schema.json"},
		"pattern":   {map[string]string{"main.4.schema.json": `{"pattern":"("}`}, "compile main.4.schema.json"},
		"network":   {map[string]string{"main.4.schema.json": `{"$ref":"http://localhost:1/x.json"}`}, "only files of the schema folder"},
		"outside":   {map[string]string{"main.4.schema.json": `{"$ref":"../../etc/x.json"}`}, "compile main.4.schema.json"},
		"twice":     {map[string]string{"a.1.schema.json": "{}", "a/a.1.schema.json": "{}"}, "another schema for a version 1"},
	} {
		dir := schemaFolder(t, c.files)
		_, err := New(Config{Schemas: dir})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := New(Config{Schemas: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a folder that is not there was accepted")
	}
}

// The embedded schemas have version 4, each with a program.
func TestEmbeddedSchemas(t *testing.T) {
	set := mustLoad(t, "")
	if len(set) != 4 {
		t.Errorf("%d schemas, want 4", len(set))
	}
	for k, s := range set {
		if k.namespace != "telemetry" || k.version != "4" || s.program == nil {
			t.Errorf("%v has program %v", k, s.program)
		}
	}
}
