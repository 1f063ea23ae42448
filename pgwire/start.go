package pgwire

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
)

// start takes a connection to where queries may come. It gives nil where the connection was for something else, or is refused.
func (s *Server) start(ctx context.Context, conn net.Conn) (*session, error) {
	b := pgproto3.NewBackend(conn, conn)
	for {
		m, err := b.ReceiveStartupMessage()
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *pgproto3.GSSEncRequest:
			if _, err := conn.Write([]byte{'N'}); err != nil {
				return nil, err
			}
		case *pgproto3.SSLRequest:
			if s.TLS == nil {
				if _, err := conn.Write([]byte{'N'}); err != nil {
					return nil, err
				}
				continue
			}
			if _, err := conn.Write([]byte{'S'}); err != nil {
				return nil, err
			}
			conn = tls.Server(conn, s.TLS)
			b = pgproto3.NewBackend(conn, conn) // what came before the handshake is not of the client that we shall know
		case *pgproto3.CancelRequest:
			s.cancel(m)
			return nil, nil
		case *pgproto3.StartupMessage:
			return s.signIn(ctx, conn, b, m)
		}
	}
}

// signIn asks for the token.
func (s *Server) signIn(ctx context.Context, conn net.Conn, b *pgproto3.Backend, m *pgproto3.StartupMessage) (*session, error) {
	b.SetMaxBodyLen(mostMessage)
	c := &session{server: s, conn: conn, b: b, status: 'I', settings: defaults(), statements: map[string]*statement{}, portals: map[string]*portal{}}
	if !private(conn) {
		return nil, c.refuse("28000", "the password would go over the network in clear text: use TLS (sslmode=require)")
	}
	b.Send(&pgproto3.AuthenticationCleartextPassword{})
	if err := errors.Join(b.SetAuthType(pgproto3.AuthTypeCleartextPassword), b.Flush()); err != nil {
		return nil, err
	}
	answer, err := b.Receive()
	if err != nil {
		return nil, err
	}
	password, ok := answer.(*pgproto3.PasswordMessage)
	if !ok {
		return nil, c.refuse("08P01", "a password is wanted")
	}
	c.person, err = s.Access.Authenticate(ctx, password.Password)
	if errors.Is(err, access.ErrUnknown) {
		return nil, c.refuse("28P01", "the password is no valid API token")
	}
	if err != nil {
		s.Log.Error("nobody can be let in over PostgreSQL's protocol", "error", err)
		return nil, c.refuse("XX000", "the token could not be looked up")
	}
	if !c.person.Allows(access.QueryScope) {
		return nil, c.refuse("28000", "the token is not one to ask with: it lacks the scope "+string(access.QueryScope))
	}
	if err := c.choose(m.Parameters); err != nil {
		return nil, c.refuse("22023", err.Error())
	}
	return c, nil
}

// private says whether nobody else reads what goes over a connection.
func private(conn net.Conn) bool {
	if _, ok := conn.(*tls.Conn); ok {
		return true
	}
	from, ok := conn.RemoteAddr().(*net.TCPAddr)
	return ok && from.IP.IsLoopback()
}

// refuse ends a session before it began.
func (c *session) refuse(code, message string) error {
	c.b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: message})
	return errors.Join(errors.New(message), c.b.Flush())
}

// greet says that queries may come.
func (c *session) greet() error {
	c.b.Send(&pgproto3.AuthenticationOk{})
	names := []string{}
	for name, s := range c.settings {
		if s.told {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.b.Send(&pgproto3.ParameterStatus{Name: name, Value: c.settings[name].value})
	}
	c.b.Send(&pgproto3.BackendKeyData{ProcessID: c.id, SecretKey: binary.BigEndian.AppendUint32(nil, c.key)})
	return c.ready()
}

// ready says that the next command may come.
func (c *session) ready() error {
	c.b.Send(&pgproto3.ReadyForQuery{TxStatus: c.status})
	return c.b.Flush()
}
