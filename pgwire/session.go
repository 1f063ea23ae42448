package pgwire

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
)

// session is a connection whose person is known.
type session struct {
	server *Server
	conn   net.Conn
	b      *pgproto3.Backend
	person *access.Person

	ctx        context.Context // of the connection
	id, key    uint32
	status     byte // of the transaction: I for none, T, and E if it failed
	settings   map[string]setting
	statements map[string]*statement
	portals    map[string]*portal
	skip       bool // to the next Sync, after an error

	mu      sync.Mutex
	running context.CancelCauseFunc // of the command that runs
}

// errCancelled is why a query ended that its client cancelled.
var errCancelled = errors.New("cancelled")

// mostAhead is how many messages are read before their turn comes: as many as a client sends behind a query, so that its end is
// noticed while the query runs.
const mostAhead = 64

// loop answers messages until the client goes.
func (c *session) loop(ctx context.Context) error {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	c.ctx = ctx
	defer c.closePortals()
	if err := c.greet(); err != nil {
		return err
	}
	messages := make(chan pgproto3.FrontendMessage, mostAhead)
	go func() {
		defer gone()
		defer close(messages)
		for {
			m, err := c.b.Receive()
			if err != nil {
				return
			}
			select {
			case messages <- copied(m):
			case <-ctx.Done():
				return
			}
		}
	}()
	defer c.conn.Close() // which ends the reading
	for m := range messages {
		if _, ok := m.(*pgproto3.Terminate); ok {
			return nil
		}
		if err := c.answer(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// copied is a message that is good when the next one has come.
func copied(m pgproto3.FrontendMessage) pgproto3.FrontendMessage {
	switch m := m.(type) {
	case *pgproto3.Query:
		c := *m
		return &c
	case *pgproto3.Parse:
		c := *m
		return &c
	case *pgproto3.Bind:
		c := *m
		c.Parameters = slices.Clone(m.Parameters)
		for i, p := range c.Parameters {
			c.Parameters[i] = slices.Clone(p)
		}
		return &c
	case *pgproto3.Describe:
		c := *m
		return &c
	case *pgproto3.Execute:
		c := *m
		return &c
	case *pgproto3.Close:
		c := *m
		return &c
	}
	return m // of a kind that has nothing but its kind, as far as it is looked at
}

// answer answers one message. Its error ends the connection.
func (c *session) answer(ctx context.Context, m pgproto3.FrontendMessage) error {
	switch m := m.(type) {
	case *pgproto3.Query:
		c.skip = false
		if err := c.do(ctx, func(ctx context.Context) error { return c.simple(ctx, m.String) }); err != nil {
			c.fail(err)
		}
		c.closePortals()
		return c.ready()
	case *pgproto3.Sync:
		c.skip = false
		if c.status == 'I' {
			c.closePortals()
		}
		return c.ready()
	case *pgproto3.Flush:
		return c.b.Flush()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // of a COPY that was refused
	}
	if c.skip {
		return nil
	}
	if err := c.do(ctx, func(ctx context.Context) error { return c.extended(ctx, m) }); err != nil {
		c.skip = true
		c.fail(err)
		return c.b.Flush()
	}
	return nil
}

// do does a command, which a cancel request ends.
func (c *session) do(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	c.running = cancel
	c.mu.Unlock()
	err := f(ctx)
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	if err != nil && errors.Is(context.Cause(ctx), errCancelled) {
		return &failure{code: "57014", message: "canceling statement due to user request"}
	}
	return err
}

// cancel cancels the command that runs, if there is one.
func (c *session) cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		c.running(errCancelled)
	}
}

// fail tells the client an error.
func (c *session) fail(err error) {
	if c.status == 'T' {
		c.status = 'E'
	}
	c.b.Send(c.server.response(err))
}
