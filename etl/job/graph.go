package job

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Node is a table with the tables from which it is made.
type Node struct {
	Name  string
	Needs []string
	// Since, if not nil, returns the first of the days of its needs, up to its own day, that a unit of the table is made from.
	Since func(day string) string
	// Chained means that a unit is also made from the table's unit of an earlier day.
	Chained bool
}

// Graph holds the dependencies between tables. It is immutable after [New].
type Graph struct {
	order []string
	needs map[string][]string
	since map[string]func(day string) string
	// chained are the tables whose units also need that of an earlier day.
	chained map[string]bool
}

// New returns a graph. Duplicate names, unknown needs and cycles are errors.
func New(nodes []Node) (*Graph, error) {
	g := &Graph{needs: make(map[string][]string, len(nodes)), since: map[string]func(string) string{}, chained: map[string]bool{}}
	for _, n := range nodes {
		if n.Name == "" {
			return nil, errors.New("build graph: a table without a name")
		}
		if _, twice := g.needs[n.Name]; twice {
			return nil, fmt.Errorf("build graph: table %s is given twice", n.Name)
		}
		g.needs[n.Name] = slices.Clone(n.Needs)
		if n.Since != nil {
			g.since[n.Name] = n.Since
		}
		g.chained[n.Name] = n.Chained
	}
	for _, n := range nodes {
		for i, need := range n.Needs {
			if _, known := g.needs[need]; !known {
				return nil, fmt.Errorf("build graph: table %s needs %s, which is unknown", n.Name, need)
			}
			if slices.Contains(n.Needs[:i], need) {
				return nil, fmt.Errorf("build graph: table %s needs %s twice", n.Name, need)
			}
		}
	}
	if err := g.sort(nodes); err != nil {
		return nil, err
	}
	return g, nil
}

// sort fills the order: again and again the first node, as given, whose needs are all placed.
func (g *Graph) sort(nodes []Node) error {
	left := slices.Clone(nodes)
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(n Node) bool {
			return !slices.ContainsFunc(n.Needs, func(need string) bool { return !slices.Contains(g.order, need) })
		})
		if i < 0 {
			return fmt.Errorf("build graph: cycle: %s", strings.Join(g.cycle(left[0].Name), " needs "))
		}
		g.order = append(g.order, left[i].Name)
		left = slices.Delete(left, i, i+1)
	}
	return nil
}

// cycle follows needs that are not placed from a node that is not placed until a name comes again.
func (g *Graph) cycle(name string) []string {
	var path []string
	for {
		if i := slices.Index(path, name); i >= 0 {
			return append(path[i:], name)
		}
		path = append(path, name)
		for _, need := range g.needs[name] {
			if !slices.Contains(g.order, need) {
				name = need
				break
			}
		}
	}
}

// Order returns all tables, each after those it needs, otherwise in the order passed to [New].
func (g *Graph) Order() []string { return slices.Clone(g.order) }

// Needs returns the tables from which a table is made.
func (g *Graph) Needs(table string) []string { return slices.Clone(g.needs[table]) }

// Chained reports whether a unit of the table is also made from its unit of an earlier day.
func (g *Graph) Chained(table string) bool { return g.chained[table] }

// Closure returns the targets and everything that they need, directly or not, in order.
func (g *Graph) Closure(targets ...string) ([]string, error) {
	if err := g.check(targets); err != nil {
		return nil, err
	}
	in := make(map[string]bool)
	for _, t := range targets {
		in[t] = true
	}
	for _, t := range slices.Backward(g.order) {
		if in[t] {
			for _, need := range g.needs[t] {
				in[need] = true
			}
		}
	}
	return g.only(in), nil
}

// Units returns the partitions of the targets on the days, oldest day first and within a day in order. It
// does not add the tables that the targets need; use [Graph.Closure] for that.
func (g *Graph) Units(targets, days []string) ([]Unit, error) {
	if err := g.check(targets); err != nil {
		return nil, err
	}
	in := make(map[string]bool)
	for _, t := range targets {
		in[t] = true
	}
	days = slices.Clone(days)
	slices.Sort(days)
	var units []Unit
	for _, day := range slices.Compact(days) {
		if _, err := ParseDay(day); err != nil {
			return nil, err
		}
		for _, t := range g.only(in) {
			units = append(units, Unit{t, day})
		}
	}
	return units, nil
}

func (g *Graph) check(tables []string) error {
	for _, t := range tables {
		if _, known := g.needs[t]; !known {
			return fmt.Errorf("unknown table %q: there are %s", t, strings.Join(g.order, ", "))
		}
	}
	return nil
}

// only returns the tables of the set, in order.
func (g *Graph) only(in map[string]bool) []string {
	var out []string
	for _, t := range g.order {
		if in[t] {
			out = append(out, t)
		}
	}
	return out
}
