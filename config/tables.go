package config

import (
	"errors"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// liveTable wants the name of a table that can be live.
func liveTable(name string) error {
	is := func(t *schema.Table) bool { return t.Name == name && t.Grows() && !t.Direct }
	if !slices.ContainsFunc(schema.NewSet(&schema.Probes{}).Tables, is) {
		return errors.New("want main_summary, crash_summary or both")
	}
	return nil
}
