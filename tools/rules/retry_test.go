package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// overtaken matches the errors after which a loop reads again what another process has changed.
var overtaken = regexp.MustCompile(`(^|\.)[eE]rr(Changed|Behind|Taken|Moved)$`)

// TestRetries: a loop that swaps objects, or goes on after another process was faster, has the pauses and the bound of
// package retry. If the cause never ends, such as an object without version, it would otherwise send requests for ever.
func TestRetries(t *testing.T) {
	found := 0
	for name := range places(t) {
		if strings.HasPrefix(name, "tools/") || strings.HasSuffix(name, "test") {
			continue
		}
		files := sourcesOf(t, name)
		swaps := swapping(files)
		for _, file := range files {
			for function, loop := range triesAgain(file, swaps) {
				found++
				if !calls(loop, "Again") {
					t.Errorf("%s: a loop of %s tries again without retry.Loop", name, function)
				}
			}
		}
	}
	require.Positive(t, found, "no loop is looked at")
}

// TestPauses: only retry.Policy makes pauses grow.
func TestPauses(t *testing.T) {
	for name := range places(t) {
		if name == "internal/retry" || strings.HasPrefix(name, "tools/") || strings.HasSuffix(name, "test") {
			continue
		}
		for _, file := range sourcesOf(t, name) {
			ast.Inspect(file, func(n ast.Node) bool {
				if doubles(n) {
					t.Errorf("%s: a pause is doubled: use retry.Policy", name)
				}
				return true
			})
		}
	}
}

// doubles reports whether a node is 2 times a pause.
func doubles(n ast.Node) bool {
	product, ok := n.(*ast.BinaryExpr)
	if !ok || product.Op != token.MUL {
		return false
	}
	two, ok := product.X.(*ast.BasicLit)
	return ok && two.Value == "2" && strings.Contains(strings.ToLower(typeText(product.Y)), "pause")
}

// TestRetryRule: the rule finds the loop that read an object without version 418 times a second.
func TestRetryRule(t *testing.T) {
	for text, want := range map[string]bool{
		"for { c := l.tail(); l.settle(c) }":                                        true,
		"for { if !errors.Is(err, store.ErrChanged) { return } }":                   true,
		"for { if err := o.Begin(); errors.Is(err, order.ErrBehind) { continue } }": true,
		"for i := range 3 { l.settle(c) }":                                          false,
		"for left > 0 { l.settle(c) }":                                              false,
		"for { <-l.awake; l.settle(c) }":                                            false,
		"for { settle(c) }":                                                         false, // a variable
		"for !done { c.reserve(false, true) }":                                      false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
			func f() { `+text+` }
			func (l *log) settle(c *chunk) error { return l.mark(c) }
			func (l *log) mark(c *chunk) error { return c.swap() }
			func (c *chunk) swap() error { return c.b.CompareAndSwap(ctx, name, was, text) }
			func (c *chunk) reserve(a, b bool) { c.flag.CompareAndSwap(a, b) }`, 0)
		require.NoError(t, err)
		got := false
		for range triesAgain(file, swapping([]*ast.File{file})) {
			got = true
		}
		assert.Equal(t, want, got, text)
	}
}

// triesAgain yields the loops of a file that look for a change by another process, and those without condition that swap
// objects and wait for no channel, each with its function.
func triesAgain(file *ast.File, swaps map[string]bool) func(yield func(string, *ast.ForStmt) bool) {
	return func(yield func(string, *ast.ForStmt) bool) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if loop, ok := n.(*ast.ForStmt); ok && isRetry(loop, swaps) {
					return yield(f.Name.Name, loop)
				}
				return true
			})
		}
	}
}

func isRetry(loop *ast.ForStmt, swaps map[string]bool) bool {
	looks, swapped, waits := false, false, false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // such as a goroutine
			return false
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW
		case *ast.CallExpr:
			looks = looks || typeText(n.Fun) == "errors.Is" && len(n.Args) == 2 && overtaken.MatchString(typeText(n.Args[1]))
			swapped = swapped || swaps[called(n)] || swapsItself(n)
		}
		return true
	})
	return looks || swapped && !waits && loop.Cond == nil
}

// swapsItself reports whether a call is one of store.Bucket's CompareAndSwap. Atomic values have another one.
func swapsItself(call *ast.CallExpr) bool {
	return called(call) == ".CompareAndSwap" && len(call.Args) == 4
}

// called returns the name of the called function, with a dot before that of a method or of another package's function.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return "." + f.Sel.Name
	}
	return ""
}

// calls reports whether a method of this name is called below a node.
func calls(in ast.Node, name string) (is bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		is = is || ok && called(call) == "."+name
		return true
	})
	return is
}

// swapping returns the functions of a package that swap objects, also by calling others, by the names of called. Names of
// several methods are left out.
func swapping(files []*ast.File) map[string]bool {
	declared := map[string][]*ast.FuncDecl{}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				name := f.Name.Name
				if f.Recv != nil {
					name = "." + name
				}
				declared[name] = append(declared[name], f)
			}
		}
	}
	names := map[string]bool{}
	for more := true; more; {
		more = false
		for name, all := range declared {
			if names[name] || len(all) > 1 {
				continue
			}
			ast.Inspect(all[0].Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && (swapsItself(call) || names[called(call)]) {
					names[name], more = true, true
				}
				return true
			})
		}
	}
	return names
}
