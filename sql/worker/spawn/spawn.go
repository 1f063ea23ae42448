// Package spawn starts the processes of workers. For a query on the command line it starts the first one before most packages are
// initialized, so that both processes begin at the same time. It therefore needs no package that Go initializes late, such as os/exec.
package spawn

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// name is the process name of a worker. The only argument prevents a test binary that does not call worker.Main from
// running all its tests.
const name = "pingmill-query"

var args = []string{name, "-test.run=^$"}

// IsWorker reports whether this process was started as a worker.
func IsWorker() bool { return len(os.Args) == len(args) && os.Args[0] == name }

// Process is a started worker with the caller's ends of its pipes. The caller closes them.
type Process struct {
	*os.Process
	To, From *os.File // frames
	Output   *os.File // its standard output and error
}

// Start starts a worker.
func Start() (*Process, error) {
	exe, err := executable()
	if err != nil {
		return nil, err
	}
	var ends [3][2]*os.File // the one that reads, the one that writes
	for i := range ends {
		if ends[i][0], ends[i][1], err = os.Pipe(); err != nil {
			return nil, errors.Join(err, closed(slices.Concat(ends[0][:], ends[1][:], ends[2][:])))
		}
	}
	in, out, output := ends[0], ends[1], ends[2]
	p := &Process{To: in[1], From: out[0], Output: output[0]}
	// Almost nothing allocated before work begins is garbage, so the collector is off until work sets its own limits. Without a home
	// folder an SDK that looks for its configuration reads the list of users.
	p.Process, err = os.StartProcess(exe, args, &os.ProcAttr{Env: []string{"GOGC=off", "HOME=/"},
		Files: []*os.File{in[0], output[1], output[1], out[1]}, Sys: isolated()})
	err = errors.Join(err, closed([]*os.File{in[0], out[1], output[1]}))
	if err != nil {
		return nil, errors.Join(err, closed([]*os.File{p.To, p.From, p.Output}))
	}
	return p, nil
}

// closed closes files that are not nil.
func closed(files []*os.File) error {
	var errs []error
	for _, f := range files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// first is the worker that was started while packages are initialized.
var first atomic.Pointer[Process]

func init() {
	if IsWorker() {
		runtime.MemProfileRate = 0 // nobody reads it, and each sample walks the stack
	}
	if queries(os.Args) && os.Getenv("PINGMILL_SERVER") == "" {
		if p, err := Start(); err == nil { // else the query starts it and reports the error
			first.Store(p)
		}
	}
}

// queries reports whether a command line runs queries on this machine, in a worker.
func queries(args []string) bool {
	return len(args) > 1 && args[1] == "query" && !slices.ContainsFunc(args[2:], func(a string) bool {
		return a == "-h" || strings.HasPrefix(a, "--help") || strings.HasPrefix(a, "--server") || strings.HasPrefix(a, "--unsafe")
	})
}

// First returns the worker that was started while packages were initialized, once; then nil.
func First() *Process { return first.Swap(nil) }
