package tables

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Lineage is an acyclic graph of a table's inputs and of the tables made from it, without tables that the person may
// not know of.
type Lineage struct {
	Nodes []LineageNode `json:"nodes" doc:"each after those that feed it"`
	Edges []LineageEdge `json:"edges"`
}

// LineageNode is a table or the pings of a type.
type LineageNode struct {
	Name string `json:"name"`
	Kind string `json:"kind" enum:"pings,table"`
	Doc  string `json:"doc"`
}

// LineageEdge connects an input to the table made from it.
type LineageEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// lineageOf returns the part of the graph that leads to a table and away from it.
func lineageOf(t *schema.Table, all []*schema.Table) Lineage {
	before, behind := map[string]bool{t.Name: true}, map[string]bool{t.Name: true}
	for _, o := range slices.Backward(all) { // each follows its inputs
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

// add adds a table and the edges from its inputs, which were added before it if they are visible.
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

// pingsOf describes the pings that a table reads.
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

// columnsOf describes the columns of a table with their lineage in other tables.
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

// inputs returns the columns of a table from which a column of another table is computed.
func inputs(c *schema.Column, source *schema.Table) (all []ColumnRef) {
	for name := range strings.SplitSeq(c.Source, ",") {
		if name = strings.TrimSpace(name); source.Index(name) >= 0 {
			all = append(all, ColumnRef{source.Name, name})
		}
	}
	return all
}
