package access

import (
	"fmt"
	"slices"
)

// Scope is what a token may be used for. Rights and grants are those of its person, as far as the scopes go.
type Scope string

// The scopes.
const (
	QueryScope   Scope = "query"   // to ask, and saved queries
	CatalogScope Scope = "catalog" // to read what tables there are, and their quality
	JobsScope    Scope = "jobs"    // runs and ingestion, with the right Operate also to start and end runs
	PeopleScope  Scope = "people"  // with the right Administer: people, grants, the audit
)

// Scopes are all scopes, in the order in which they are offered.
var Scopes = []Scope{QueryScope, CatalogScope, JobsScope, PeopleScope}

// needs says which scope a token must have for a right to count.
var needs = map[Right]Scope{Operate: JobsScope, Administer: PeopleScope}

// Allows says whether the way in which a person came is enough for a scope: signing in is for all of them.
func (p *Person) Allows(s Scope) bool { return p.scopes == nil || slices.Contains(p.scopes, s) }

// ByToken says whether a token came, and not a person who signed in.
func (p *Person) ByToken() bool { return p.scopes != nil }

// narrow leaves a person what scopes allow.
func (p *Person) narrow(scopes []Scope) {
	p.scopes = scopes
	p.Rights = slices.DeleteFunc(p.Rights, func(r Right) bool { return !p.Allows(needs[r]) })
}

// checkScopes is nil for scopes that there are, and at least one.
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
