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
				list = append(list, own(t, tables)...)
			}
		}
	}
	for _, t := range tables {
		list = append(list, common(t)...)
	}
	return list
}

// own returns the checks in a table's definition, without those that compare it with a table that is not in tables.
func own(t *schema.Table, tables []*schema.Table) (list []Check) {
	for _, c := range t.Checks {
		if c.With != "" && !slices.Contains(schema.Names(tables), c.With) {
			continue
		}
		k := kinds[c.Kind]
		list = append(list, Check{
			Name: t.Name + "_" + c.Name, Table: t.Name, Severity: k.severity(), Source: k.source, Rule: c.Rule,
			Columns: slices.Concat(c.Key, c.Columns), ByRange: !k.whole, Func: k.check(&c),
		})
	}
	return list
}

// kind implements the rules of a kind.
type kind struct {
	check  func(*schema.Check) func(context.Context, *Partition) (Finding, error)
	source bool // they are about what a partition was made from
	whole  bool // they are about all samples at once
	warns  bool // a finding does not keep a partition from being published
}

func (k *kind) severity() Severity {
	if k.warns {
		return Warning
	}
	return Error
}

var kinds = map[schema.CheckKind]kind{
	schema.OnePerPing:    {check: onePerPing, source: true},
	schema.AsManyAsPings: {check: asManyAsPings, source: true},
	schema.OfPings:       {check: ofPings, source: true},
	schema.EveryRow:      {check: everyRow, source: true},
	schema.EveryKey:      {check: everyKey, source: true},
	schema.NoSearch:      {check: noSearchRows, source: true},
	schema.Unique:        {check: unique},
	schema.NeverNull:     {check: neverNull},
	schema.NeverZero:     {check: neverZero},
	schema.AtMostOne:     {check: atMostOne},
	schema.SameSums:      {check: sameSums, whole: true},
	schema.SomeKeys:      {check: someKeys, source: true},
	schema.SeenKeys:      {check: seenKeys, source: true, whole: true},
	schema.Readable:      {check: readable, whole: true, warns: true},
}

// common returns the checks that every table has. A table whose rows combine some of all samples, or that is sparse, may be empty.
// Of a table of snapshots, and of the one that it is made from, many days may have no row.
func common(t *schema.Table) (list []Check) {
	if t.Snapshots != nil {
		return nil
	}
	from := t.DocType + " pings that the table takes"
	if t.DocType == "" {
		from = records(t)
	}
	if !t.Whole && !t.Sparse {
		list = append(list, Check{
			Name: t.Name + "_not_empty", Table: t.Name, Severity: Error, Source: true,
			Rule: "the partition has rows when the day has " + from, Func: notEmpty,
		})
	}
	return append(list, Check{
		Name: t.Name + "_usual_rows", Table: t.Name, Severity: Warning,
		Rule: "the number of rows is within half and twice the number of the last weeks, by weekday", Func: usualRows,
	})
}

// records names the rows that a table is made from.
func records(t *schema.Table) string { return t.Needs[0] + " records" }
