package worker

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// workerName is the name by which a program starts itself as a worker. Its only arguments keep a test that forgot Main from
// running all tests.
const workerName = "pingmill-query"

var workerArgs = []string{workerName, "-test.run=^$"}

// isMain says that this program called Main.
var isMain bool

// Main makes the process a worker if it was started as one, and then does not return. Programs that ask call it first of all.
func Main() {
	isMain = true
	if len(os.Args) == len(workerArgs) && os.Args[0] == workerName {
		os.Exit(work())
	}
}

// worker is a process that runs one query.
type worker struct {
	setup  setup
	cmd    *exec.Cmd
	to     *frameWriter
	from   *frameReader
	pipes  []*os.File // our ends
	stderr *tail

	once  sync.Once
	ended chan struct{}
}

// startWorker starts a worker, which gets ready while the caller does.
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
	w := &worker{setup: s, to: &frameWriter{w: to}, from: &frameReader{r: from}, pipes: []*os.File{to, from}, stderr: &tail{}, ended: make(chan struct{})}
	// Of what is there before work begins nearly nothing is garbage, and then work says how much there may be.
	w.cmd = &exec.Cmd{Path: exe, Args: workerArgs, Env: []string{"GOGC=off"}, Stdin: in, ExtraFiles: []*os.File{out}, Stdout: w.stderr, Stderr: w.stderr}
	w.cmd.WaitDelay = time.Second // of reading what it said
	isolate(w.cmd)
	err = w.cmd.Start()
	err = errors.Join(err, in.Close(), out.Close())
	if err != nil {
		return nil, errors.Join(err, to.Close(), from.Close())
	}
	go func() {
		_ = w.cmd.Wait() // its state says how it ended
		close(w.ended)
	}()
	if err := w.to.send(kindSetup, s); err != nil {
		w.kill()
		w.wait()
		return nil, errWorkerExited
	}
	return w, nil
}

// kill ends the worker and all that it may have started.
func (w *worker) kill() {
	w.once.Do(func() {
		if w.alive() {
			killGroup(w.cmd.Process)
		}
	})
}

// alive says whether the process runs.
func (w *worker) alive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}

// wait waits for the end and returns how it was.
func (w *worker) wait() *os.ProcessState {
	<-w.ended
	for _, p := range w.pipes {
		_ = p.Close()
	}
	return w.cmd.ProcessState
}

// tail keeps the end of what is written.
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
		// The beginning says why, the end where.
		t.text = append(t.text[:maxTail/2], t.text[maxTail/2+extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// outOfMemorySaid says whether a process died since it got no memory, by what the runtimes of Go and C++ say then.
func outOfMemorySaid(said string) bool {
	for _, text := range []string{"out of memory", "cannot allocate memory", "bad_alloc", "pthread_create failed", "Resource temporarily unavailable"} {
		if strings.Contains(said, text) {
			return true
		}
	}
	return false
}
