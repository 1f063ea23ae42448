package ingest

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pingmill/pingmill/internal/lazy"
)

// embedded holds this project's schemas.
//
//go:embed schemas/*.json
var embedded embed.FS

// schemaKey identifies a schema; version is the document's version without leading zeros.
type schemaKey struct{ namespace, docType, version string }

// schemaSet holds compiled schemas.
type schemaSet map[schemaKey]*checker

// find returns the schema for a document, or nil if there is none; then any object is valid.
func (s schemaSet) find(namespace, docType []byte, version string) *checker {
	return s[schemaKey{string(namespace), string(docType), version}]
}

// schemaFile matches the file name of a schema: <docType>.<version>.schema.json
var schemaFile = lazy.Regexp(`^(.+)\.(0|[1-9][0-9]*)\.schema\.json$`)

// loadSchemas compiles all schemas below a folder, or the embedded ones if dir is empty. A file
// <docType>.<version>.schema.json is a schema. Its namespace is telemetry unless it is in a folder with another
// name than its document type. Schemas may refer to other files of the folder.
func loadSchemas(dir string) (schemaSet, error) {
	files, where := fs.FS(nil), "embedded schemas"
	if dir == "" {
		sub, err := fs.Sub(embedded, "schemas")
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", where, err)
		}
		files = sub
	} else {
		files, where = os.DirFS(dir), "schemas in "+dir
	}
	set := schemaSet{}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft4)
	compiler.UseLoader(schemaLoader{files})
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		match := schemaFile().FindStringSubmatch(path.Base(name))
		if err != nil || d.IsDir() || match == nil {
			return err
		}
		compiled, err := compiler.Compile(schemaURL(name))
		if err != nil {
			return fmt.Errorf("compile %s: %w", name, oneLine(err))
		}
		key := schemaKey{schemaNamespace(name, match[1]), match[1], match[2]}
		if set[key] != nil {
			return fmt.Errorf("compile %s: there is another schema for %s version %s", name, key.docType, key.version)
		}
		set[key] = newChecker(compiled)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", where, err)
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("read %s: no file is named <docType>.<version>.schema.json", where)
	}
	return set, nil
}

// schemaNamespace returns the first folder in the path of a schema file. A last folder with the name of the
// document type is ignored.
func schemaNamespace(name, docType string) string {
	folder := path.Dir(name)
	if path.Base(folder) == docType {
		folder = path.Dir(folder)
	}
	first, _, _ := strings.Cut(folder, "/")
	if first == "." {
		return string(telemetryNamespace)
	}
	return first
}

// schemaURL returns the address of a schema file during compilation.
func schemaURL(name string) string {
	return (&url.URL{Scheme: "file", Path: "/" + name}).String()
}

// schemaLoader reads files of a schema folder only: no reference can reach the network or another folder.
type schemaLoader struct{ files fs.FS }

func (l schemaLoader) Load(address string) (any, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "file" {
		return nil, fmt.Errorf("load %s: only files of the schema folder can be referred to", address)
	}
	f, err := l.files.Open(strings.TrimPrefix(u.Path, "/"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return jsonschema.UnmarshalJSON(f)
}

// oneLine returns a compiler's error with its text on one line.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
