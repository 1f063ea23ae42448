package tasks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// State is the outcome of a task.
type State string

const (
	Done      State = "done"      // its files are made
	Found     State = "found"     // somebody had made them
	Published State = "published" // somebody had made them, and the partition is published
	Failed    State = "failed"
	Refused   State = "refused" // it cannot be done here: the day has to be planned again, by this program
)

// Result is the output line of a task.
type Result struct {
	Line       int     `json:"line"` // of the input
	Table      string  `json:"table,omitempty"`
	Day        string  `json:"day,omitempty"`
	Generation string  `json:"generation,omitempty"`
	Samples    string  `json:"samples,omitempty"`
	State      State   `json:"state"`
	RowsIn     int64   `json:"rows_in"`
	RowsOut    int64   `json:"rows_out"`
	Rejected   int64   `json:"rejected"`
	Bytes      int64   `json:"bytes"` // written
	Seconds    float64 `json:"seconds"`
	Error      string  `json:"error,omitempty"`
	// Retry means that another attempt at the same task may succeed.
	Retry bool `json:"retry"`
}

// Runner runs described tasks.
type Runner struct {
	Set *schema.Set
	// Extend, if not nil, adds the tables to opened data that only its lake knows.
	Extend  func(context.Context, *site.Data) error
	Roots   site.Roots // that the descriptions must have, as far as they are set
	Workers int        // tasks at a time; 0: one
	Now     func() time.Time
	Log     *slog.Logger // of pings that a transform panics over

	mu   sync.Mutex
	open []opened
}

// opened is a worker with open roots, for tables restricted to certain applications.
type opened struct {
	roots   Roots
	apps    []string
	samples []int
	worker  *etl.Worker
	close   func() error
}

// Close closes the opened buckets.
func (r *Runner) Close() error {
	var all []error
	for _, o := range r.open {
		all = append(all, o.close())
	}
	r.open = nil
	return errors.Join(all...)
}

// Lines does the tasks that are described, one a line, and writes a line about each, in the order in which they end. The
// error is of the tasks that were not done, it matches etl.ErrPlanAgain if one was refused, or of reading and writing.
func (r *Runner) Lines(ctx context.Context, in io.Reader, out io.Writer) error {
	var g errgroup.Group
	g.SetLimit(max(1, r.Workers))
	var mu sync.Mutex
	encoder := json.NewEncoder(out)
	counts := map[State]int{}
	var written error
	end := func(res *Result) {
		mu.Lock()
		defer mu.Unlock()
		counts[res.State]++
		written = errors.Join(written, encoder.Encode(res))
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*maxDescription)
	for n := 1; lines.Scan() && ctx.Err() == nil; n++ {
		line := bytes.TrimSpace(bytes.Clone(lines.Bytes()))
		if len(line) == 0 {
			continue
		}
		g.Go(func() error {
			end(r.line(ctx, n, line))
			return nil
		})
	}
	_ = g.Wait()
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("task: a line is longer than a description can be: %w", etl.ErrPlanAgain)
	}
	if err := errors.Join(lines.Err(), written, context.Cause(ctx)); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	switch {
	case counts[Refused] > 0:
		return fmt.Errorf("task: %d refused, %d failed: %w", counts[Refused], counts[Failed], etl.ErrPlanAgain)
	case counts[Failed] > 0:
		return fmt.Errorf("task: %d failed", counts[Failed])
	}
	return nil
}

// line runs the task of one line.
func (r *Runner) line(ctx context.Context, n int, line []byte) *Result {
	began := r.Now()
	d, err := Parse(line)
	res := &Result{Line: n}
	if err != nil {
		res.fail(refusal{err})
		return res
	}
	res.Table, res.Day, res.Generation, res.Samples = d.Table, d.Day, d.Generation, job.Samples{Lo: d.Lo, Hi: d.Hi}.String()
	if err := panics.Try(func() error { return r.do(ctx, &d, res) }); err != nil {
		res.fail(err)
	}
	res.Seconds = r.Now().Sub(began).Seconds()
	return res
}

// refusal marks an error that every program of this version has with the description.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func (res *Result) fail(err error) {
	var refused refusal
	res.State, res.Error = Failed, site.OneLine(err.Error())
	switch _, damaged := lake.Damage(err); {
	case errors.As(err, &refused) || errors.Is(err, etl.ErrPlanAgain):
		res.State = Refused
	default:
		res.Retry = !damaged && !archive.IsDamage(err)
	}
}

// do runs a task, unless its result exists already.
func (r *Runner) do(ctx context.Context, d *Description, res *Result) error {
	w, err := r.worker(ctx, d)
	if err != nil {
		return err
	}
	task := d.task()
	made, where, err := w.Found(ctx, task)
	if err != nil {
		return err
	}
	switch where {
	case "":
		res.State = Done
		if made, err = w.Do(ctx, task); err != nil {
			return err
		}
	case etl.FoundStaged:
		res.State = Found
	default:
		res.State = Published
	}
	res.RowsIn, res.RowsOut, res.Rejected, res.Bytes = made.RowsIn, made.RowsOut, made.Rejected, made.Bytes
	return nil
}

// worker returns a worker that can run a task, or an error.
func (r *Runner) worker(ctx context.Context, d *Description) (*etl.Worker, error) {
	if err := d.checkRoots(r.Roots); err != nil {
		return nil, refusal{err}
	}
	if hash := r.Set.Probes.Hash(); d.Probes != hash {
		return nil, refusal{fmt.Errorf("it was planned with other probe definitions, %s: give --probes; here they are %s", d.Probes, hash)}
	}
	o, err := r.opened(ctx, d)
	if err != nil {
		return nil, err
	}
	t, err := schema.Find(o.worker.Tables, d.Table)
	if err != nil {
		return nil, refusal{err}
	}
	if here := etl.Definitions(t); d.Definitions != here {
		return nil, refusal{fmt.Errorf("it was planned by another version of pingmill: definitions %s of %s, here they are %s", d.Definitions,
			d.Table, here)}
	}
	return o.worker, nil
}

func (r *Runner) opened(ctx context.Context, d *Description) (*opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.open {
		if o := &r.open[i]; o.roots == d.Roots && slices.Equal(o.apps, d.Apps) && slices.Equal(o.samples, d.Samples) {
			return o, nil
		}
	}
	data, closing, err := site.OpenData(ctx, site.Roots(d.Roots), r.Set)
	if err != nil {
		return nil, err
	}
	if r.Extend != nil {
		if err := r.Extend(ctx, data); err != nil {
			return nil, errors.Join(err, closing())
		}
	}
	if d.Apps != nil {
		data.SetApps(d.Apps)
	}
	if d.Samples != nil {
		data.SetSnapshots(d.Samples, 0)
	}
	r.open = append(r.open, opened{d.Roots, d.Apps, d.Samples, &etl.Worker{
		Archive: data.Archive, Roots: data.Roots, Tables: data.Tables, Probes: data.Probes, Footers: lake.NewFooters(), Log: r.Log,
	}, closing})
	return &r.open[len(r.open)-1], nil
}
