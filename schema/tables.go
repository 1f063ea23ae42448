package schema

import "fmt"

// DesktopApps is the application name of the desktop browser.
var DesktopApps = []string{"Firefox"}

// Set holds the tables of an installation, and the definitions that determine their columns. Take tables from the
// installation's set: no table is known without one.
type Set struct {
	Probes *Probes
	Tables []*Table // in the order of their jobs: each after the ones it is made from
}

// NewSet returns the tables of an installation with these probe definitions, and more tables.
func NewSet(p *Probes, more ...*Table) *Set {
	tables := []*Table{
		MainSummary(p), Addons(), withSearches(ClientsDaily(), p), searchClientsDaily(), searchAggregates(), CrashSummary(), newProfile(),
		updates(),
		longitudinalPings(), longitudinal(p), eventEvents(),
	}
	return &Set{Probes: p, Tables: append(tables, more...)}
}

// Find returns the named table of the set.
func (s *Set) Find(name string) (*Table, error) { return Find(s.Tables, name) }

// Find returns the named table.
func Find(tables []*Table, name string) (*Table, error) {
	for _, t := range tables {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("find table %q: it is none of %v", name, Names(tables))
}

// Names returns the names of tables.
func Names(tables []*Table) []string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return names
}

// Direct names the tables that get their rows as pings arrive.
func Direct(tables []*Table) (names []string) {
	for _, t := range tables {
		if t.Direct {
			names = append(names, t.Name)
		}
	}
	return names
}

// HiveName returns the hive-compatible form of a document's member name: an underscore before an upper-case letter
// unless it starts the name or follows an upper-case or non-alphanumeric character, all in lower case, and an
// underscore for any other character. clientId gives client_id.
func HiveName(name string) string {
	out := make([]byte, 0, len(name)+8)
	plain := false // the character before is a lower-case letter or a digit
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if plain {
				out = append(out, '_')
			}
			out = append(out, c+'a'-'A')
			plain = false
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			out = append(out, c)
			plain = true
		default:
			out = append(out, '_')
			plain = false
		}
	}
	return string(out)
}
