package config

import (
	"errors"
	"slices"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/schema"
)

var tableNames = lazy.Regexp(`^[a-z][a-z0-9_]*$`)

// liveTable wants the name of a table that can be live, or glean. Which tables of Glean pings there are only the service
// knows.
func liveTable(name string) error {
	tables := schema.NewSet(&schema.Probes{}).Tables
	i := slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Name == name })
	if !tableNames().MatchString(name) || i >= 0 && (!tables[i].Grows() || tables[i].Direct) {
		return errors.New("want main_summary, crash_summary, glean or the name of a table of Glean pings")
	}
	return nil
}
