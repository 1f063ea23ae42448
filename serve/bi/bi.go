// Package bi runs queries for the protocols of BI tools and notebooks, which pgwire and flight serve. Results are
// Arrow streams.
package bi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// Catalog and Schema are the qualifiers that a query may write before a table name.
const (
	Catalog = "hive"
	Schema  = "default"
)

// Request is a statement to run.
type Request struct {
	SQL     string        `json:"sql"`
	Dialect query.Dialect `json:"dialect,omitempty"` // "" is Presto's
}

// Executor runs requests. It returns a *queryservice.Failure if the statement is wrong or a limit ended
// it, and queryservice.ErrFull.
type Executor struct {
	*queryservice.Service
	OnEnd func(queryservice.State) // called when a query has ended; may be nil
}

// Schema returns the schema of the result of a query without running it.
func (d Executor) Schema(ctx context.Context, p *access.Person, q Request) (*arrow.Schema, error) {
	plan, err := d.Plan(ctx, p, queryservice.Request{SQL: q.SQL, Dialect: q.Dialect, Whole: true})
	if err != nil {
		return nil, err
	}
	columns := make([]query.Column, len(plan.Columns))
	for i, c := range plan.Columns {
		columns[i] = query.Column{Name: c.Name, Type: c.Type}
	}
	return SchemaOf(columns)
}

// Result is the result of a query as an Arrow IPC stream. It must be closed.
type Result struct {
	io.ReadCloser
	ID     string // of the query
	Memory int64  // bytes that reading it takes at most
}

// copies is the number of times that a batch is in memory while it is read: in the file, as a stream, as a batch, and
// as values.
const copies = 4

// Memory returns the bytes of memory that reading a result takes at most.
func Memory(r *queryservice.Result) int64 { return copies * max(r.Largest(), columnar.BatchBytes) }

func newResult(id string, r *queryservice.Result) *Result {
	p := &pipe{result: r}
	p.PipeReader, p.in = io.Pipe()
	return &Result{ReadCloser: p, ID: id, Memory: Memory(r)}
}

// pipe starts to write its result at the first Read.
type pipe struct {
	*io.PipeReader
	in     *io.PipeWriter
	result *queryservice.Result
	start  sync.Once
}

func (p *pipe) Read(b []byte) (int, error) {
	p.start.Do(func() {
		go func() {
			err := p.result.WriteArrow(p.in)
			_ = p.result.Close() // everything was read
			_ = p.in.CloseWithError(err)
		}()
	})
	return p.PipeReader.Read(b)
}

// Close stops the writer and closes the result.
func (p *pipe) Close() error {
	err := p.PipeReader.Close()
	p.start.Do(func() { err = errors.Join(err, p.result.Close()) })
	return err
}

// Start queues a query and returns at once.
func (d Executor) Start(ctx context.Context, p *access.Person, request Request) (queryservice.Query, error) {
	return d.Submit(ctx, p, queryservice.Request{SQL: request.SQL, Dialect: request.Dialect, Whole: true})
}

// Await waits until a query has ended, and cancels it if ctx ends first. A query without a whole result is an error: a
// program would mistake the rows of a result that was cut at a limit for all of them.
func (d Executor) Await(ctx context.Context, p *access.Person, q queryservice.Query) (queryservice.Query, error) {
	q, err := d.ended(ctx, p, q)
	switch {
	case err != nil:
		return q, err
	case q.Error != nil:
		return q, q.Error
	case q.State != queryservice.Done:
		return q, &queryservice.Failure{Kind: "Cancelled", Message: "the query was cancelled"}
	case q.Cut != "":
		return q, &queryservice.Failure{Kind: "Limit", Message: fmt.Sprintf("the result has more %s than there may be", q.Cut),
			Hint: "add a LIMIT, or conditions"}
	}
	return q, nil
}

// Run runs a query and returns its result. It cancels the query if ctx ends first.
func (d Executor) Run(ctx context.Context, p *access.Person, request Request) (*Result, error) {
	q, err := d.Start(ctx, p, request)
	if err == nil {
		q, err = d.Await(ctx, p, q)
	}
	if err != nil {
		return nil, err
	}
	r, err := d.Result(ctx, p, q.ID)
	if err != nil {
		return nil, err
	}
	return newResult(q.ID, r), nil
}

// Readable returns queryservice.ErrNotFound if a person may not read the result of a query any more.
func (d Executor) Readable(ctx context.Context, p *access.Person, id string) error {
	_, err := d.Get(ctx, p, id)
	return err
}

// ended waits until a query has ended.
func (d Executor) ended(ctx context.Context, p *access.Person, q queryservice.Query) (_ queryservice.Query, err error) {
	id := q.ID                                                                                 // a copy that the goroutine may read
	defer context.AfterFunc(ctx, func() { _ = d.Cancel(context.WithoutCancel(ctx), p, id) })() // does nothing if the query has ended
	for !q.State.Ended() && err == nil {
		if err = ctx.Err(); err == nil {
			q, err = d.Wait(ctx, p, q.ID, time.Minute)
		}
	}
	if state := q.State; d.OnEnd != nil {
		if err != nil {
			state = queryservice.Cancelled
		}
		d.OnEnd(state)
	}
	return q, err
}

// Table is a table with the columns that a person may read.
type Table struct {
	*schema.Table
	Columns []query.Column // the columns that the person may read
}

// Granted returns the tables that a person may read. A grant of any column includes the partition keys.
func Granted(p *access.Person, tables []*schema.Table) (granted []Table) {
	for _, t := range p.Visible(tables) { // with the texts that they may see
		names, may := p.Reads(t)
		if !may {
			continue
		}
		columns := query.TableView(t, nil).Columns
		if names != nil {
			columns = slices.DeleteFunc(columns, func(c query.Column) bool {
				return !slices.Contains(names, c.Name) && !slices.Contains(t.PartitionKeys, c.Name)
			})
		}
		granted = append(granted, Table{t, columns})
		if names == nil { // views read all columns
			for _, v := range t.Views {
				granted = append(granted, Table{v, query.TableView(v, nil).Columns})
			}
		}
	}
	return granted
}
