package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/pingmill/pingmill/"

// goPackage is one package of go list, with names of the module's own packages without its path.
type goPackage struct {
	ImportPath   string
	Doc          string
	Imports      []string
	TestImports  []string
	XTestImports []string
	CgoFiles     []string
	Standard     bool
}

// name returns the folder of a package of the module.
func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, module) }

// lists caches the output of go list by its arguments: it takes a while, and the tests here do not run at once.
var lists = map[string][]goPackage{}

// listed returns the packages that a go list call names.
func listed(t *testing.T, args ...string) (pkgs []goPackage) {
	t.Helper()
	key := strings.Join(args, " ")
	if pkgs, ok := lists[key]; ok {
		return pkgs
	}
	defer func() { lists[key] = pkgs }()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports,CgoFiles,Standard"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// place is a package's row in the table of docs/architecture.md.
type place struct {
	layer int // lowest first
}

// tableHead begins the table of packages.
const tableHead = "| layer | package | what |\n|---|---|---|\n"

// places reads the table of packages. A row whose first cell is empty is of the layer above it.
func places(t *testing.T) map[string]place {
	t.Helper()
	const doc = "../../docs/architecture.md"
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), tableHead)
	if !found {
		t.Fatalf("%s has no table that begins with\n%s", doc, tableHead)
	}
	places := map[string]place{}
	layer := 0
	for row := range strings.Lines(table) {
		cells := strings.SplitN(strings.TrimSpace(row), "|", 5)
		if len(cells) != 5 {
			break
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[1] != "" {
			layer++
		}
		name := strings.Trim(cells[2], "`")
		if layer == 0 || cells[3] == "" {
			t.Fatalf("%s: row of package %s: want layer (or nothing), `package`, what it does", doc, name)
		}
		if _, twice := places[name]; twice {
			t.Fatalf("%s: two rows for package %s", doc, name)
		}
		places[name] = place{layer}
	}
	return places
}

func TestEveryPackageHasARow(t *testing.T) {
	rows := places(t)
	for _, p := range listed(t, "./...") {
		if _, ok := rows[p.name()]; !ok {
			t.Errorf("package %s has no row in the table of docs/architecture.md: add one in its layer", p.name())
		}
		delete(rows, p.name())
	}
	for name := range rows {
		t.Errorf("docs/architecture.md has a row for package %s, which does not exist", name)
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range listed(t, "./...") {
		if p.Doc == "" {
			t.Errorf("package %s has no doc comment", p.name())
		}
	}
}

// maxFolders limits the folders of packages in the root: a listing of it shows the architecture.
const maxFolders = 20

func TestRootFolders(t *testing.T) {
	documented := map[string]bool{}
	folders := map[string]bool{}
	for _, p := range listed(t, "./...") {
		documented[p.name()] = p.Doc != ""
		first, _, _ := strings.Cut(p.name(), "/")
		folders[first] = true
	}
	for _, without := range []string{"cmd", "packaging"} {
		delete(folders, without)
	}
	require.LessOrEqual(t, len(folders), maxFolders)
	for f := range folders {
		if !documented[f] {
			t.Errorf("%s has no doc.go that says what is inside and what may import it", f)
		}
	}
}
