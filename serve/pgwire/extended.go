package pgwire

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
)

// portal is a bound statement with the state of its execution.
type portal struct {
	*statement
	formats []int16
	cancel  context.CancelCauseFunc
	ctx     context.Context
	answer  *answer // nil: not executed yet
	given   int64
	ended   bool
	size    int64 // bytes reserved in the session
}

const maxPortals = 20

// extended answers a message of the extended protocol.
func (c *session) extended(ctx context.Context, m pgproto3.FrontendMessage) error {
	switch m := m.(type) {
	case *pgproto3.Parse:
		return c.parse(m)
	case *pgproto3.Bind:
		return c.bind(m)
	case *pgproto3.Describe:
		return c.describe(ctx, m)
	case *pgproto3.Execute:
		return c.execute(ctx, m)
	case *pgproto3.Close:
		if m.ObjectType == 'S' {
			c.closeStatement(m.Name)
		} else {
			c.closePortal(m.Name)
		}
		c.b.Send(&pgproto3.CloseComplete{})
		return nil
	}
	return unsupported("this message is not supported")
}

func (c *session) bind(m *pgproto3.Bind) error {
	s := c.statements[m.PreparedStatement]
	if s == nil {
		return &failure{code: "26000", message: fmt.Sprintf("prepared statement %.100q does not exist", m.PreparedStatement)}
	}
	if len(m.Parameters) > 0 {
		return &failure{code: "08P01", message: "the statement has no parameters"}
	}
	if c.closePortal(m.DestinationPortal); len(c.portals) >= maxPortals {
		return &failure{code: "54000", message: "too many portals: close some"}
	}
	p := &portal{statement: s, formats: m.ResultFormatCodes}
	size := s.size + int64(len(m.DestinationPortal)+2*len(p.formats)) // a portal keeps its statement, also after that is closed
	if err := c.auth.Hold(size); err != nil {
		return err
	}
	p.size = size
	c.portals[m.DestinationPortal] = p
	c.b.Send(&pgproto3.BindComplete{})
	return nil
}

// describe sends the columns of a statement or portal. For a catalog statement it runs the query and discards the
// result. For a portal it keeps the result for Execute.
func (c *session) describe(ctx context.Context, m *pgproto3.Describe) error {
	p := c.portals[m.Name]
	if m.ObjectType == 'S' {
		s := c.statements[m.Name]
		if s == nil {
			return &failure{code: "26000", message: fmt.Sprintf("prepared statement %.100q does not exist", m.Name)}
		}
		p = &portal{statement: s}
		defer p.close()
		c.b.Send(&pgproto3.ParameterDescription{})
	}
	if p == nil {
		return &failure{code: "34000", message: fmt.Sprintf("portal %.100q does not exist", m.Name)}
	}
	fields, err := c.fields(ctx, p, m.ObjectType == 'S')
	if err != nil {
		return err
	}
	if len(fields) == 0 {
		c.b.Send(&pgproto3.NoData{})
		return nil
	}
	return c.sendFields(p, fields)
}

// begin runs the command of a portal once. On a later call it only checks that the person may still read the result.
func (c *session) begin(ctx context.Context, p *portal) error {
	if p.empty {
		return nil
	}
	if p.answer != nil {
		if p.answer.readable == nil {
			return nil
		}
		return p.answer.readable(ctx, c.person)
	}
	p.ctx, p.cancel = context.WithCancelCause(c.ctx)
	defer p.cancelledWith(ctx)()
	var err error
	p.answer, err = c.run(p.ctx, p.command)
	return err
}

// cancelledWith cancels the portal's query if a cancel request ends ctx, the context of the current command.
func (p *portal) cancelledWith(ctx context.Context) (stop func() bool) {
	if p.cancel == nil {
		return func() bool { return false }
	}
	return context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), errCancelled) {
			p.cancel(errCancelled)
		}
	})
}

func (p *portal) close() {
	if p.answer != nil && p.answer.rows != nil {
		p.answer.rows.close()
	}
	if p.cancel != nil {
		p.cancel(nil)
	}
}

func (c *session) closePortal(name string) {
	if p := c.portals[name]; p != nil {
		p.close()
		_ = c.auth.Hold(-p.size) // releasing memory does not fail
		delete(c.portals, name)
	}
}

func (c *session) closePortals() {
	for name := range c.portals {
		c.closePortal(name)
	}
}

func (c *session) sendFields(p *portal, fields []field) error {
	d := &pgproto3.RowDescription{}
	for i, f := range fields {
		format, err := p.format(i, len(fields))
		if err != nil {
			return err
		}
		d.Fields = append(d.Fields, f.description(format))
	}
	c.b.Send(d)
	return nil
}

// format returns the format of a column. The client sends one format for all columns, one for each, or none for text.
func (p *portal) format(i, columns int) (int16, error) {
	switch len(p.formats) {
	case 0:
		return pgproto3.TextFormat, nil
	case 1:
		i = 0
	case columns:
	default:
		return 0, &failure{code: "08P01", message: "the formats are not as many as the columns"}
	}
	if f := p.formats[i]; f == pgproto3.TextFormat || f == pgproto3.BinaryFormat {
		return f, nil
	}
	return 0, &failure{code: "08P01", message: "a format that there is not"}
}

func (c *session) execute(ctx context.Context, m *pgproto3.Execute) error {
	p := c.portals[m.Portal]
	if p == nil {
		return &failure{code: "34000", message: fmt.Sprintf("portal %.100q does not exist", m.Portal)}
	}
	return c.sendRows(ctx, p, int64(m.MaxRows))
}

// maxUnsent is the number of bytes of rows after which they are flushed.
const maxUnsent = 64 << 10

// sendRows sends at most the given number of a portal's rows; 0 means all.
func (c *session) sendRows(ctx context.Context, p *portal, most int64) error {
	if p.empty {
		c.b.Send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	if err := c.begin(ctx, p); err != nil {
		return err
	}
	defer p.cancelledWith(ctx)()
	m, unsent := pgtype.NewMap(), 0
	for n := int64(0); p.answer.rows != nil && !p.ended; n++ {
		if most > 0 && n == most {
			c.b.Send(&pgproto3.PortalSuspended{})
			return nil
		}
		row, err := p.answer.rows.next()
		if errors.Is(err, io.EOF) {
			p.ended = true
			p.answer.rows.close()
			break
		}
		if err != nil {
			return err
		}
		size, err := c.sendRow(m, p, row)
		if err != nil {
			return err
		}
		p.given++
		if unsent += size; unsent > maxUnsent {
			unsent, c.unsent = 0, 0
			if c.b.Flush() != nil {
				return context.Canceled // the client has disconnected
			}
		}
	}
	tag := p.answer.tag
	if tag == "SELECT" {
		tag += fmt.Sprint(" ", p.given)
	}
	c.b.Send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
	return nil
}

// sendRow sends a row and returns its size in bytes.
func (c *session) sendRow(m *pgtype.Map, p *portal, row []any) (size int, err error) {
	values := make([][]byte, len(row))
	for i, v := range row {
		if v == nil {
			continue
		}
		format, err := p.format(i, len(row))
		if err != nil {
			return 0, err
		}
		if values[i], err = m.Encode(p.answer.fields[i].oid, format, v, []byte{}); err != nil {
			return 0, fmt.Errorf("column %s: %w", p.answer.fields[i].name, err)
		}
		size += len(values[i])
	}
	c.b.Send(&pgproto3.DataRow{Values: values})
	return size, nil
}
