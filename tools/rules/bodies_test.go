package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBodies: only package listening limits the body of a request that a server has made or puts another one in its
// place, or takes the connection away from net/http, which otherwise closes it if an early response left a body unread.
// Nothing reads a body as a form.
func TestBodies(t *testing.T) {
	for name := range places(t) {
		if name == "serve/listening" {
			continue
		}
		files, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					switch name := n.Sel.Name; name {
					case "MaxBytesReader", "MaxBytesHandler", "Hijack", "Hijacker":
						t.Errorf("%s: %s: see listening.LimitBodies", fset.Position(n.Pos()), name)
					case "FormValue", "PostFormValue", "ParseForm", "ParseMultipartForm", "MultipartReader", "FormFile":
						t.Errorf("%s: %s: it reads a body that nobody may have allowed: take URL.Query", fset.Position(n.Pos()), name)
					}
				case *ast.FuncDecl:
					replacesBody(t, fset, n.Type, n.Body)
				case *ast.FuncLit:
					replacesBody(t, fset, n.Type, n.Body)
				}
				return true
			})
		}
	}
}

// replacesBody finds assignments to the body of a request in a handler.
func replacesBody(t *testing.T, fset *token.FileSet, is *ast.FuncType, body *ast.BlockStmt) {
	var requests []string
	handles := false
	for _, p := range is.Params.List {
		text := typeText(p.Type)
		handles = handles || text == "http.ResponseWriter"
		for _, name := range p.Names {
			if text == "*http.Request" {
				requests = append(requests, name.Name)
			}
		}
	}
	if !handles || body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, to := range a.Lhs {
			if base, is := strings.CutSuffix(typeText(to), ".Body"); is && len(requests) == 1 && base == requests[0] {
				t.Errorf("%s: the body of a request is replaced: see listening.LimitBodies", fset.Position(a.Pos()))
			}
		}
		return true
	})
}

// typeText is such as *http.Request, "" for what is no name.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	}
	return ""
}
