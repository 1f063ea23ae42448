package pgwire

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
)

// maxStartup is the maximum size of a packet before a session, in bytes. It is PostgreSQL's limit.
const maxStartup = 10_000

// startup reads exactly one packet before a session. Bytes that a client sends before the TLS handshake must not count
// as sent over TLS.
func startup(conn net.Conn) (pgproto3.FrontendMessage, error) {
	packet := make([]byte, 4)
	if _, err := io.ReadFull(conn, packet); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(packet)
	if n < 8 || n > maxStartup {
		return nil, errors.New("a packet of another protocol")
	}
	packet = append(packet, make([]byte, n-4)...)
	if _, err := io.ReadFull(conn, packet[4:]); err != nil {
		return nil, err
	}
	return pgproto3.NewBackend(bytes.NewReader(packet), io.Discard).ReceiveStartupMessage()
}

// start negotiates encryption and signs the client in. It returns nil if the connection was for something else or was
// refused. A client may request each kind of encryption at most once.
func (s *Server) start(ctx context.Context, conn net.Conn) (*session, error) {
	var requested struct{ gss, tls bool }
	for {
		m, err := startup(conn)
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *pgproto3.GSSEncRequest:
			if requested.gss || requested.tls {
				return nil, errors.New("encryption was asked for before")
			}
			requested.gss = true
			if _, err := conn.Write([]byte{'N'}); err != nil {
				return nil, err
			}
		case *pgproto3.SSLRequest:
			if requested.tls {
				return nil, errors.New("encryption was asked for before")
			}
			requested.tls = true
			if conn, err = s.encrypt(conn); err != nil {
				return nil, err
			}
		case *pgproto3.CancelRequest:
			s.cancel(m)
			return nil, nil
		case *pgproto3.StartupMessage:
			return s.signIn(ctx, conn, m)
		}
	}
}

// encrypt starts TLS if the server has a certificate. The first read performs the handshake.
func (s *Server) encrypt(conn net.Conn) (net.Conn, error) {
	if s.TLS == nil {
		_, err := conn.Write([]byte{'N'})
		return conn, err
	}
	_, err := conn.Write([]byte{'S'})
	return tls.Server(conn, s.TLS), err
}

// signIn requests the token and opens a session.
func (s *Server) signIn(ctx context.Context, conn net.Conn, m *pgproto3.StartupMessage) (_ *session, err error) {
	b := pgproto3.NewBackend(conn, conn)
	b.SetMaxBodyLen(maxPassword)
	c := &session{server: s, conn: conn, b: b, status: 'I', statements: map[string]*statement{}, portals: map[string]*portal{}}
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
	c.ctx, c.auth, c.person, err = s.auth.Open(ctx, password.Password)
	switch {
	case errors.Is(err, access.ErrUnknown):
		return nil, c.refuse("28P01", "the password is no valid API token")
	case errors.Is(err, bi.ErrScope):
		return nil, c.refuse("28000", err.Error())
	case errors.Is(err, bi.ErrSessions):
		return nil, c.refuse("53300", err.Error())
	case err != nil:
		s.Log.Error("nobody can be let in over PostgreSQL's protocol", "error", err)
		return nil, c.refuse("XX000", "the token could not be looked up")
	}
	if err := c.choose(m.Parameters); err != nil {
		c.auth.Close()
		return nil, c.refuse("22023", err.Error())
	}
	b.SetMaxBodyLen(maxMessage)
	return c, nil
}

// private reports whether a connection is encrypted or local.
func private(conn net.Conn) bool {
	if _, ok := conn.(*tls.Conn); ok {
		return true
	}
	from, ok := conn.RemoteAddr().(*net.TCPAddr)
	return ok && from.IP.IsLoopback()
}

// refuse ends a session and sends the reason.
func (c *session) refuse(code, message string) error {
	c.b.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code, Message: message})
	return errors.Join(errors.New(message), c.b.Flush())
}

// greet sends the settings and reports that the session is ready.
func (c *session) greet() error {
	c.b.Send(&pgproto3.AuthenticationOk{})
	names := []string{}
	for name, s := range c.settings {
		if s.announced {
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

// ready reports that the server is ready for the next command.
func (c *session) ready() error {
	c.unsent = 0
	c.b.Send(&pgproto3.ReadyForQuery{TxStatus: c.status})
	return c.b.Flush()
}
