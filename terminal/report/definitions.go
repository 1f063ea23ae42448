package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/pingmill/pingmill/schema/glean"
)

// DefinitionChanges prints what definitions of Glean applications would change in one table or, with "", in all, as text or
// JSON.
func DefinitionChanges(out io.Writer, changes []glean.Change, only, format string) error {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c glean.Change) bool { return only != "" && c.Table != only })
	if format == "json" {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(map[string]any{"changes": append([]glean.Change{}, changes...)})
	}
	if len(changes) == 0 {
		_, err := fmt.Fprintln(out, "no changes")
		return err
	}
	table := ""
	for _, c := range changes {
		if c.Table != table && c.Column != "" {
			fmt.Fprintln(out, c.Table+":")
		}
		table = c.Table
		switch c.Kind {
		case glean.TableAdded:
			fmt.Fprintf(out, "+ %s\n", c.Table)
		case glean.TableStays:
			fmt.Fprintf(out, "= %s\n", c.Table)
		case glean.Added:
			fmt.Fprintf(out, "  + %s %s\n", c.Column, c.Type)
		case glean.OtherType:
			fmt.Fprintf(out, "  ! %s %s, beside %s\n", c.Column, c.Type, c.Beside)
		case glean.Stays:
			fmt.Fprintf(out, "  = %s %s\n", c.Column, c.Type)
		}
	}
	_, err := fmt.Fprint(out, `
+ added: a new table, or a column that is null in partitions made before
! the metric has another type: a second column; the first one stays
= stays, although the definitions lack it: null in new partitions
`)
	return err
}
