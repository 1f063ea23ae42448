package ask

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/store"
)

// ExportState is what became of an export.
type ExportState string

// The states of exports.
const (
	ExportQueued    ExportState = "queued"
	ExportRunning   ExportState = "running"
	ExportDone      ExportState = "done"
	ExportFailed    ExportState = "failed"
	ExportCancelled ExportState = "cancelled"
)

// Ended says whether an export is over.
func (s ExportState) Ended() bool { return s != ExportQueued && s != ExportRunning }

// Export is the whole result of a query, written in the background.
type Export struct {
	ID       string       `json:"id"`
	Person   string       `json:"person,omitempty"`
	SQL      string       `json:"sql"`
	Target   string       `json:"target"` // where the result goes, in the words of who asked
	Format   query.Format `json:"format"`
	State    ExportState  `json:"state"`
	Position int          `json:"position,omitempty"` // among the queries that wait
	Reads    string       `json:"reads,omitempty"`    // as a Plan says it
	Rows     int64        `json:"rows"`
	Bytes    int64        `json:"bytes"`
	Percent  float64      `json:"percent,omitempty"` // of the work, less than 0: not known
	Error    string       `json:"error,omitempty"`
	Asked    time.Time    `json:"asked"`
	Ended    time.Time    `json:"ended,omitzero"`
}

// Exports are the exports of an installation. Their states are objects of a bucket, so that another process sees them too, and
// they outlive this one. It is safe for concurrent use.
type Exports struct {
	Runner *Runner
	States store.Bucket // NAME.json for each; nil: in memory alone
	Now    func() time.Time

	mu   sync.Mutex
	all  map[string]*running
	work sync.WaitGroup
}

// running is an export of this process.
type running struct {
	Export
	saved  time.Time
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// errCancelled is why an export ended that somebody cancelled.
var errCancelled = errors.New("cancelled")

// saveEach is how often the state of a running export is stored.
const saveEach = time.Second

// Start begins an export and returns at once. write is called with what writes the result; it makes the target appear whole or
// not at all. The context bounds the export.
func (e *Exports) Start(ctx context.Context, q Request, target string, write func(ctx context.Context, result func(io.Writer) error) error) (Export, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &running{cancel: cancel, done: make(chan struct{}), Export: Export{
		ID: rand.Text()[:12], Person: q.Person, SQL: q.SQL, Target: target, Format: q.Format, State: ExportQueued, Asked: e.Now(),
	}}
	if err := e.save(ctx, r.Export); err != nil {
		cancel(nil)
		return Export{}, fmt.Errorf("begin export: %w", err)
	}
	e.mu.Lock()
	if e.all == nil {
		e.all = map[string]*running{}
	}
	e.all[r.ID] = r
	began := r.Export
	e.mu.Unlock()
	e.work.Go(func() {
		defer close(r.done)
		err := write(ctx, func(out io.Writer) error { return e.run(ctx, r, q, out) })
		e.end(ctx, r, err)
	})
	return began, nil
}

// run runs the query of an export.
func (e *Exports) run(ctx context.Context, r *running, q Request, out io.Writer) error {
	s, err := e.Runner.Run(ctx, q, out, func(event Event) {
		e.change(ctx, r, func(x *Export) {
			switch event := event.(type) {
			case Waiting:
				x.Position = event.Position
			case Plan:
				x.State, x.Position, x.Reads = ExportRunning, 0, event.String()
			case Progress:
				x.Rows, x.Percent = event.Rows, event.Percent
			}
		})
	})
	e.change(ctx, r, func(x *Export) { x.Rows, x.Bytes = s.Rows, s.Bytes })
	return err
}

// change changes an export, and stores it now and then.
func (e *Exports) change(ctx context.Context, r *running, do func(*Export)) {
	e.mu.Lock()
	before := r.State
	do(&r.Export)
	now, copied := e.Now(), r.Export
	due := copied.State != before || now.Sub(r.saved) >= saveEach
	if due {
		r.saved = now
	}
	e.mu.Unlock()
	if due {
		_ = e.save(ctx, copied) // the next one, and the last, are stored too
	}
}

// end stores how an export ended.
func (e *Exports) end(ctx context.Context, r *running, err error) {
	e.mu.Lock()
	switch {
	case err == nil:
		r.State = ExportDone
	case errors.Is(context.Cause(ctx), errCancelled):
		r.State, r.Error = ExportCancelled, errCancelled.Error()
	default:
		r.State, r.Error = ExportFailed, err.Error()
	}
	r.Ended, r.Position = e.Now(), 0
	copied := r.Export
	e.mu.Unlock()
	if err := e.save(context.WithoutCancel(ctx), copied); err != nil && e.Runner.Log != nil {
		e.Runner.Log.Warn("the state of an export is not stored", "export", r.ID, "error", err)
	}
	r.cancel(nil)
}

func stateName(id string) string { return id + ".json" }

// save stores the state of an export.
func (e *Exports) save(ctx context.Context, x Export) error {
	if e.States == nil {
		return nil
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	w, err := e.States.Create(ctx, stateName(x.ID))
	if err != nil {
		return err
	}
	defer func() { _ = w.Abort() }()
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Commit()
}

// List gives all exports, the newest first: those of this process, and what is stored of others.
func (e *Exports) List(ctx context.Context) (list []Export, err error) {
	e.mu.Lock()
	for _, r := range e.all {
		list = append(list, r.Export)
	}
	e.mu.Unlock()
	if e.States != nil {
		if list, err = e.stored(ctx, list); err != nil {
			return nil, fmt.Errorf("list exports: %w", err)
		}
	}
	slices.SortFunc(list, func(a, b Export) int {
		if c := b.Asked.Compare(a.Asked); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list, nil
}

// mostState is how many bytes the stored state of an export has at most.
const mostState = 8 << 20

// stored adds the exports that only the bucket knows.
func (e *Exports) stored(ctx context.Context, list []Export) ([]Export, error) {
	known := map[string]bool{}
	for _, x := range list {
		known[stateName(x.ID)] = true
	}
	for entry, err := range e.States.List(ctx, "") {
		if err != nil {
			return nil, err
		}
		if known[entry.Name] || !strings.HasSuffix(entry.Name, stateName("")) {
			continue
		}
		x, err := e.read(ctx, entry.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func (e *Exports) read(ctx context.Context, name string) (x Export, err error) {
	r, err := e.States.Open(ctx, name)
	if err != nil {
		return x, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, mostState))
	if err != nil {
		return x, err
	}
	if x, err = readExport(text); err != nil {
		return x, fmt.Errorf("read %s: %w", name, err)
	}
	return x, nil
}

// readExport reads a stored state.
func readExport(text []byte) (x Export, err error) {
	if err := json.Unmarshal(text, &x); err != nil {
		return x, err
	}
	states := []ExportState{ExportQueued, ExportRunning, ExportDone, ExportFailed, ExportCancelled}
	if x.ID == "" || !slices.Contains(states, x.State) {
		return x, errors.New("it is the state of no export")
	}
	return x, nil
}

// Recover ends the stored exports that another process began and did not end. It is for the process that owns the bucket, at
// its start.
func (e *Exports) Recover(ctx context.Context) error {
	list, err := e.List(ctx)
	if err != nil {
		return err
	}
	for _, x := range list {
		if _, own := e.find(x.ID); own || x.State.Ended() {
			continue
		}
		x.State, x.Error, x.Ended, x.Position = ExportFailed, "the program ended before the export", e.Now(), 0
		if err := e.save(ctx, x); err != nil {
			return fmt.Errorf("end export %s: %w", x.ID, err)
		}
	}
	return nil
}

func (e *Exports) find(id string) (*running, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, ok := e.all[id]
	return r, ok
}

// Cancel ends an export of this process; false means that there is none that runs or waits.
func (e *Exports) Cancel(id string) bool {
	r, ok := e.find(id)
	if !ok {
		return false
	}
	select {
	case <-r.done:
		return false
	default:
		r.cancel(errCancelled)
		return true
	}
}

// Wait waits until all exports of this process have ended.
func (e *Exports) Wait() { e.work.Wait() }
