package schema

import "strings"

// transformVersion must be increased whenever equal inputs would produce other rows, columns or files of a table, so that
// partitions are made again. transformChanges describes each change; CHANGELOG.md lists what each release makes again.
const transformVersion = 3

// sharedTransforms is the last version that all tables share: later ones count only for the tables that they change.
const sharedTransforms = 3

// transformChange describes what a version of the transforms does differently from the previous one.
type transformChange struct {
	what    string
	columns bool // affects only the columns in Table.Changed
}

// transformChanges lists the changes by version, from 2 on.
var transformChanges = map[int]transformChange{
	2: {"pings of other namespaces have no rows", false},
	3: {"odd dates, Flash versions and counts are read as the original code does", true},
}

// Transforms returns the version of the transforms that makes the table: the last one that changed it.
func (t *Table) Transforms() int {
	for v := transformVersion; v > sharedTransforms; v-- {
		if !transformChanges[v].columns || len(t.Changed[v]) > 0 {
			return v
		}
	}
	return sharedTransforms
}

// ChangesSince describes how versions of the transforms after the given one changed the table.
func (t *Table) ChangesSince(version int) string {
	var all []string
	for v := version + 1; v <= t.Transforms(); v++ {
		text := transformChanges[v].what
		switch columns := t.Changed[v]; {
		case len(columns) > 0:
			text += " (" + strings.Join(columns, ", ") + ")"
		case transformChanges[v].columns:
			text += " (none of the columns here)"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
