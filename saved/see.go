package saved

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
)

var wordForm = regexp.MustCompile(`[a-z0-9_]+`)

// sees says whether a person may see a query. It asks no parser: every word of the text counts, also in comments, and a
// restricted table's name counts anywhere in what was written. So text that cannot be parsed is no way around it. Who owns a
// query has written these names.
func (s *Store) sees(p *access.Person, q *Query) bool {
	if q.Owner != "" && q.Owner == p.ID {
		return true
	}
	written, err := json.Marshal(q.Doc)
	if err != nil {
		return false
	}
	all := strings.ToLower(string(written))
	named := Names(q.SQL, s.tables)
	for _, t := range s.tables {
		if _, may := p.Reads(t); !may && (slices.Contains(named, t) || t.Restricted && strings.Contains(all, t.Name)) {
			return false
		}
	}
	return true
}

// mayChange is nil for who may change a query that they see.
func mayChange(p *access.Person, q *Query) error {
	switch {
	case q.Builtin:
		return ErrBuiltin
	case q.Owner != p.ID && !p.May(access.Administer):
		return ErrNotYours
	}
	return nil
}

// Names gives the tables whose names stand in a text.
func Names(sql string, tables []*schema.Table) []*schema.Table {
	words := map[string]bool{}
	for _, w := range wordForm.FindAllString(strings.ToLower(sql), -1) {
		words[w] = true
	}
	var named []*schema.Table
	for _, t := range tables {
		if words[t.Name] || words[t.Name+"_"+t.Version] {
			named = append(named, t)
		}
	}
	return named
}
