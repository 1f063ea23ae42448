package worker

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/sql/worker/spawn"
)

// isMain reports whether this program called Main.
var isMain bool

// Main runs the process as a worker and exits if it was started as one; otherwise it returns. Programs that start
// workers call it before anything else.
func Main() {
	isMain = true
	if spawn.IsWorker() {
		os.Exit(work())
	}
}

// worker is a started process that runs one query.
type worker struct {
	setup   setup
	process *spawn.Process
	state   *os.ProcessState // after ended
	to      *frameWriter
	from    *frameReader
	stderr  *tail

	once  sync.Once
	ended chan struct{}
}

// startWorker starts a process, or takes the one that was started with this program, and sends it the setup. The process initializes
// DuckDB while the caller prepares the request.
func startWorker(s setup) (_ *worker, err error) {
	if !isMain {
		return nil, errors.New("this program does not call worker.Main")
	}
	p := spawn.First()
	if p == nil {
		if p, err = spawn.Start(); err != nil {
			return nil, err
		}
	}
	w := &worker{setup: s, process: p, to: &frameWriter{w: p.To}, from: &frameReader{r: p.From}, stderr: &tail{}, ended: make(chan struct{})}
	go w.reap()
	if err := w.to.send(kindSetup, s); err != nil {
		w.kill()
		w.wait()
		return nil, errWorkerExited
	}
	return w, nil
}

// Discard ends the worker that was started with this program, if no query took it.
func Discard() {
	if p := spawn.First(); p != nil {
		killGroup(p.Process)
		w := &worker{process: p, stderr: &tail{}, ended: make(chan struct{})}
		w.reap()
		w.wait()
	}
}

// outputDelay is how long the output of a process that ended is read if another process still has it open.
const outputDelay = time.Second

// reap reads the process's output and waits until it has ended.
func (w *worker) reap() {
	copied := make(chan struct{})
	go func() {
		_, _ = io.Copy(w.stderr, w.process.Output)
		close(copied)
	}()
	w.state, _ = w.process.Wait()
	_ = w.process.Output.SetReadDeadline(time.Now().Add(outputDelay))
	<-copied
	_ = w.process.Output.Close()
	close(w.ended)
}

// kill kills the worker and its process group. Further calls do nothing.
func (w *worker) kill() {
	w.once.Do(func() {
		if w.alive() {
			killGroup(w.process.Process)
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
	_ = w.process.To.Close()
	_ = w.process.From.Close()
	return w.state
}

// small is the memory in bytes of a worker that the system frees within milliseconds.
const small = 256 << 20

// leave kills a small worker that has answered, and does not wait for its end. It sets the processor time of the summary. It returns
// false if the caller has to wait.
func (w *worker) leave(s *Summary) bool {
	used, done := resident(w.process.Pid)
	memory := used()
	done()
	s.CPU = usedCPU(w.process.Pid)
	if s.CPU == 0 || s.Memory == 0 || memory == 0 || memory > small {
		return false
	}
	w.kill()
	go w.wait()
	return true
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
