package check

import (
	"context"
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// All returns the checks of the tables: first the tables' own checks, those of restricted tables last, then
// the checks common to all.
func All(tables []*schema.Table) (list []Check) {
	for _, restricted := range []bool{false, true} {
		for _, t := range tables {
			if t.Restricted == restricted {
				list = append(list, own(t)...)
			}
		}
	}
	for _, t := range tables {
		list = append(list, common(t)...)
	}
	return list
}

// own returns the checks in a table's definition.
func own(t *schema.Table) (list []Check) {
	for _, c := range t.Checks {
		k := kinds[c.Kind]
		list = append(list, Check{
			Name: t.Name + "_" + c.Name, Table: t.Name, Severity: Error, Source: k.source, Rule: c.Rule,
			Columns: slices.Concat(c.Key, c.Of), ByRange: true, Func: k.check(&c),
		})
	}
	return list
}

// kind implements the rules of a kind.
type kind struct {
	source bool // they are about what a partition was made from
	check  func(*schema.Check) func(context.Context, *Partition) (Finding, error)
}

var kinds = map[schema.CheckKind]kind{
	schema.OnePerPing:    {true, onePerPing},
	schema.AsManyAsPings: {true, asManyAsPings},
	schema.EveryRow:      {true, everyRow},
	schema.EveryKey:      {true, everyKey},
	schema.NoSearch:      {true, noSearchRows},
	schema.Unique:        {false, unique},
	schema.NeverNull:     {false, neverNull},
	schema.NeverZero:     {false, neverZero},
}

// common returns the checks that every table has.
func common(t *schema.Table) []Check {
	from := t.DocType + " pings that the table takes"
	if t.DocType == "" {
		from = records(t)
	}
	return []Check{
		{
			Name: t.Name + "_not_empty", Table: t.Name, Severity: Error, Source: true,
			Rule: "the partition has rows when the day has " + from, Func: notEmpty,
		},
		{
			Name: t.Name + "_usual_rows", Table: t.Name, Severity: Warning,
			Rule: "the number of rows is within half and twice that of the last weeks, by weekday", Func: usualRows,
		},
	}
}

// records names the rows that a table is made from.
func records(t *schema.Table) string { return t.Needs[0] + " records" }
