package access

import (
	"fmt"
	"slices"
)

// Scope restricts the use of a token. A token has the rights and grants of its person within its scopes.
type Scope string

// The scopes.
const (
	QueryScope   Scope = "query"   // queries and saved queries
	CatalogScope Scope = "catalog" // tables and their quality
	JobsScope    Scope = "jobs"    // runs and ingestion; with the right Operate also starting and ending runs
	PeopleScope  Scope = "people"  // with the right Administer: people, grants, the audit log
)

// Scopes lists all scopes in display order.
var Scopes = []Scope{QueryScope, CatalogScope, JobsScope, PeopleScope}

// needs maps a right to the scope that a token needs for it.
var needs = map[Right]Scope{Operate: JobsScope, Administer: PeopleScope}

// Allows reports whether a person may use a scope. A person who signed in may use all.
func (p *Person) Allows(s Scope) bool { return p.scopes == nil || slices.Contains(p.scopes, s) }

// ByToken reports whether the request was authenticated by a token.
func (p *Person) ByToken() bool { return p.scopes != nil }

// narrow removes the rights that the scopes do not include.
func (p *Person) narrow(scopes []Scope) {
	p.scopes = scopes
	p.Rights = slices.DeleteFunc(p.Rights, func(r Right) bool { return !p.Allows(needs[r]) })
}

// checkScopes returns an error if a scope is unknown or there is none.
func checkScopes(scopes []Scope) error {
	for _, s := range scopes {
		if !slices.Contains(Scopes, s) {
			return invalid(fmt.Sprintf("there is no scope %q: want some of %v", s, Scopes))
		}
	}
	if len(scopes) == 0 {
		return invalid("a token wants at least one scope")
	}
	return nil
}
