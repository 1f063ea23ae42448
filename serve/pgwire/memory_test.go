package pgwire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAhead: what clients send while a query runs has a limit, whatever the messages are.
func TestAhead(t *testing.T) {
	port, o := served(t, nil)
	long := strings.Repeat("x", maxMessage-100)
	for name, m := range map[string]pgproto3.FrontendMessage{
		"passwords":  &pgproto3.PasswordMessage{Password: long},
		"parameters": &pgproto3.Bind{Parameters: make([][]byte, 65535), ParameterFormatCodes: make([]int16, 65535)},
		"data":       &pgproto3.CopyData{Data: []byte(long)},
		"failures":   &pgproto3.CopyFail{Message: long},
		"calls":      &pgproto3.FunctionCall{Arguments: [][]byte{[]byte(long)}},
	} {
		t.Run(name, func(t *testing.T) {
			f := signedIn(t, port, o.Tokens["common"])
			before := heap()
			f.send(&pgproto3.Query{String: endless})
			o.Until(t, "common", "running", 1)
			for range maxAhead - 4 {
				f.send(m)
			}
			assert.Less(t, heap()-before, int64(20<<20))
			_ = f.conn.Close()
			o.Until(t, "common", "running", 0)
		})
	}
	f := signedIn(t, port, o.Tokens["common"])
	f.send(&pgproto3.PasswordMessage{Password: "x"}, &pgproto3.Sync{})
	assert.Equal(t, "0A000", f.answer().code())
	f.send(&pgproto3.Parse{Query: "SELECT 1"}, &pgproto3.Bind{Parameters: [][]byte{nil}}, &pgproto3.Sync{})
	assert.Equal(t, "08P01", f.answer().code())
	f.send(&pgproto3.CopyData{Data: []byte("x")}, &pgproto3.CopyFail{Message: "x"}, &pgproto3.CopyDone{})
	assert.Equal(t, [][]string{{"1"}}, f.query("SELECT 1").rows)
}

// TestHeldByPortals: the memory of portals counts, also of those whose statement was replaced, and closing gives it back.
func TestHeldByPortals(t *testing.T) {
	port, o := served(t, nil)
	token := o.Hire(t, "nobody")
	long := "SELECT '" + strings.Repeat("x", maxMessage/2) + "'"
	opened, refused := 0, []*front{}
	var f *front
	for range 256/maxPortals + 2 {
		f = signedIn(t, port, token)
		require.Empty(t, f.query("BEGIN").code())
		for n := range maxPortals {
			name := fmt.Sprint(n, strings.Repeat("n", maxMessage/2))
			f.send(&pgproto3.Parse{Query: long}, &pgproto3.Bind{DestinationPortal: name}, &pgproto3.Sync{})
			if code := f.answer().code(); code != "" {
				require.Equal(t, "53200", code)
				refused = append(refused, f)
				break
			}
			opened++
		}
	}
	require.NotEmpty(t, refused, "%d portals", opened)
	require.Greater(t, opened, 200)
	require.Empty(t, refused[0].query("ROLLBACK").code())
	refused[0].send(&pgproto3.Parse{Query: long}, &pgproto3.Bind{DestinationPortal: "x"}, &pgproto3.Sync{})
	require.Empty(t, refused[0].answer().code())
}

// TestSettingsInUTF8: a value in another encoding is refused, since questions about the catalog show it.
func TestSettingsInUTF8(t *testing.T) {
	port, o := served(t, nil)
	for name, parameters := range map[string]map[string]string{
		"value":   {"user": "token", "application_name": "\xff"},
		"options": {"user": "token", "options": "-c application_name=\xff"},
	} {
		f := dialed(t, port)
		f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: parameters},
			&pgproto3.PasswordMessage{Password: o.Tokens["common"]})
		a := f.answer()
		if a.err == nil {
			a = f.query("SELECT setting FROM pg_settings")
		}
		assert.Equal(t, "22023", a.code(), "%s: %+v", name, a.err)
	}
}
