package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
)

// Runner runs queries, any number at once. The zero value works.
type Runner struct {
	// Temp is where each worker has a folder of its own while it lives; "" is the system's folder for temporary files. Folders
	// that a killed program left there are removed at the first query.
	Temp string
	Log  *slog.Logger // for what workers say when they die; nil: nowhere
	// Threads and Memory are those of the spare workers that Warm starts.
	Threads int
	Memory  int64
	// Queue, if not nil, gives queries their turns. The time that they wait is not theirs.
	Queue *queue.Queue
	// Spill is how many bytes of temporary data all queries together may have on disk; above it the query that has most ends.
	// 0 is no limit.
	Spill int64

	disk  disk
	tidy  sync.Once
	mu    sync.Mutex
	spare *worker
}

// Run runs a query and writes its result to out. observe, if not nil, is told what happens, in this goroutine. The error is a
// *query.Error where the query is wrong, a *LimitError where a limit ended it, and that of the context where that did. Part of
// the result may be written before an error.
func (r *Runner) Run(ctx context.Context, q Request, out io.Writer, observe func(Event)) (s Summary, err error) {
	if observe == nil {
		observe = func(Event) {}
	}
	if r.Queue != nil {
		release, err := r.Queue.Acquire(ctx, q.Person, func(n int) { observe(Waiting{n}) })
		if err != nil {
			return s, err
		}
		defer release()
	}
	limited, end := context.WithCancelCause(ctx)
	defer end(nil)
	if q.Limits.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(limited, q.Limits.Time, outOfTime(q.Limits))
		defer cancel()
	}
	dir, err := newFolder(r.base())
	if err != nil {
		return s, fmt.Errorf("run query: %w", err)
	}
	defer dir.remove()
	w, err := r.worker(setup{q.Limits.Threads, q.Limits.Memory})
	if err != nil {
		return s, fmt.Errorf("start the query's process: %w", err)
	}
	stop := context.AfterFunc(limited, w.kill)
	defer stop()
	var watching sync.WaitGroup
	watching.Go(func() { r.disk.watch(limited, dir.path, q.Limits.Spill, r.Spill, end) })
	defer func() { end(nil); watching.Wait() }()
	c := &call{ctx: limited, q: &q, w: w, out: out, observe: observe, memory: q.Limits.Memory}
	err = c.run(dir.path)
	w.kill()
	state := w.wait()
	c.s.Memory = cmp.Or(c.s.Memory, peak(state))
	c.s.CPU = state.UserTime() + state.SystemTime()
	switch {
	case limited.Err() != nil && err != nil:
		err = ended(limited)
	case errors.Is(err, errWorkerExited):
		err = c.died(w, r.Log)
	case errors.Is(err, errProtocol) && r.Log != nil:
		r.Log.Error("the process of a query broke the protocol", "person", q.Person, "error", err, "said", w.stderr.String())
	}
	return c.s, q.gone(ctx, err)
}

// call is a query and its worker.
type call struct {
	ctx     context.Context
	q       *Request
	w       *worker
	out     io.Writer
	observe func(Event)
	s       Summary
	memory  int64 // the limit
}

// errDied is that of a worker that says nothing any more.
var errWorkerExited = errors.New("the query's process died")

// run sends the request and reads what comes back.
func (c *call) run(temp string) error {
	if err := sendRequest(c.w.to, c.q, temp); err != nil {
		return errWorkerExited // of what, its status says
	}
	var plan wirePlan
	if err := c.expect(kindPlan, &plan); err != nil {
		return err
	}
	if err := c.allow(plan); err != nil {
		return err
	}
	if err := c.w.to.write(kindGo, nil); err != nil {
		return errWorkerExited
	}
	if err := c.expect(kindColumns, &c.s.Columns); err != nil {
		return err
	}
	c.observe(Columns(c.s.Columns))
	return c.results()
}

// next reads a frame; an error of the worker is its own.
func (c *call) next() (kind, []byte, error) {
	k, body, err := c.w.from.next()
	switch {
	case errors.Is(err, errProtocol):
		return 0, nil, talking(err)
	case err != nil:
		return 0, nil, errWorkerExited
	case k == kindError:
		var w wireError
		if err := decode(body, &w); err != nil {
			return 0, nil, err
		}
		return 0, nil, w.error(c.q.Limits)
	}
	return k, body, nil
}

// expect reads a frame of a kind.
func (c *call) expect(want kind, v any) error {
	k, body, err := c.next()
	if err == nil && k != want {
		err = talking(violation("a frame of kind %d where %d is due", k, want))
	}
	if err != nil {
		return err
	}
	return decode(body, v)
}

func talking(err error) error { return fmt.Errorf("talk to the query's process: %w", err) }

func decode(body []byte, v any) error {
	if json.Unmarshal(body, v) != nil {
		return talking(violation("%d bytes that are no %T", len(body), v))
	}
	return nil
}

// allow asks the caller whether the query may read what it will.
func (c *call) allow(w wirePlan) (err error) {
	c.memory = w.Memory
	if c.s.Plan, err = w.plan(c.q.Views); err != nil {
		return talking(err)
	}
	for _, p := range w.Lacking {
		if p.Meaning() == "" {
			return talking(violation("a protection that does not exist"))
		}
		c.s.Lacking = append(c.s.Lacking, p)
		c.observe(Lacking(p))
	}
	c.observe(c.s.Plan)
	if c.q.Allow != nil {
		if err := c.q.Allow(c.ctx, c.s.Plan); err != nil {
			return err
		}
	}
	if c.q.Verify != nil && c.s.Plan.Files > 0 {
		if err := c.verify(); err != nil {
			return query.Damaged(err)
		}
	}
	return nil
}

// slack is what a result may have more than its limit of bytes: the row that passes it.
const slack = 64 << 20

// results reads the result.
func (c *call) results() error {
	for {
		k, body, err := c.next()
		if err != nil {
			return err
		}
		switch k {
		case kindData:
			n, err := c.out.Write(body)
			c.s.Bytes += int64(n)
			if err != nil {
				return fmt.Errorf("write result: %w", err)
			}
			if most := c.q.Limits.Bytes; most > 0 && c.s.Bytes > most+slack {
				return &LimitError{fmt.Sprintf("the result has more than %s, its limit", humanize.IBytes(uint64(most)))}
			}
		case kindProgress:
			var p Progress
			if err := decode(body, &p); err != nil {
				return err
			}
			c.observe(p)
		case kindDone:
			var w wireSummary
			if err := decode(body, &w); err != nil {
				return err
			}
			c.s.Rows, c.s.Cut, c.s.Read, c.s.Memory = w.Rows, w.Cut, w.Read, w.Memory
			return nil
		default:
			return talking(violation("a frame of kind %d in the result", k))
		}
	}
}

// Warm starts a worker for the next query, so that this need not wait for it.
func (r *Runner) Warm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spare != nil {
		if r.spare.alive() {
			return
		}
		r.spare.wait() // closes its pipes
	}
	r.spare, _ = startWorker(setup{r.Threads, r.Memory}) // the query says what is wrong
}

// Close ends the spare worker.
func (r *Runner) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spare != nil {
		r.spare.kill()
		r.spare.wait()
		r.spare = nil
	}
}

// worker gives the spare worker, if it fits, or a new one.
func (r *Runner) worker(s setup) (*worker, error) {
	r.mu.Lock()
	w := r.spare
	r.spare = nil
	r.mu.Unlock()
	if w != nil {
		if w.setup == s && w.alive() {
			return w, nil
		}
		w.kill()
		w.wait()
	}
	return startWorker(s)
}

// Tidy removes the folders that a killed program left, as the first query does.
func (r *Runner) Tidy() { r.base() }

// base is the folder for those of workers, without what was left there.
func (r *Runner) base() string {
	base := r.Temp
	if base == "" {
		base = os.TempDir()
	}
	r.tidy.Do(func() { removeOrphans(base) })
	return base
}
