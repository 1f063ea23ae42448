package worker

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// workerName is the process name of a worker. The only argument prevents a test binary that does not call Main from
// running all its tests.
const workerName = "pingmill-query"

var workerArgs = []string{workerName, "-test.run=^$"}

// isMain reports whether this program called Main.
var isMain bool

// Main runs the process as a worker and exits if it was started as one; otherwise it returns. Programs that start
// workers call it before anything else.
func Main() {
	isMain = true
	if len(os.Args) == len(workerArgs) && os.Args[0] == workerName {
		os.Exit(work())
	}
}

// worker is a started process that runs one query.
type worker struct {
	setup  setup
	cmd    *exec.Cmd
	to     *frameWriter
	from   *frameReader
	pipes  []*os.File // the caller's ends
	stderr *tail

	once  sync.Once
	ended chan struct{}
}

// startWorker starts a process and sends it the setup. The process initializes DuckDB while the caller prepares the
// request.
func startWorker(s setup) (_ *worker, err error) {
	if !isMain {
		return nil, errors.New("this program does not call worker.Main")
	}
	exe, err := executable()
	if err != nil {
		return nil, err
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), to.Close())
	}
	w := &worker{setup: s, to: &frameWriter{w: to}, from: &frameReader{r: from}, pipes: []*os.File{to, from}, stderr: &tail{},
		ended: make(chan struct{})}
	// Almost nothing allocated before work begins is garbage, so the collector is off until work sets its own limits.
	w.cmd = &exec.Cmd{Path: exe, Args: workerArgs, Env: []string{"GOGC=off"}, Stdin: in, ExtraFiles: []*os.File{out}, Stdout: w.stderr,
		Stderr: w.stderr}
	w.cmd.WaitDelay = time.Second // for reading its standard error
	isolate(w.cmd)
	err = w.cmd.Start()
	err = errors.Join(err, in.Close(), out.Close())
	if err != nil {
		return nil, errors.Join(err, to.Close(), from.Close())
	}
	go func() {
		_ = w.cmd.Wait() // ProcessState has the exit status
		close(w.ended)
	}()
	if err := w.to.send(kindSetup, s); err != nil {
		w.kill()
		w.wait()
		return nil, errWorkerExited
	}
	return w, nil
}

// kill kills the worker and its process group. Further calls do nothing.
func (w *worker) kill() {
	w.once.Do(func() {
		if w.alive() {
			killGroup(w.cmd.Process)
		}
	})
}

// alive reports whether the process still runs.
func (w *worker) alive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}

// wait waits until the process has ended, closes its pipes and returns its exit state.
func (w *worker) wait() *os.ProcessState {
	<-w.ended
	for _, p := range w.pipes {
		_ = p.Close()
	}
	return w.cmd.ProcessState
}

// tail holds the first and last 8 KB of a worker's output. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - maxTail; extra > 0 {
		// The beginning has the reason, the end the place.
		t.text = append(t.text[:maxTail/2], t.text[maxTail/2+extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// outOfMemorySaid reports whether a worker's output has a message that the runtimes of Go or C++ write when they get no
// memory.
func outOfMemorySaid(stderr string) bool {
	for _, text := range []string{"out of memory", "cannot allocate memory", "bad_alloc", "pthread_create failed",
		"Resource temporarily unavailable"} {
		if strings.Contains(stderr, text) {
			return true
		}
	}
	return false
}
