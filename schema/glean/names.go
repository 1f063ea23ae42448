package glean

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/schema"
)

// derived reports whether a name behind the application's is reserved for tables that are made from pings' tables.
func derived(name string) bool {
	return slices.Contains([]string{eventsName, crashesName, "active_users"}, name) ||
		strings.HasPrefix(name, "baseline_clients_") || strings.HasPrefix(name, "usage_reporting_clients_")
}

// fixedNames returns the names of the tables that no definitions of applications determine.
var fixedNames = sync.OnceValue(func() []string { return schema.Names(schema.NewSet(&schema.Probes{}).Tables) })

// checkNames returns an error if a ping would have the table of another one.
func (d Definitions) checkNames() error {
	seen := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(d)) {
		for _, p := range d[id].Pings {
			name, kind := TableName(id, p.Name), id+"/"+p.Name
			switch {
			case p.deletes():
				continue
			case seen[name] != "":
				return fmt.Errorf("pings %s and %s would both have the table %s: rename one", seen[name], kind, name)
			case derived(TableName(p.Name)) || slices.Contains(fixedNames(), name):
				return fmt.Errorf("pings %s would have the table %s, which is another one: rename them", kind, name)
			}
			seen[name] = kind
		}
	}
	return nil
}
