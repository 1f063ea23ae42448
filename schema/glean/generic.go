package glean

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/ping"
)

// Unknown pings are those that no definitions know.
const (
	UnknownArchived = "archive" // they are in the archive only
	UnknownGeneric  = "generic" // each type has a table, with the metrics in additional_properties
)

// maxGeneric limits the tables of unknown pings: with every namespace taken, clients choose the names.
const maxGeneric = 500

var applicationForm = lazy.Regexp(`^[a-z][a-z0-9-]{0,99}$`)

// Generic returns definitions of the pings of the archive that the known definitions do not have. Left are the kinds
// that get no table, because their names have another form than those of Glean or because there are too many.
func (d Definitions) Generic(kinds []ping.DocType) (more Definitions, left []ping.DocType) {
	more = Definitions{}
	tables, n := map[string]bool{}, 0
	for _, app := range d {
		for _, p := range app.Pings {
			tables[TableName(app.ID, p.Name)] = true
			if p.Generic {
				n++
			}
		}
	}
	kinds = slices.Clone(kinds)
	slices.Sort(kinds)
	for _, kind := range slices.Compact(kinds) {
		application, name, _ := strings.Cut(string(kind), "/")
		p := &Ping{Name: name, Description: "No definitions know these pings.", ClientID: true, InfoSection: true, Generic: true}
		if !IsKind(kind) || d[application] != nil && d[application].Ping(name) != nil {
			continue
		}
		table := TableName(application, name)
		if tables[table] || derived(TableName(name)) || slices.Contains(fixedNames(), table) || n >= maxGeneric ||
			!applicationForm().MatchString(application) || !pingForm().MatchString(name) || strings.Contains(name, "_") {
			left = append(left, kind)
			continue
		}
		tables[table] = true
		n++
		if more[application] == nil {
			more[application] = &Application{ID: application}
		}
		more[application].Pings = append(more[application].Pings, p)
	}
	return more, left
}

// Generic reports whether no definitions know any ping of the application.
func (a *Application) Generic() bool {
	return !slices.ContainsFunc(a.Pings, func(p *Ping) bool { return !p.Generic })
}

// CheckUnknown returns an error if a text is not a value of the setting glean.unknown.
func CheckUnknown(text string) error {
	if text != UnknownArchived && text != UnknownGeneric {
		return fmt.Errorf("want %s or %s", UnknownArchived, UnknownGeneric)
	}
	return nil
}
