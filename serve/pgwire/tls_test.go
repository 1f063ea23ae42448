package pgwire

import (
	"crypto/tls"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
)

// encrypting returns a server with a certificate.
func encrypting(t *testing.T) (port string, o *bitest.Office) {
	t.Helper()
	return served(t, func(c *Config) {
		c.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{bitest.Certificate(t)}, NextProtos: []string{"h2"}}
	})
}

// requested asks for TLS and awaits the server's consent.
func requested(t *testing.T, port string, behind ...byte) *front {
	t.Helper()
	f := dialed(t, port)
	_, err := f.conn.Write(append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, behind...))
	require.NoError(t, err)
	answer := make([]byte, 1)
	_, err = io.ReadFull(f.conn, answer)
	require.NoError(t, err)
	require.Equal(t, "S", string(answer))
	return f
}

// TestTLS: versions before 1.2 are refused, as is another protocol than PostgreSQL's, which new clients name.
func TestTLS(t *testing.T) {
	port, o := encrypting(t)
	for name, c := range map[string]struct {
		config *tls.Config
		ok     bool
	}{
		"1.3": {&tls.Config{MinVersion: tls.VersionTLS13}, true}, "1.2": {&tls.Config{MaxVersion: tls.VersionTLS12}, true},
		"1.1": {&tls.Config{MaxVersion: tls.VersionTLS11}, false}, "libpq 17": {&tls.Config{NextProtos: []string{"postgresql"}}, true},
		"http": {&tls.Config{NextProtos: []string{"h2"}}, false},
		"weak": {&tls.Config{MaxVersion: tls.VersionTLS12,
			CipherSuites: []uint16{tls.TLS_RSA_WITH_RC4_128_SHA, tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA}}, false},
	} {
		f := requested(t, port)
		c.config.InsecureSkipVerify = true
		err := f.encrypted(c.config)
		assert.Equal(t, c.ok, err == nil, "%s: %v", name, err)
		if err == nil {
			assert.Nil(t, f.begin(o.Tokens["common"]), name)
			assert.Equal(t, [][]string{{"1"}}, f.query("SELECT 1").rows, name)
		}
	}
}

// TestInjection: what somebody else puts between the request for TLS and its beginning is never taken for what the client says.
func TestInjection(t *testing.T) {
	port, o := encrypting(t)
	injected, err := (&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
		Parameters: map[string]string{"user": "x"}}).Encode(nil)
	require.NoError(t, err)
	injected, err = (&pgproto3.PasswordMessage{Password: o.Tokens["all"]}).Encode(injected)
	require.NoError(t, err)
	f := requested(t, port, injected...)
	require.Error(t, f.encrypted(&tls.Config{InsecureSkipVerify: true}))

	f = requested(t, port)
	require.NoError(t, f.encrypted(&tls.Config{InsecureSkipVerify: true}))
	f.send(&pgproto3.SSLRequest{})
	assert.True(t, f.answer().closed, "TLS within TLS")
}

// TestTLSRefused: a client from elsewhere that declines TLS is not asked for its token.
func TestTLSRefused(t *testing.T) {
	client, conn := net.Pipe()
	go func() {
		s := New(Config{TLS: &tls.Config{Certificates: []tls.Certificate{bitest.Certificate(t)}}})
		_ = s.converse(t.Context(), elsewhere{conn}, func() {})
	}()
	f := &front{Frontend: pgproto3.NewFrontend(client, client), t: t, conn: client}
	f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "token"}})
	m, err := f.Receive()
	require.NoError(t, err)
	refusal, ok := m.(*pgproto3.ErrorResponse)
	require.True(t, ok, "%T", m)
	assert.Contains(t, refusal.Message, "use TLS")
}
