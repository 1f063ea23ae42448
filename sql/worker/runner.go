package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
)

// Runner runs queries in workers. The zero value is ready to use; methods are safe for concurrent use.
type Runner struct {
	// Temp is the parent of the workers' temporary folders; "" is the system's folder for temporary files. The first query
	// removes folders that a killed program left there.
	Temp string
	Log  *slog.Logger // for the standard error of workers that die; nil discards it
	// Threads and Memory are the limits of the spare worker that Warm starts. A query with other limits gets a new worker.
	Threads int
	Memory  int64
	// Queue, if not nil, decides when a query starts. Waiting does not count towards Limits.Time.
	Queue *queue.Queue
	// Spill limits the bytes of temporary data of all running queries together; above it the query with the most data is
	// cancelled. 0 means no limit.
	Spill int64

	disk  disk
	tidy  sync.Once
	mu    sync.Mutex
	spare *worker
}

// Run runs a query and writes its result to out. observe, if not nil, receives the events; it is called in this
// goroutine. Run returns a *query.Error if the query is wrong, a *LimitError if it exceeds a limit, and the cause if
// ctx is cancelled. Part of the result may be written before an error.
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
	if q.Limits.Memory > 0 && reserveOf(&q, q.Limits.Threads, q.Limits.Memory) != (reserve{}) {
		watching.Go(func() { watchMemory(limited, w, q.Limits.Memory, end) })
	}
	defer func() { end(nil); watching.Wait() }()
	c := &call{ctx: limited, q: &q, w: w, out: out, observe: observe, memory: q.Limits.Memory}
	err = c.run(dir.path)
	if err == nil && w.leave(&c.s) {
		return c.s, nil
	}
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
	return c.s, q.wrapRemoved(ctx, err)
}

// call holds the state of one Run: the query and its worker.
type call struct {
	ctx     context.Context
	q       *Request
	w       *worker
	out     io.Writer
	observe func(Event)
	s       Summary
	memory  int64 // the limit
}

// errWorkerExited means the worker closed its pipe unexpectedly.
var errWorkerExited = errors.New("the query's process died")

// run sends the request, checks the plan and copies the result to out.
func (c *call) run(temp string) error {
	if err := sendRequest(c.w.to, c.q, temp); err != nil {
		return errWorkerExited // died finds the reason
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
	c.s.Columns = c.s.Columns.trusted()
	c.observe(c.s.Columns)
	return c.results()
}

// next reads a frame. It returns the error that a frame of kindError contains.
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

// expect reads a frame of the wanted kind and decodes its JSON into v.
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

// allow decodes the plan, reports it to the observer, and then runs the caller's Allow and Verify.
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

// slack is the number of bytes by which a result may exceed its limit: the worker writes the last row whole.
const slack = 64 << 20

// results copies the result to out until the worker reports the summary.
func (c *call) results() error {
	var first []byte // what came, while the first rows are awaited
	awaited := c.q.First
	for {
		k, body, err := c.next()
		if err != nil {
			return err
		}
		switch k {
		case kindFirst:
			if awaited && len(first) > 0 {
				c.observe(First(first))
			}
			first, awaited = nil, false
		case kindData:
			if awaited = awaited && len(first)+len(body) <= kindFirst.bound(); awaited {
				first = append(first, body...)
			}
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

// Warm starts a spare worker, so that the next query does not wait for a process to start.
func (r *Runner) Warm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spare != nil {
		if r.spare.alive() {
			return
		}
		r.spare.wait() // wait closes its pipes
	}
	r.spare, _ = startWorker(setup{r.Threads, r.Memory}) // on an error the next query starts a worker and reports it
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

// worker returns the spare worker if it runs and has the wanted setup, else a new one.
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
