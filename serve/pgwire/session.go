package pgwire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/semaphore"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
)

// session is an authenticated connection.
type session struct {
	server *Server
	conn   net.Conn
	b      *pgproto3.Backend
	auth   *bi.Session
	person *access.Person // updated at each statement

	ctx        context.Context // of the session
	id, key    uint32
	status     byte // of the transaction: I (none), T (open), E (failed)
	settings   map[string]setting
	begun      map[string]setting // the settings at the start of the session
	statements map[string]*statement
	portals    map[string]*portal
	skip       bool // skip to the next Sync, after an error
	unsent     int  // messages answered since the last flush

	mu      sync.Mutex
	running context.CancelCauseFunc // cancels the running command
}

// errCancelled is the cause in the context of a command that the client cancelled.
var errCancelled = errors.New("cancelled")

// Messages are read ahead, up to these limits, so that the server notices a disconnect while a query runs.
const (
	maxAhead      = 64
	maxAheadBytes = maxMessage
	maxUnanswered = 16 // messages that are answered before a flush
)

// ahead queues messages that were read ahead.
type ahead struct {
	messages chan pgproto3.FrontendMessage
	bytes    *semaphore.Weighted
}

// tooLong replaces a message above the size limit.
type tooLong struct{ pgproto3.Terminate }

// read reads messages until the client disconnects.
func (c *session) read(a *ahead, cancel func()) {
	defer cancel()
	defer close(a.messages)
	for {
		m, err := c.b.Receive()
		if long := (*pgproto3.ExceededMaxBodyLenErr)(nil); errors.As(err, &long) {
			m, err = &tooLong{}, nil
		}
		if err != nil {
			return
		}
		m = copied(m)
		if a.bytes.Acquire(c.ctx, weight(m)) != nil {
			return
		}
		select {
		case a.messages <- m:
		case <-c.ctx.Done():
			return
		}
		if _, ok := m.(*tooLong); ok {
			<-c.ctx.Done()
			return
		}
	}
}

// weight returns the bytes that a message counts in the queue.
func weight(m pgproto3.FrontendMessage) int64 {
	n := 0
	switch m := m.(type) {
	case *pgproto3.Query:
		n = len(m.String)
	case *pgproto3.Parse:
		n = len(m.Query) + len(m.Name) + 4*len(m.ParameterOIDs)
	case *pgproto3.Bind:
		n = len(m.PreparedStatement) + len(m.DestinationPortal) + 2*len(m.ResultFormatCodes)
	case *pgproto3.Describe:
		n = len(m.Name)
	case *pgproto3.Execute:
		n = len(m.Portal)
	case *pgproto3.Close:
		n = len(m.Name)
	}
	return int64(min(n, maxAheadBytes))
}

// loop answers messages until the client disconnects, the idle time is over, or the token is not valid any more.
func (c *session) loop() error {
	var cancel context.CancelFunc
	c.ctx, cancel = context.WithCancel(c.ctx)
	defer cancel()
	defer c.forget()
	if err := c.greet(); err != nil {
		return err
	}
	a := &ahead{messages: make(chan pgproto3.FrontendMessage, maxAhead), bytes: semaphore.NewWeighted(maxAheadBytes)}
	go c.read(a, cancel)
	defer c.conn.Close() // ends read
	for {
		m, err := c.next(a)
		if m == nil || err != nil {
			return err
		}
		switch m.(type) {
		case *pgproto3.Terminate:
			return nil
		case *tooLong:
			return c.refuse("54000", fmt.Sprintf("a message has more than %d bytes", maxMessage))
		}
		err = c.answer(c.ctx, m)
		a.bytes.Release(weight(m))
		if err != nil {
			return err
		}
	}
}

// next waits for a message. It returns nil if there are no more.
func (c *session) next(a *ahead) (pgproto3.FrontendMessage, error) {
	var silent <-chan time.Time
	if c.server.Idle > 0 {
		timer := time.NewTimer(c.server.Idle)
		defer timer.Stop()
		silent = timer.C
	}
	select {
	case m := <-a.messages:
		return m, nil
	case <-silent:
		return nil, c.refuse("57P05", "terminating connection due to idle-session timeout")
	case <-c.ctx.Done():
		return nil, c.ended()
	}
}

// ended sends the reason of the session's end to the client.
func (c *session) ended() error {
	if !errors.Is(context.Cause(c.ctx), bi.ErrEnded) {
		return nil
	}
	return c.refuse("57P01", "terminating connection: "+bi.ErrEnded.Error())
}

// copied copies a message without what is not used, because Receive reuses its messages. What a copy holds besides a few
// bytes, weight counts: so parameters, which no statement has, are not kept.
func copied(m pgproto3.FrontendMessage) pgproto3.FrontendMessage {
	switch m := m.(type) {
	case *pgproto3.Query:
		c := *m
		return &c
	case *pgproto3.Parse:
		c := *m
		return &c
	case *pgproto3.Bind:
		return &pgproto3.Bind{
			DestinationPortal: m.DestinationPortal, PreparedStatement: m.PreparedStatement, ResultFormatCodes: m.ResultFormatCodes,
			Parameters: make([][]byte, min(len(m.Parameters), 1)),
		}
	case *pgproto3.Describe:
		c := *m
		return &c
	case *pgproto3.Execute:
		c := *m
		return &c
	case *pgproto3.Close:
		c := *m
		return &c
	case *pgproto3.FunctionCall:
		return &pgproto3.FunctionCall{}
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return &pgproto3.CopyDone{}
	case *pgproto3.Sync, *pgproto3.Flush, *pgproto3.Terminate, *tooLong:
		return m // a message without fields
	}
	return &unknown{}
}

// unknown replaces a message that a session does not support, such as a second password.
type unknown struct{ pgproto3.Terminate }

// answer answers one message. An error closes the connection.
func (c *session) answer(ctx context.Context, m pgproto3.FrontendMessage) error {
	switch m := m.(type) {
	case *pgproto3.Query:
		c.skip = false
		err := c.do(ctx, func(ctx context.Context) error { return c.simple(ctx, m.String) })
		c.closePortals()
		if c.ctx.Err() != nil {
			return c.ended()
		}
		if err != nil {
			c.fail(err)
		}
		return c.ready()
	case *pgproto3.Sync:
		c.skip = false
		if c.status == 'I' {
			c.closePortals()
		}
		return c.ready()
	case *pgproto3.Flush:
		return c.b.Flush()
	case *pgproto3.FunctionCall:
		c.fail(unsupported("function calls are not supported"))
		return c.ready()
	case *pgproto3.CopyDone:
		return nil // from a COPY that was refused
	}
	if c.skip {
		return nil
	}
	err := c.do(ctx, func(ctx context.Context) error { return c.extended(ctx, m) })
	if c.ctx.Err() != nil {
		return c.ended()
	}
	if err != nil {
		c.skip = true
		c.fail(err)
	}
	if c.unsent++; err != nil || c.unsent >= maxUnanswered {
		c.unsent = 0
		return c.b.Flush()
	}
	return nil
}

// authenticate loads the current rights of the session's person.
func (c *session) authenticate(ctx context.Context) (err error) {
	c.person, err = c.auth.Person(ctx)
	return err
}

// do runs a command that a cancel request can end.
func (c *session) do(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	c.running = cancel
	c.mu.Unlock()
	err := c.authenticate(ctx)
	if err == nil {
		err = f(ctx)
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	if err != nil && errors.Is(context.Cause(ctx), errCancelled) {
		return &failure{code: "57014", message: "canceling statement due to user request"}
	}
	return err
}

// cancel cancels the running command, if any.
func (c *session) cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		c.running(errCancelled)
	}
}

// fail sends an error to the client.
func (c *session) fail(err error) {
	if c.status == 'T' {
		c.status = 'E'
	}
	c.b.Send(c.server.response(err))
}
