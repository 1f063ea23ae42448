// Package bitest provides a query service with accounts for the tests of Flight SQL and PostgreSQL's protocol.
package bitest

import (
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/database"
)

// Office is a query service over a day of pings, with three accounts: "all" may read all tables, "common" those that
// are not restricted, and "narrow" one column of addons.
type Office struct {
	Site     *site.Site
	Executor bi.Executor
	Access   *access.Store
	// Tokens holds the tokens by the person's name. "expired NAME" is an expired token, and "jobs NAME" one without
	// the scope for queries.
	Tokens map[string]string
	people map[string]string // ids
}

// Midway is a statement that fails after many rows.
const Midway = "SELECT CAST(IF(a * b = 250000, 'x', '1') AS bigint) AS n FROM UNNEST(sequence(1, 500)) AS t(a) " +
	"CROSS JOIN UNNEST(sequence(1, 500)) AS u(b)"

// Restricted returns a table that needs a grant of its own, and Absent a similar name of no table. They are no variables, since each
// worker of a test would make them.
var (
	Restricted = sync.OnceValue(restricted)
	Absent     = sync.OnceValue(func() string { return "recess" + Restricted()[6:] })
)

func restricted() string {
	p, err := schema.LoadProbes("")
	if err != nil {
		panic(err) // the probes are part of the program
	}
	tables := schema.NewSet(p).Tables
	return tables[slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Restricted })].Name
}

// Open opens an office. A program whose tests call it must call worker.Main first.
func Open(t testing.TB) *Office {
	t.Helper()
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 20, sitetest.Day)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	o := &Office{Site: s, Tokens: map[string]string{}, people: map[string]string{}}
	o.hire(t)
	d, err := queryservice.Open(t.Context(), queryservice.Config{
		Site: s, Place: database.In(t.TempDir()), Temp: t.TempDir(), Audit: o.Access, People: o.Access,
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Options: queryservice.Options{
			Queue:  queue.Options{Slots: 2, PerPerson: 2, Waiting: 10},
			Limits: worker.Limits{Threads: 1, Memory: 512 << 20, Rows: 1000, Bytes: 1 << 20},
			Keep:   time.Hour, KeepBytes: 1 << 30,
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	o.Executor = bi.Executor{Service: d}
	return o
}

// hire adds the accounts and their tokens.
func (o *Office) hire(t testing.TB) {
	t.Helper()
	var clock sitetest.Clock
	clock.Set(time.Now().UnixNano())
	var err error
	o.Access, err = access.Open(t.Context(), database.In(t.TempDir()), clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = o.Access.Close() })
	for name, g := range map[string][]access.Grant{
		"all":    {{Table: access.AllTables}, {Table: Restricted()}},
		"common": {{Table: access.AllTables}},
		"narrow": {{Table: "addons", Columns: []string{"document_id"}}},
	} {
		p, err := o.Access.Add(t.Context(), access.Person{Name: name, Kind: access.Service, Grants: g})
		require.NoError(t, err)
		o.people[name] = p.ID
		for kind, token := range map[string]access.Token{
			"":         {Name: "test", Scopes: []access.Scope{access.QueryScope}},
			"expired ": {Name: "short", Scopes: []access.Scope{access.QueryScope}, Expires: clock.Now().Add(time.Minute)},
			"jobs ":    {Name: "other", Scopes: []access.Scope{access.JobsScope}},
		} {
			_, o.Tokens[kind+name], err = o.Access.NewToken(t.Context(), p.ID, token)
			require.NoError(t, err)
		}
	}
	clock.Set(clock.Now().Add(time.Hour).UnixNano())
}

// Hire adds an account and returns its token.
func (o *Office) Hire(t testing.TB, name string, grants ...access.Grant) (token string) {
	t.Helper()
	p, err := o.Access.Add(t.Context(), access.Person{Name: name, Kind: access.Service, Grants: grants})
	require.NoError(t, err)
	o.people[name] = p.ID
	_, o.Tokens[name], err = o.Access.NewToken(t.Context(), p.ID, access.Token{Name: "test", Scopes: []access.Scope{access.QueryScope}})
	require.NoError(t, err)
	return o.Tokens[name]
}

// Edit changes the account of a person.
func (o *Office) Edit(t testing.TB, name string, change func(*access.Account)) {
	t.Helper()
	_, err := o.Access.Edit(t.Context(), o.people[name], func(a *access.Account) error {
		change(a)
		return nil
	})
	require.NoError(t, err)
}

// Revoke deletes the tokens of a person.
func (o *Office) Revoke(t testing.TB, name string) {
	t.Helper()
	tokens, err := o.Access.Tokens(t.Context(), o.people[name])
	require.NoError(t, err)
	for _, token := range tokens {
		require.NoError(t, o.Access.DeleteToken(t.Context(), o.people[name], token.ID))
	}
}

// Person returns the person with a name.
func (o *Office) Person(t testing.TB, name string) *access.Person {
	t.Helper()
	p, err := o.Access.Person(t.Context(), o.people[name])
	require.NoError(t, err)
	return p
}

// Until waits until a person has exactly n queries in a state.
func (o *Office) Until(t testing.TB, name string, state queryservice.State, n int) {
	t.Helper()
	p := o.Person(t, name)
	sitetest.WaitFor(t, string(state)+" queries of "+name, func() bool {
		all, _, err := o.Executor.List(t.Context(), p, queryservice.Filter{State: state, Limit: 100})
		require.NoError(t, err)
		return len(all) == n
	})
}
