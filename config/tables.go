package config

import (
	"errors"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/schema"
)

var tableNames = lazy.Regexp(`^[a-z][a-z0-9_]*$`)

// fixedTables returns the tables that every installation has.
var fixedTables = sync.OnceValue(func() []*schema.Table { return schema.NewSet(&schema.Probes{}).Tables })

// liveTable wants the name of a table that can be live, or glean. Which tables of Glean pings there are only the service
// knows.
func liveTable(name string) error {
	tables := fixedTables()
	i := slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Name == name })
	if !tableNames().MatchString(name) || i >= 0 && (!tables[i].Grows() || tables[i].Direct) {
		return errors.New("want main_summary, crash_summary, glean or the name of a table of Glean pings")
	}
	return nil
}
