package tables

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Lineage is what a table is made from and what is made from it, as far as that may be known: a graph without cycles.
type Lineage struct {
	Nodes []LineageNode `json:"nodes" doc:"each after those that feed it"`
	Edges []LineageEdge `json:"edges"`
}

// LineageNode is a table, or the pings of a kind.
type LineageNode struct {
	Name string `json:"name"`
	Kind string `json:"kind" enum:"pings,table"`
	Doc  string `json:"doc"`
}

// LineageEdge says that one node is made from another.
type LineageEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// lineageOf is the part of the graph of all tables that leads to a table and away from it.
func lineageOf(t *schema.Table, all []*schema.Table) Lineage {
	before, behind := map[string]bool{t.Name: true}, map[string]bool{t.Name: true}
	for _, o := range slices.Backward(all) { // each comes after those it needs
		for _, n := range o.Needs {
			before[n] = before[n] || before[o.Name]
		}
	}
	for _, o := range all {
		behind[o.Name] = behind[o.Name] || slices.ContainsFunc(o.Needs, func(n string) bool { return behind[n] })
	}
	l := Lineage{Nodes: []LineageNode{}, Edges: []LineageEdge{}}
	for _, o := range all {
		if before[o.Name] || behind[o.Name] {
			l.add(o)
		}
	}
	return l
}

// add adds a table with what it is made from, of which the tables that may be known were added before.
func (l *Lineage) add(t *schema.Table) {
	inputs := t.Needs
	if t.DocType != "" {
		pings := t.DocType + " pings"
		if inputs = []string{pings}; !l.has(pings) {
			l.Nodes = append(l.Nodes, LineageNode{pings, "pings", pingsOf(t)})
		}
	}
	l.Nodes = append(l.Nodes, LineageNode{t.Name, "table", t.Doc})
	for _, n := range inputs {
		if l.has(n) {
			l.Edges = append(l.Edges, LineageEdge{n, t.Name})
		}
	}
}

func (l *Lineage) has(name string) bool {
	return slices.ContainsFunc(l.Nodes, func(n LineageNode) bool { return n.Name == name })
}

// pingsOf says which pings a table takes.
func pingsOf(t *schema.Table) string {
	text := "Of the namespace " + t.Namespace
	if t.DocVersion != "" {
		text += ", version " + t.DocVersion
	}
	if t.Apps != nil {
		text += ", from " + strings.Join(t.Apps, ", ")
	}
	return text + "."
}

// columnsOf describes the columns of a table, with those of other tables that they are computed from or that are computed from them.
func columnsOf(t *schema.Table, all []*schema.Table) []TableColumn {
	into := map[string][]ColumnRef{}
	for _, o := range all {
		if !slices.Contains(o.Needs, t.Name) {
			continue
		}
		for i := range o.Columns {
			for _, in := range inputs(&o.Columns[i], t) {
				into[in.Column] = append(into[in.Column], ColumnRef{o.Name, o.Columns[i].Name})
			}
		}
	}
	columns := make([]TableColumn, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		columns[i] = TableColumn{
			Name: c.Name, Type: c.Type.String(), Nullable: !c.NotNull, Doc: c.Doc, Source: c.Source, Rule: string(c.Rule), Arg: c.Arg,
			Partition: slices.Contains(t.PartitionKeys, c.Name), Probe: c.Probe, Into: into[c.Name],
		}
		for _, o := range all {
			if slices.Contains(t.Needs, o.Name) {
				columns[i].From = append(columns[i].From, inputs(c, o)...)
			}
		}
	}
	return columns
}

// inputs are the columns of a table that one of a table made from it is computed from.
func inputs(c *schema.Column, of *schema.Table) (all []ColumnRef) {
	for name := range strings.SplitSeq(c.Source, ",") {
		if name = strings.TrimSpace(name); of.Index(name) >= 0 {
			all = append(all, ColumnRef{of.Name, name})
		}
	}
	return all
}
