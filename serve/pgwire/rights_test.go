package pgwire

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// opened begins a portal and fetches one row.
func (f *front) opened(name, sql string) {
	f.t.Helper()
	f.send(&pgproto3.Parse{Name: name, Query: sql}, &pgproto3.Bind{DestinationPortal: name, PreparedStatement: name},
		&pgproto3.Execute{Portal: name, MaxRows: 1},
		&pgproto3.Sync{})
	a := f.answer()
	require.Nil(f.t, a.err)
	require.True(f.t, a.suspended)
}

// TestFailsMidway: a statement that fails after some rows gives an error and no row, in both protocols of queries.
func TestFailsMidway(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Tokens["common"])
	a := f.query(bitest.Midway)
	require.NotNil(t, a.err)
	require.Contains(t, a.err.Message, "'x'")
	require.Empty(t, a.rows)
	f.send(&pgproto3.Parse{Query: bitest.Midway}, &pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Sync{})
	a = f.answer()
	require.NotNil(t, a.err)
	require.Contains(t, a.err.Message, "'x'")
	require.Empty(t, a.rows)
}

// TestRightsOfSessions: the next statement of an open session, the next fetch from an open portal and a statement that was prepared
// have the rights of that moment.
func TestRightsOfSessions(t *testing.T) {
	port, o := served(t, nil)
	token := o.Hire(t, "held", access.Grant{Table: "addons"}, access.Grant{Table: bitest.Restricted()})
	f := signedIn(t, port, token)
	require.Empty(t, f.query("BEGIN").code())
	f.opened("data", "SELECT client_id FROM "+bitest.Restricted())
	f.opened("list", "SELECT relname FROM pg_class ORDER BY 1")
	f.send(&pgproto3.Parse{Name: "p", Query: "SELECT count(*) FROM " + bitest.Restricted()}, &pgproto3.Sync{})
	require.Empty(t, f.answer().code())

	o.Edit(t, "held", func(a *access.Account) {
		a.Grants = []access.Grant{{Table: "addons", Columns: []string{"document_id"}}}
	})
	for name, messages := range map[string][]pgproto3.FrontendMessage{
		"fetch of data":    {&pgproto3.Execute{Portal: "data"}},
		"fetch of a list":  {&pgproto3.Execute{Portal: "list"}},
		"describe":         {&pgproto3.Describe{ObjectType: 'S', Name: "p"}},
		"describe, portal": {&pgproto3.Bind{PreparedStatement: "p", DestinationPortal: "q"}, &pgproto3.Describe{ObjectType: 'P', Name: "q"}},
		"execute":          {&pgproto3.Bind{PreparedStatement: "p"}, &pgproto3.Execute{}},
		"query":            {&pgproto3.Query{String: "SELECT 1 FROM " + bitest.Restricted()}},
		"column":           {&pgproto3.Query{String: "SELECT client_id FROM addons"}},
	} {
		if messages[0] != nil {
			if _, simple := messages[0].(*pgproto3.Query); !simple {
				messages = append(messages, &pgproto3.Sync{})
			}
		}
		f.send(messages...)
		a := f.answer()
		assert.NotNil(t, a.err, name)
		assert.Empty(t, a.rows, name)
		f.send(&pgproto3.Query{String: "BEGIN"})
		f.answer()
	}
	f.query("ROLLBACK")
	assert.Empty(t, f.query("SELECT document_id FROM addons").code())
	assert.Equal(t, [][]string{{"addons"}}, f.query("SELECT relname FROM pg_class").rows)
	assert.Equal(t, wrote(t, port, o, "held", "SELECT 1 FROM "+bitest.Absent())[:20],
		wrote(t, port, o, "held", "SELECT 1 FROM "+bitest.Restricted())[:20])
}

// heavy reads a table for hours.
const heavy = "SELECT count(*) FROM addons a CROSS JOIN addons b CROSS JOIN addons c CROSS JOIN addons d CROSS JOIN addons e CROSS " +
	"JOIN addons f WHERE a.client_id || f.client_id = e.client_id || 'x'"

// TestRightsOfQueries: a query that runs ends when its person may not read the table any more.
func TestRightsOfQueries(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Hire(t, "held", access.Grant{Table: "addons"}))
	f.send(&pgproto3.Query{String: heavy})
	o.Until(t, "held", queryservice.Running, 1)
	o.Edit(t, "held", func(a *access.Account) { a.Grants = nil })
	a := f.answer()
	assert.Equal(t, "42501", a.code(), "%+v", a.err)
	assert.Equal(t, [][]string{{"1"}}, f.query("SELECT 1").rows)
}

// TestEndOfSessions: sessions of deleted tokens and disabled accounts end at once, those that wait and those whose query runs.
func TestEndOfSessions(t *testing.T) {
	port, o := served(t, nil)
	for name, end := range map[string]func(string){
		"revoked":  func(name string) { o.Revoke(t, name) },
		"disabled": func(name string) { o.Edit(t, name, func(a *access.Account) { a.Disabled = true }) },
		"removed":  func(name string) { require.NoError(t, o.Access.Remove(t.Context(), o.Person(t, name).ID)) },
	} {
		token := o.Hire(t, name, access.Grant{Table: "addons"})
		idle, busy, next := signedIn(t, port, token), signedIn(t, port, token), signedIn(t, port, token)
		busy.send(&pgproto3.Query{String: heavy})
		o.Until(t, name, queryservice.Running, 1)
		end(name)
		a := next.query("SELECT 1")
		assert.Equal(t, "57P01", a.code(), name)
		for _, f := range []*front{idle, busy} {
			a := f.answer()
			assert.Equal(t, "57P01", a.code(), name)
			assert.True(t, a.closed, name)
		}
		assert.Equal(t, "28P01", dialed(t, port).begin(token).Code)
	}
	assert.Eventually(t, func() bool {
		all, _, err := o.Executor.List(t.Context(), o.Person(t, "common"), queryservice.Filter{State: queryservice.Running, Limit: 10})
		return err == nil && len(all) == 0
	}, 10*time.Second, 10*time.Millisecond)
}

// TestIdle: a session that is silent for too long gets an error and ends.
func TestIdle(t *testing.T) {
	port, o := served(t, func(c *Config) { c.Idle = 300 * time.Millisecond })
	f := signedIn(t, port, o.Tokens["common"])
	require.Empty(t, f.query("SELECT 1").code())
	a := f.answer()
	assert.Equal(t, "57P05", a.code())
	assert.True(t, a.closed)
}
