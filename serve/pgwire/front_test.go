package pgwire

import (
	"crypto/tls"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// front is a client that sends the messages of a test.
type front struct {
	*pgproto3.Frontend
	t    *testing.T
	conn net.Conn
	data *pgproto3.BackendKeyData
}

// dialed returns a client that has said nothing yet.
func dialed(t *testing.T, port string) *front {
	t.Helper()
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &front{Frontend: pgproto3.NewFrontend(conn, conn), t: t, conn: conn}
}

// encrypted goes on over TLS.
func (f *front) encrypted(c *tls.Config) error {
	conn := tls.Client(f.conn, c)
	f.conn, f.Frontend = conn, pgproto3.NewFrontend(conn, conn)
	return conn.Handshake()
}

// send sends messages.
func (f *front) send(all ...pgproto3.FrontendMessage) {
	f.t.Helper()
	for _, m := range all {
		f.Send(m)
	}
	require.NoError(f.t, f.Flush())
}

// begin signs in, and returns the error.
func (f *front) begin(token string) *pgproto3.ErrorResponse {
	f.t.Helper()
	f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "token"}},
		&pgproto3.PasswordMessage{Password: token})
	return f.answer().err
}

// answers holds the messages up to the next ReadyForQuery or the end of the session.
type answers struct {
	rows      [][]string
	suspended bool
	err       *pgproto3.ErrorResponse
	closed    bool
}

// answer reads answers.
func (f *front) answer() (a answers) {
	f.t.Helper()
	_ = f.conn.SetDeadline(time.Now().Add(time.Minute))
	for {
		m, err := f.Receive()
		if err != nil {
			var late net.Error
			require.False(f.t, errors.As(err, &late) && late.Timeout(), "no answer")
			a.closed = true
			return a
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			e := *m
			a.err = &e
		case *pgproto3.DataRow:
			row := make([]string, len(m.Values))
			for i, v := range m.Values {
				row[i] = string(v)
			}
			a.rows = append(a.rows, row)
		case *pgproto3.PortalSuspended:
			a.suspended = true
		case *pgproto3.BackendKeyData:
			d := *m
			d.SecretKey = append([]byte(nil), m.SecretKey...)
			f.data = &d
		case *pgproto3.ReadyForQuery:
			return a
		}
	}
}

// query runs a query over the simple protocol.
func (f *front) query(sql string) answers {
	f.t.Helper()
	f.send(&pgproto3.Query{String: sql})
	return f.answer()
}

// code returns the SQLSTATE of an error, "" if there is none.
func (a answers) code() string {
	if a.err == nil {
		return ""
	}
	return a.err.Code
}

// signedIn returns a client of somebody.
func signedIn(t *testing.T, port, token string) *front {
	t.Helper()
	f := dialed(t, port)
	require.Nil(t, f.begin(token))
	require.NotNil(t, f.data, "the session did not begin")
	return f
}
