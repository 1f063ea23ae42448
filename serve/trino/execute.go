package trino

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// execute starts a statement and registers it. An error means that it was not taken; that a statement is wrong is its
// result.
func (s *Server) execute(st *statement, p *access.Person, text string) error {
	if most, ok := st.client.maxRunTime(); ok {
		var stop context.CancelFunc
		st.ctx, stop = context.WithTimeoutCause(st.ctx, most, errTime)
		context.AfterFunc(st.ctx, stop)
	}
	return s.run(st, p, &call{Server: s, st: st, person: p, text: text})
}

// call is the execution of a statement. Its text changes when it is an EXECUTE.
type call struct {
	*Server
	st       *statement
	person   *access.Person
	text     string
	replaced bool // text is not what the client sent
}

// run runs the text of a call.
func (s *Server) run(st *statement, p *access.Person, c *call) error {
	r, err := c.command()
	if r != nil || err != nil {
		if e := s.register(st, random()); e != nil {
			return e
		}
		st.end(r, c.placed(err))
		return nil
	}
	tree, err := syntax.Parse(c.text)
	if err == nil {
		qualify(tree, st.client.schema)
	}
	if err == nil && aboutCatalog(tree) {
		if err := s.register(st, random()); err != nil {
			return err
		}
		s.running.Go(func() {
			r, err := c.system(st.ctx, tree)
			st.end(r, c.placed(err))
		})
		return nil
	}
	q, err := s.Executor.Start(st.ctx, p, bi.Request{SQL: c.text}) // a text that cannot be parsed has its place in the history, too
	if err != nil {
		if e := s.register(st, random()); e != nil {
			return e
		}
		st.end(nil, c.placed(err))
		return nil
	}
	if err := s.register(st, q.ID); err != nil {
		_ = s.Executor.Cancel(context.WithoutCancel(st.ctx), p, q.ID) // it may have ended
		return err
	}
	s.running.Go(func() {
		q, err := s.Executor.Await(st.ctx, p, q)
		st.end(c.ofQuery(q), c.placed(err))
	})
	return nil
}

// ofQuery returns the result of a query that has ended.
func (c *call) ofQuery(q queryservice.Query) *result {
	r := &result{rows: stored{c.Executor, q.ID}, query: q}
	r.names, r.types = columnsOf(q.Columns)
	return r
}

// placed marks an error whose place is not in the text that the client sent.
func (c *call) placed(err error) error {
	if err != nil && c.replaced {
		return &unplaced{err}
	}
	return err
}

// maxRunTime returns the time that the session gives to a statement.
func (c *client) maxRunTime() (time.Duration, bool) {
	d, err := duration(c.properties[runTime])
	return d, err == nil
}
