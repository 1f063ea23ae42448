package pgwire

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// heap returns the bytes of memory in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestCatalogMemory: answers about the catalog that are too large are errors, and what open portals hold is little.
func TestCatalogMemory(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Hire(t, "nobody"))
	for _, sql := range []string{
		"SELECT repeat('x', 1000) FROM pg_type a, pg_type b, pg_type c",
		"SELECT repeat('x', 100000000) FROM pg_am",
		"SELECT 1 FROM pg_type a, pg_type b, pg_type c, pg_type d",
	} {
		a := f.query(sql)
		assert.Equal(t, "54000", a.code(), "%s: %+v", sql, a.err)
	}
	require.Empty(t, f.query("BEGIN").code())
	before := heap()
	for n := range maxPortals + 1 {
		name := fmt.Sprint("p", n)
		f.send(&pgproto3.Parse{Query: "SELECT repeat('x', 1000) FROM pg_type a, pg_type b LIMIT 1000"}, &pgproto3.Bind{DestinationPortal: name},
			&pgproto3.Execute{Portal: name, MaxRows: 1}, &pgproto3.Sync{})
		assert.Equal(t, n < maxPortals, f.answer().suspended)
	}
	assert.Less(t, heap()-before, int64(64<<20))
	f.query("ROLLBACK")
}

// TestHeld: what the prepared statements of a person hold has a limit, and closing gives it back.
func TestHeld(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Hire(t, "nobody"))
	long := "SELECT '" + strings.Repeat("x", maxMessage-100) + "'"
	for n := range 254 {
		f.send(&pgproto3.Parse{Name: fmt.Sprint(n), Query: long}, &pgproto3.Flush{})
		m, err := f.Receive()
		require.NoError(t, err)
		require.IsType(t, &pgproto3.ParseComplete{}, m, n)
	}
	other := signedIn(t, port, o.Tokens["nobody"])
	for _, want := range []string{"", "53200"} {
		other.send(&pgproto3.Parse{Name: want, Query: long}, &pgproto3.Sync{})
		assert.Equal(t, want, other.answer().code())
	}
	assert.Empty(t, f.query("DISCARD ALL").code())
	other.send(&pgproto3.Parse{Name: "x", Query: long}, &pgproto3.Sync{})
	assert.Empty(t, other.answer().code())
}

// TestLongTexts: messages, values of settings and numbers of statements have limits, and the answers say so.
func TestLongTexts(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Tokens["common"])
	assert.Equal(t, "22023", f.query("SET application_name = '"+strings.Repeat("x", 2000)+"'").code())
	assert.Equal(t, "54000", f.query(strings.Repeat("SHOW dialect;", maxCommands+1)).code())
	assert.Len(t, f.query(strings.Repeat("SHOW dialect;", maxCommands)).rows, maxCommands)
	assert.Equal(t, "54000", f.query("SELECT '"+strings.Repeat("x", systemText)+"' FROM pg_am").code())
	assert.Equal(t, "22021", f.query("SELECT '\xff'").code())
	f.Send(&pgproto3.Query{String: strings.Repeat("x", maxMessage)})
	_ = f.Flush() // the server may end it before
	a := f.answer()
	assert.True(t, a.closed)
	f = signedIn(t, port, o.Tokens["common"]) // answers do not wait for Sync without limit
	var all []pgproto3.FrontendMessage
	for range maxUnanswered {
		all = append(all, &pgproto3.Parse{Query: "SHOW dialect"})
	}
	f.send(all...)
	m, err := f.Receive()
	require.NoError(t, err)
	assert.IsType(t, &pgproto3.ParseComplete{}, m)
}

// TestSessionsOfPerson: one person has the maximum of sessions, and another one can still connect.
func TestSessionsOfPerson(t *testing.T) {
	port, o := served(t, nil)
	token := o.Hire(t, "many", access.Grant{Table: access.AllTables})
	for range maxOfPerson {
		signedIn(t, port, token)
	}
	assert.Equal(t, "53300", dialed(t, port).begin(token).Code)
	signedIn(t, port, o.Tokens["common"])
}

// TestSilentClients: connections that say nothing, or half of something, keep nobody out.
func TestSilentClients(t *testing.T) {
	port, o := served(t, nil)
	for n := range 600 {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = conn.Write(make([]byte, n%5))
	}
	began := time.Now()
	f := signedIn(t, port, o.Tokens["common"])
	require.Empty(t, f.query("SELECT 1").code())
	assert.Less(t, time.Since(began), startTime, "it waited until the others were given up")
}

// lacking is a listener that lacks descriptors at first.
type lacking struct {
	net.Listener
	times atomic.Int32
}

func (l *lacking) Accept() (net.Conn, error) {
	if l.times.Add(1) == 1 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

// TestAccept: a server without free descriptors goes on when there are some again.
func TestAccept(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- New(Config{Log: slog.New(slog.DiscardHandler)}).Serve(ctx, &lacking{Listener: l}) }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	f := dialed(t, port)
	f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "x"}})
	m, err := f.Receive()
	require.NoError(t, err)
	assert.IsType(t, &pgproto3.AuthenticationCleartextPassword{}, m)
	stop()
	assert.NoError(t, <-ended)
}

// TestStartup: packets that make no sense end the connection, without an answer that costs anything.
func TestStartup(t *testing.T) {
	port, o := served(t, nil)
	for name, packet := range map[string][]byte{
		"huge":    {0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0},
		"minus":   {0xff, 0xff, 0xff, 0xff, 0, 3, 0, 0},
		"short":   {0, 0, 0, 4},
		"HTTP":    []byte("GET / HTTP/1.1\r\n\r\n"),
		"unknown": {0, 0, 0, 8, 0, 9, 0, 0},
		"twice":   append([]byte{0, 0, 0, 8, 4, 210, 22, 47}, 0, 0, 0, 8, 4, 210, 22, 47),
		"GSS":     append([]byte{0, 0, 0, 8, 4, 210, 22, 48}, 0, 0, 0, 8, 4, 210, 22, 48),
	} {
		f := dialed(t, port)
		_, err := f.conn.Write(packet)
		require.NoError(t, err)
		answer := make([]byte, 10)
		n, _ := f.conn.Read(answer)
		if n > 0 {
			assert.Equal(t, "N", string(answer[:n]), name)
			n, _ = f.conn.Read(answer)
		}
		assert.Zero(t, n, name)
	}
	f := dialed(t, port) // a password that is too long
	f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "x"}},
		&pgproto3.PasswordMessage{Password: strings.Repeat("x", maxPassword)})
	assert.True(t, f.answer().closed)
	f = dialed(t, port)
	f.send(&pgproto3.GSSEncRequest{})
	answer := make([]byte, 1)
	_, err := f.conn.Read(answer)
	require.NoError(t, err)
	assert.Equal(t, "N", string(answer))
	assert.Nil(t, f.begin(o.Tokens["common"]), "GSS was declined, and the session begins")
}

// TestForeignCancel: a cancel request with other numbers than those of the session does nothing.
func TestForeignCancel(t *testing.T) {
	port, o := served(t, nil)
	f, other := signedIn(t, port, o.Tokens["common"]), signedIn(t, port, o.Tokens["narrow"])
	f.send(&pgproto3.Query{String: endless})
	o.Until(t, "common", "running", 1)
	for _, r := range []pgproto3.CancelRequest{
		{ProcessID: f.data.ProcessID, SecretKey: other.data.SecretKey}, {ProcessID: other.data.ProcessID, SecretKey: f.data.SecretKey},
		{ProcessID: f.data.ProcessID, SecretKey: []byte{0, 0, 0, 0}}, {ProcessID: f.data.ProcessID, SecretKey: append(f.data.SecretKey, 0)},
	} {
		c := dialed(t, port)
		c.send(&r)
		assert.True(t, c.answer().closed)
	}
	o.Until(t, "common", "running", 1)
	c := dialed(t, port)
	c.send(&pgproto3.CancelRequest{ProcessID: f.data.ProcessID, SecretKey: f.data.SecretKey})
	assert.Equal(t, "57014", f.answer().code())
}

// TestCutRewrites: a question about the catalog that ends anywhere is translated, and the session goes on.
func TestCutRewrites(t *testing.T) {
	text := "SELECT a::pg_catalog.name, b OPERATOR(pg_catalog.~) '^c$' COLLATE pg_catalog.default, 'd'::pg_catalog.regclass, " +
		"'e'::regclass, current_schema" +
		" FROM pg_catalog.pg_class, information_schema.tables WHERE f !~* 'g' AND pg_catalog.format_type(h, NULL)::information_schema.x"
	for n := range text {
		require.NotEmpty(t, toDuckDB(text[:n+1]), text[:n+1])
	}
	port, o := served(t, nil)
	f := signedIn(t, port, o.Tokens["common"])
	for _, sql := range []string{"SELECT oid::pg_catalog. FROM pg_class WHERE oid::pg_catalog.",
		"SELECT 1 FROM pg_class WHERE relname OPERATOR(", "SELECT 1 FROM pg_class WHERE relname COLLATE"} {
		require.NotEmpty(t, f.query(sql).code(), sql)
	}
	require.Equal(t, [][]string{{"1"}}, f.query("SELECT 1").rows)
}
