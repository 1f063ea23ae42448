package pgwire

import (
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// statement is a prepared statement.
type statement struct {
	command
	empty bool
	size  int64 // bytes reserved in the session
}

const maxStatements = 1000

// statementBytes is the size of a statement without its name and text, mostly its first tokens.
const statementBytes = 4 << 10

func (c *session) parse(m *pgproto3.Parse) error {
	s := &statement{size: statementBytes + int64(len(m.Name)+len(m.Query))}
	all, err := split(m.Query)
	switch {
	case err != nil:
		return err
	case len(all) == 0:
		s.empty = true
	case len(all) > 1:
		return &failure{code: "42601", message: "cannot insert multiple commands into a prepared statement"}
	default:
		s.command = all[0]
	}
	if !s.empty && s.parameter >= 0 {
		f := &failure{code: "0A000", message: "queries have no parameters here: have the client write the values into the text"}
		f.position = int32(s.from + utf8.RuneCountInString(s.text[:s.parameter]) + 1)
		return f
	}
	if m.Name != "" && c.statements[m.Name] != nil {
		return &failure{code: "42P05", message: fmt.Sprintf("prepared statement %.100q already exists", m.Name)}
	}
	if c.closeStatement(m.Name); len(c.statements) >= maxStatements {
		return &failure{code: "54000", message: "too many prepared statements: close some"}
	}
	if err := c.auth.Hold(s.size); err != nil {
		return err
	}
	c.statements[m.Name] = s
	c.b.Send(&pgproto3.ParseComplete{})
	return nil
}

func (c *session) closeStatement(name string) {
	if s := c.statements[name]; s != nil {
		_ = c.auth.Hold(-s.size) // releasing memory does not fail
		delete(c.statements, name)
	}
}
