// Package access says who may do what: people and service accounts, how they sign in, what they were granted, and the record of
// what they did with restricted tables.
package access

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// Right is something that a person may do beside asking the tables granted.
type Right string

// The rights.
const (
	Operate    Right = "operate"    // start and end runs, see samples of rejected submissions
	Administer Right = "administer" // people, tokens and grants of others, the audit
)

// Kind says who signs in.
type Kind string

// The kinds of accounts.
const (
	Human   Kind = "person"
	Service Kind = "service" // programs, which have tokens only
)

// Grant lets a person read a table.
type Grant struct {
	Table   string   `json:"table"`             // a name, or AllTables
	Columns []string `json:"columns,omitempty"` // nil: all
}

// AllTables is, in a grant, every table that is not restricted. Those want a grant of their own, from administrators, too.
const AllTables = "*"

// Person is an account.
type Person struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"` // unique, what is typed to sign in
	Email  string  `json:"email,omitempty"`
	Kind   Kind    `json:"kind"`
	Rights []Right `json:"rights"`
	Grants []Grant `json:"grants"`
	Limits Limits  `json:"limits,omitzero"`

	scopes []Scope // of the token that came; nil: a person who signed in
}

// Limits are those of one person's queries; 0 is what the installation has for everybody.
type Limits struct {
	Days        int   `json:"days,omitempty" minimum:"0" doc:"days of a very large table in one query"`
	SampledDays int   `json:"sampledDays,omitempty" minimum:"0" doc:"the same with a condition on the sample"`
	Files       int   `json:"files,omitempty" minimum:"0" doc:"files that a query reads"`
	Bytes       int64 `json:"bytes,omitempty" minimum:"0" doc:"bytes of these files"`
	Rows        int   `json:"rows,omitempty" minimum:"0" doc:"rows of a result"`
	Concurrent  int   `json:"concurrent,omitempty" minimum:"0" doc:"queries that run at once"`
}

// May says whether a person has a right.
func (p *Person) May(r Right) bool { return slices.Contains(p.Rights, r) }

// Reads says whether a person may read a table, and which columns of it; nil are all.
func (p *Person) Reads(t *schema.Table) (columns []string, may bool) {
	general := false
	for _, g := range p.Grants {
		if g.Table == t.Name {
			if g.Columns == nil {
				return nil, true
			}
			columns, may = append(columns, g.Columns...), true
		}
		general = general || g.Table == AllTables && !t.Restricted
	}
	if may || !general {
		return columns, may
	}
	return nil, true
}

// Knows says whether a person may see that a table exists: who may not read it sees it only to grant it to others.
func (p *Person) Knows(t *schema.Table) bool {
	_, may := p.Reads(t)
	return may || p.May(Administer)
}

// Counts says whether a person may see how many rows a table has: who may read some of its columns may count them.
func (p *Person) Counts(t *schema.Table) bool {
	_, may := p.Reads(t)
	return may
}

type key struct{}

// With gives a context in which a person acts.
func With(ctx context.Context, p *Person) context.Context { return context.WithValue(ctx, key{}, p) }

// From gives the person who acts, nil if nobody has signed in.
func From(ctx context.Context) *Person {
	p, _ := ctx.Value(key{}).(*Person)
	return p
}

type visitKey struct{}

// WithVisit gives a context of a request from somewhere.
func WithVisit(ctx context.Context, v Visit) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// VisitOf says where the request of a context comes from, empty if it is none.
func VisitOf(ctx context.Context) Visit {
	v, _ := ctx.Value(visitKey{}).(Visit)
	return v
}
