// Package access holds accounts of people and services, their sessions and tokens, their grants, and the audit log of
// reads of restricted tables.
package access

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
)

// Right allows a person to do something besides reading granted tables.
type Right string

// The rights.
const (
	Operate    Right = "operate"    // start and end runs, see samples of rejected submissions
	Administer Right = "administer" // people, tokens and grants of others, the audit
)

// Kind is the kind of an account.
type Kind string

// The kinds of accounts.
const (
	Human   Kind = "person"
	Service Kind = "service" // programs, which have tokens only
)

// Grant allows a person to read a table, or some of its columns or rows.
type Grant struct {
	Table   string           `json:"table"`             // a name, or AllTables
	Columns []string         `json:"columns,omitempty"` // nil: all
	Rows    []rows.Selection `json:"rows,omitempty" doc:"conditions that the readable rows meet; none: all rows"`
}

// AllTables in a grant means every table that is not restricted. A restricted table needs a grant by name, for
// administrators, too.
const AllTables = "*"

// Person is an account with the rights of the current request.
type Person struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"` // unique; typed to sign in
	Email  string  `json:"email,omitempty"`
	Kind   Kind    `json:"kind"`
	Rights []Right `json:"rights"`
	Grants []Grant `json:"grants"`
	Limits Limits  `json:"limits,omitzero"`

	scopes []Scope // of the request's token; nil: the person signed in
}

// Limits restricts the queries of one person; 0 means the installation's limit.
type Limits struct {
	Days        int   `json:"days,omitempty" minimum:"0" doc:"days of a very large table in one query"`
	SampledDays int   `json:"sampledDays,omitempty" minimum:"0" doc:"the same with a condition on the sample"`
	Files       int   `json:"files,omitempty" minimum:"0" doc:"files that a query reads"`
	Bytes       int64 `json:"bytes,omitempty" minimum:"0" doc:"bytes of these files"`
	Rows        int   `json:"rows,omitempty" minimum:"0" doc:"rows of a result"`
	Concurrent  int   `json:"concurrent,omitempty" minimum:"0" doc:"queries that run at once"`
}

// May reports whether a person has a right.
func (p *Person) May(r Right) bool { return slices.Contains(p.Rights, r) }

// Reads reports whether a person may read a table, and returns the readable columns; nil means all.
func (p *Person) Reads(t *schema.Table) (columns []string, may bool) {
	if t.Internal() {
		return nil, false
	}
	whole := false // but for columns that a grant names
	for _, g := range p.Grants {
		if g.Table == t.Name {
			if g.Columns == nil && len(g.Rows) == 0 {
				return nil, true
			}
			columns, may = append(columns, g.Columns...), may || g.Columns != nil
			whole = whole || g.Columns == nil
		}
		whole = whole || g.Table == AllTables && !t.Restricted
	}
	return columns, may || whole
}

// Rows returns the conditions that all rows meet that a person may read of a table; nil means all rows. Conditions of all grants
// of the table count: values of one column add up, and conditions on different columns hold together. A grant of all tables
// does not lift them.
func (p *Person) Rows(t *schema.Table) (all []rows.Selection) {
	for _, g := range p.Grants {
		if g.Table == t.Name {
			all = rows.Add(all, g.Rows)
		}
	}
	return all
}

// ReadsAll reports whether a person may read all columns and rows of a table.
func (p *Person) ReadsAll(t *schema.Table) bool {
	columns, may := p.Reads(t)
	return may && columns == nil && len(p.Rows(t)) == 0
}

// Knows reports whether a person may see that a table exists. Administrators see every table, because they grant them
// to others.
func (p *Person) Knows(t *schema.Table) bool {
	_, may := p.Reads(t)
	return may || p.May(Administer)
}

// Counts reports whether a person may see the number of rows of a table. A grant of any column includes it, one of some rows
// does not.
func (p *Person) Counts(t *schema.Table) bool {
	_, may := p.Reads(t)
	return may && len(p.Rows(t)) == 0
}

type key struct{}

// With returns a context that carries the person of a request.
func With(ctx context.Context, p *Person) context.Context { return context.WithValue(ctx, key{}, p) }

// From returns the person in a context, or nil if nobody has signed in.
func From(ctx context.Context) *Person {
	p, _ := ctx.Value(key{}).(*Person)
	return p
}

type visitKey struct{}

// WithVisit returns a context that carries the origin of a request.
func WithVisit(ctx context.Context, v Visit) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// VisitOf returns the origin of a request, or an empty one.
func VisitOf(ctx context.Context) Visit {
	v, _ := ctx.Value(visitKey{}).(Visit)
	return v
}
