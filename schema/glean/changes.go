package glean

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// ChangeKind classifies the effect of definitions on a table or column.
type ChangeKind string

// The kinds of changes.
const (
	TableAdded ChangeKind = "table added"
	TableStays ChangeKind = "table stays" // the new definitions lack its ping or application
	Added      ChangeKind = "added"       // null in partitions made before
	OtherType  ChangeKind = "other type"  // the metric has another type: a second column
	Stays      ChangeKind = "stays"       // the new definitions lack it; null in new partitions
)

// Change is a difference between the definitions in use and newer ones.
type Change struct {
	Kind   ChangeKind `json:"change"`
	Table  string     `json:"table"`
	Column string     `json:"column,omitempty"` // with the members that lead to it, such as metrics.counter.page_loads
	Type   string     `json:"type,omitempty"`
	Beside string     `json:"beside,omitempty"` // of OtherType: the column of the type before
}

// Changes returns what newer definitions would change, in the order of tables and columns.
func Changes(inUse, newer Definitions) ([]Change, error) {
	union, err := Joined(inUse, newer)
	if err != nil {
		return nil, err
	}
	before, alone := byName(inUse.Tables()), byName(newer.Tables())
	var all []Change
	for _, t := range union.Tables() {
		old, now := before[t.Name], alone[t.Name]
		switch {
		case old == nil:
			all = append(all, Change{Kind: TableAdded, Table: t.Name})
		case now == nil:
			all = append(all, Change{Kind: TableStays, Table: t.Name})
		default:
			all = append(all, columnChanges(t.Name, columnPaths(old), columnPaths(now), columnPaths(t))...)
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(a.Table, b.Table) })
	return all, nil
}

func byName(tables []*schema.Table) map[string]*schema.Table {
	all := map[string]*schema.Table{}
	for _, t := range tables {
		all[t.Name] = t
	}
	return all
}

// columnChanges compares the columns before with those of the new definitions alone, and with those of both.
func columnChanges(table string, before, alone, both map[string]string) (all []Change) {
	for _, column := range slices.Sorted(maps.Keys(both)) {
		_, had := before[column]
		_, has := alone[column]
		switch beside := otherType(column, before); {
		case !had && beside != "" && alone[beside] == "":
			all = append(all, Change{OtherType, table, column, both[column], beside})
		case !had:
			all = append(all, Change{Added, table, column, both[column], ""})
		case !has:
			all = append(all, Change{Stays, table, column, both[column], ""})
		}
	}
	return all
}

// otherType returns the column of the metric with another type, or "".
func otherType(column string, columns map[string]string) string {
	parts := strings.Split(column, ".")
	if len(parts) != 3 || parts[0] != Metrics {
		return ""
	}
	for _, other := range slices.Sorted(maps.Keys(columns)) {
		o := strings.Split(other, ".")
		if len(o) == 3 && o[0] == Metrics && o[1] != parts[1] && o[2] == parts[2] {
			return other
		}
	}
	return ""
}

// columnPaths returns the types of the columns, and of the members of those that definitions determine, by path.
func columnPaths(t *schema.Table) map[string]string {
	all := map[string]string{}
	for i := range t.Columns {
		c := &t.Columns[i]
		depth := map[string]int{Metrics: 2, "extras": 2, ClientInfo: 1}[c.Name]
		addPaths(all, c.Name, &c.Type, depth)
	}
	return all
}

func addPaths(all map[string]string, path string, t *schema.Type, depth int) {
	if depth == 0 || t.Kind != schema.Struct {
		all[path] = t.String()
		return
	}
	for i := range t.Fields {
		addPaths(all, path+"."+t.Fields[i].Name, &t.Fields[i].Type, depth-1)
	}
}
