package pgwire

import (
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/store/database"
)

// FuzzSplit: statements of any text are parts of it, in order, and their translation for the catalog keeps what it does not know.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"SELECT 1; SELECT ';'", "SELECT c.relname OPERATOR(pg_catalog.~) '^(x)$' COLLATE pg_catalog.default",
		"'a'::pg_catalog.regclass, x::\"char\"",
		"/* a /* b */ c */ SELECT E'\\'' -- x\n, \"a\"\"b\"", "SELECT pg_catalog.format_type(a, b), current_schema, version()", "'", "\"",
		"operator(", "collate", "::", "~ '",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rest := s
		all, err := split(s)
		if err != nil {
			return
		}
		for _, c := range all {
			_, after, ok := strings.Cut(rest, c.text)
			require.True(t, ok, c.text)
			rest = after
			if c.catalog {
				_ = toDuckDB(c.text)
			} else {
				require.NotContains(t, strings.ToLower(c.text), "information_schema.", "%q", c.text)
			}
		}
	})
}

// FuzzMessages sends bytes behind a client's sign-in: the server ends the connection, or answers.
func FuzzMessages(f *testing.F) {
	store, err := access.Open(f.Context(), database.In(f.TempDir()), time.Now)
	require.NoError(f, err)
	f.Cleanup(func() { _ = store.Close() })
	p, err := store.Add(f.Context(), access.Person{Name: "somebody", Kind: access.Service})
	require.NoError(f, err)
	_, token, err := store.NewToken(f.Context(), p.ID, access.Token{Name: "test", Scopes: []access.Scope{access.QueryScope}})
	require.NoError(f, err)
	d, err := queryservice.Open(f.Context(),
		queryservice.Config{Site: &site.Site{}, Place: database.In(f.TempDir()), Temp: f.TempDir(), Audit: store, Now: time.Now,
			Log: slog.New(slog.DiscardHandler)})
	require.NoError(f, err)
	require.NoError(f, d.Close()) // it takes no query
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(f, err)
	f.Cleanup(func() { _ = l.Close() })
	s := New(Config{Executor: bi.Executor{Service: d}, Access: store, Log: slog.New(slog.DiscardHandler)})
	for _, messages := range [][]pgproto3.FrontendMessage{
		{&pgproto3.Query{String: "SET dialect = 'duckdb'; SHOW dialect; BEGIN; x"}, &pgproto3.Terminate{}},
		{&pgproto3.Parse{Query: "SHOW dialect"}, &pgproto3.Bind{ResultFormatCodes: []int16{1}}, &pgproto3.Describe{ObjectType: 'P'},
			&pgproto3.Execute{MaxRows: 1}, &pgproto3.Sync{}},
		{&pgproto3.Parse{Name: "a", Query: "SELECT $1"}, &pgproto3.Close{ObjectType: 'S', Name: "a"}, &pgproto3.Flush{}, &pgproto3.Sync{}},
	} {
		var bytes []byte
		for _, m := range messages {
			bytes, err = m.Encode(bytes)
			require.NoError(f, err)
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		client, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		conn, err := l.Accept()
		require.NoError(t, err)
		defer conn.Close()
		go func() {
			defer client.Close()
			front := pgproto3.NewFrontend(client, client)
			front.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "x"}})
			front.Send(&pgproto3.PasswordMessage{Password: token})
			_ = front.Flush()
			_, _ = client.Write(bytes)
			_ = client.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, client)
		}()
		_ = s.converse(t.Context(), conn, func() {}) // it must not panic, nor wait for ever
	})
}
