package flight

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/pingmill/pingmill/access"
)

// runningKey identifies a running query.
type runningKey struct{ person, id string }

// fetch is a query whose result is being fetched.
type fetch struct {
	ctx    context.Context // ends when the query is cancelled or the call ends
	result io.Closer
	reader *ipc.Reader
	done   func()
}

// run runs the query of a handle and streams its result. The end of the call or a CancelFlightInfo call cancels it.
func (s *service) run(ctx context.Context, text []byte) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	h, err := readHandle(text)
	if err != nil {
		return nil, nil, err
	}
	p := access.From(ctx)
	f := &fetch{}
	f.ctx, f.done = s.begin(ctx, runningKey{p.ID, h.ID})
	result, err := s.Executor.Run(f.ctx, p, h.Request)
	if err == nil {
		f.result = result
		err = session(ctx).Hold(result.Memory) // until the call ends
	}
	if err == nil {
		f.reader, err = ipc.NewReader(result)
	}
	if err != nil {
		err = s.problem(f.ctx, err)
		f.end()
		return nil, nil, err
	}
	chunks := make(chan flight.StreamChunk)
	go s.send(f, chunks)
	return f.reader.Schema(), chunks, nil
}

// begin registers a query so that it can be cancelled.
func (s *service) begin(ctx context.Context, key runningKey) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[key] = cancel
	s.mu.Unlock()
	return ctx, func() {
		cancel()
		s.mu.Lock()
		delete(s.running, key)
		s.mu.Unlock()
	}
}

func (f *fetch) end() {
	f.done()
	if f.reader != nil {
		f.reader.Release()
	}
	if f.result != nil {
		_ = f.result.Close() // everything was read
	}
}

// send sends the batches of a result at the client's speed. The receiver drains the channel even if the client
// disconnects.
func (s *service) send(f *fetch, chunks chan<- flight.StreamChunk) {
	defer close(chunks)
	defer f.end()
	for {
		batch, err := f.reader.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = f.ctx.Err() // the result of a cancelled query must not look complete
		}
		if err != nil {
			chunks <- flight.StreamChunk{Err: s.problem(f.ctx, err)}
			return
		}
		batch.Retain() // until it is sent
		chunks <- flight.StreamChunk{Data: batch}
	}
}

// CancelFlightInfo cancels the running queries of tickets.
func (s *service) CancelFlightInfo(ctx context.Context, r *flight.CancelFlightInfoRequest) (flight.CancelFlightInfoResult, error) {
	done := flight.CancelStatusNotCancellable
	for _, e := range r.GetInfo().GetEndpoint() {
		ticket, err := flightsql.GetStatementQueryTicket(e.GetTicket())
		if err != nil {
			continue
		}
		h, err := readHandle(ticket.GetStatementHandle())
		if err != nil {
			continue
		}
		s.mu.Lock()
		cancel := s.running[runningKey{access.From(ctx).ID, h.ID}]
		s.mu.Unlock()
		if cancel != nil {
			cancel()
			done = flight.CancelStatusCancelled
		}
	}
	return flight.CancelFlightInfoResult{Status: done}, nil
}
