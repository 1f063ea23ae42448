package rules

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// startsWorkers lists the packages that run statements in workers, each with whose statements they are.
var startsWorkers = map[string]string{
	"sql/queryservice": "those of people, whichever protocol they came by",
	"terminal/engine":  "those of the operator on the command line",
	"check/sqlfile":    "the operator's checks in SQL",
	"tools/bench/load": "measurements",
}

// namesWorkers lists the packages that name a runner of workers besides: they configure it for one of startsWorkers.
var namesWorkers = []string{"cmd/pingmill", "terminal/cli/flags"}

// startsPrograms lists the packages that start a process, each with which one.
var startsPrograms = map[string]string{
	"service/doctor":         "systemctl",
	"sql/worker/spawn":       "a worker",
	"terminal/prompt":        "a person's editor",
	"terminal/prompt/screen": "a person's pager",
	"tools/bench/load":       "the server that it measures",
}

// TestOneWayToAWorker: only Runner.Run takes a worker to a statement; each package that calls it does so in one place.
func TestOneWayToAWorker(t *testing.T) {
	calls, named, programs := map[string]int{}, map[string]bool{}, map[string]bool{}
	for name := range places(t) {
		if strings.HasPrefix(name, "tools/") && startsWorkers[name] == "" || strings.HasPrefix(name, "packaging/") ||
			strings.HasSuffix(name, "test") {
			continue
		}
		for _, file := range sourcesOf(t, name) {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Run" && len(n.Args) == 4 && importsWorker(file) {
						calls[name]++
					}
				case *ast.SelectorExpr:
					switch typeText(n) {
					case "worker.Runner":
						named[name] = true
					case "exec.Command", "exec.CommandContext", "exec.Cmd", "os.StartProcess", "syscall.ForkExec", "unix.ForkExec":
						programs[name] = true
					}
				}
				return true
			})
		}
	}
	once := map[string]int{}
	for name := range startsWorkers {
		once[name] = 1
		require.True(t, named[name] || calls[name] > 0, name)
	}
	require.Equal(t, once, calls, "calls of Runner.Run")
	for _, name := range slices.Sorted(maps.Keys(named)) {
		require.True(t, startsWorkers[name] != "" || slices.Contains(namesWorkers, name), "%s names worker.Runner", name)
	}
	require.Equal(t, slices.Sorted(maps.Keys(startsPrograms)), slices.Sorted(maps.Keys(programs)), "packages that start programs")
}

// importsWorker reports whether a file imports the package of workers.
func importsWorker(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+module+`sql/worker"` })
}

// TestOneStart: in package worker only a runner starts the process, and only tests run a statement without the gate.
func TestOneStart(t *testing.T) {
	starts, ungated := map[string]bool{}, 0
	for _, file := range sourcesOf(t, "sql/worker") {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if typeText(n.Fun) == "startWorker" {
						starts[receiver(f.Recv.List[0].Type)+"."+f.Name.Name] = true
					}
				case *ast.KeyValueExpr:
					if typeText(n.Key) == "ungated" {
						ungated++
					}
				}
				return true
			})
		}
	}
	require.Equal(t, map[string]bool{"Runner.Warm": true, "Runner.worker": true}, starts)
	require.Zero(t, ungated)
}
