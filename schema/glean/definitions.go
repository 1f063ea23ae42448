package glean

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Definitions are the applications of an installation by id.
type Definitions map[string]*Application

// Application has the metrics and pings of an application, including those of its libraries.
type Application struct {
	ID      string    `json:"id"`
	Source  string    `json:"source,omitempty"`  // where built-in definitions come from
	Metrics []*Metric `json:"metrics"`           // by id, type
	Pings   []*Ping   `json:"pings"`             // by name
	Columns []string  `json:"columns,omitempty"` // of the metrics ping: ids or columns of the metrics that get columns; nil: all
}

// Ping returns the definition of a ping, or nil.
func (a *Application) Ping(name string) *Ping {
	for _, p := range a.Pings {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// InfoSections reports whether pings of a type have the members client_info and ping_info. It is not known of pings that no
// file defines, nor where versions of the definitions contradict each other.
func (d Definitions) InfoSections(application, ping string) (has, known bool) {
	app := d[application]
	if app == nil {
		return false, false
	}
	p := app.Ping(ping)
	if p == nil || p.WithInfo == p.WithoutInfo {
		return false, false
	}
	return p.WithInfo, true
}

// Union returns the definitions of both. Descriptions come from newer. A metric keeps all pings that it ever had, and a
// metric with another type is a second one, so that no column is ever removed or changes its type.
func Union(older, newer Definitions) Definitions {
	all := Definitions{}
	for _, id := range slices.Sorted(maps.Keys(older)) {
		all[id] = older[id]
	}
	for _, id := range slices.Sorted(maps.Keys(newer)) {
		if old := all[id]; old != nil {
			all[id] = old.with(newer[id])
		} else {
			all[id] = newer[id]
		}
	}
	return all
}

// with returns the application with the metrics and pings of a newer version of its definitions added.
func (a *Application) with(newer *Application) *Application {
	out := &Application{ID: a.ID, Source: cmp.Or(newer.Source, a.Source)}
	if a.Columns != nil && newer.Columns != nil {
		out.Columns = sortedUnion(a.Columns, newer.Columns)
	}
	metrics := map[[2]string]*Metric{}
	for _, m := range slices.Concat(a.Metrics, newer.Metrics) {
		key := [2]string{m.name(), m.Type}
		if before := metrics[key]; before != nil {
			m = before.with(m)
		}
		metrics[key] = m
	}
	pings := map[string]*Ping{}
	for _, p := range slices.Concat(a.Pings, newer.Pings) {
		if before := pings[p.Name]; before != nil {
			p = before.with(p)
		}
		pings[p.Name] = p
	}
	named(metrics)
	out.Metrics, out.Pings = sortedMetrics(metrics), sortedPings(pings)
	return out
}

// named joins metrics known by their columns with metrics of the same column that have an id.
func named(metrics map[[2]string]*Metric) {
	byColumn := map[[2]string]*Metric{}
	for _, m := range sortedMetrics(metrics) {
		if m.ID != "" {
			byColumn[[2]string{m.column(), m.Type}] = m
		}
	}
	for key, m := range metrics {
		if with := byColumn[[2]string{m.column(), m.Type}]; with != nil && m.ID == "" && m.Type != Event {
			joined := *with
			joined.Pings = sortedUnion(m.Pings, with.Pings)
			joined.Since = earlier(m.Since, with.Since)
			delete(metrics, key)
			metrics[[2]string{with.ID, with.Type}] = &joined
		}
	}
}

// earlier returns the earlier one of two days; "" is none.
func earlier(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func (m *Metric) with(newer *Metric) *Metric {
	out := *newer
	out.Description, out.Since = cmp.Or(newer.Description, m.Description), earlier(m.Since, newer.Since)
	out.Pings = sortedUnion(m.Pings, newer.Pings)
	if out.Extra = maps.Clone(m.Extra); out.Extra == nil {
		out.Extra = newer.Extra
		return &out
	}
	for key, types := range newer.Extra {
		out.Extra[key] = strings.Join(sortedUnion(strings.Fields(out.Extra[key]), strings.Fields(types)), " ")
	}
	return &out
}

func (p *Ping) with(newer *Ping) *Ping {
	out := *newer
	if !newer.defined() && p.defined() {
		out = *p
	}
	out.ClientID, out.InfoSection = p.ClientID || newer.ClientID, p.InfoSection || newer.InfoSection
	out.WithInfo, out.WithoutInfo = p.WithInfo || newer.WithInfo, p.WithoutInfo || newer.WithoutInfo
	out.Description, out.Since = cmp.Or(newer.Description, p.Description), earlier(p.Since, newer.Since)
	if out.Generic = p.Generic && newer.Generic; p.Generic && !out.Generic {
		out.Description = newer.Description
	}
	return &out
}

func sortedUnion(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func sortedMetrics(byID map[[2]string]*Metric) []*Metric {
	return slices.SortedFunc(maps.Values(byID), func(a, b *Metric) int {
		return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.Type, b.Type))
	})
}

func sortedPings(byName map[string]*Ping) []*Ping {
	return slices.SortedFunc(maps.Values(byName), func(a, b *Ping) int { return cmp.Compare(a.Name, b.Name) })
}

// imply adds pings that metrics name and no file defines, with the SDK's defaults.
func (a *Application) imply() {
	pings := map[string]*Ping{}
	for _, p := range a.Pings {
		pings[p.Name] = p
	}
	for _, m := range a.Metrics {
		for _, name := range m.Pings {
			if pings[name] == nil && name != allPings {
				pings[name] = &Ping{Name: name, ClientID: true, InfoSection: true}
			}
		}
	}
	a.Pings = sortedPings(pings)
}

// check returns an error if two metrics would have one column.
func (a *Application) check() error {
	seen := map[[2]string][]*Metric{}
	for _, m := range a.Metrics {
		if m.column() == "" {
			return fmt.Errorf("%s: metric %s: its name gives no name of a column", m.from, m.ID)
		}
		for _, column := range m.columns() {
			at := [2]string{m.Type, column}
			if i := slices.IndexFunc(seen[at], m.shares); i >= 0 && m.Type != Event {
				return fmt.Errorf("%s: metric %s: its column %s belongs to %s metric %s, too: rename one",
					m.from, m.name(), column, m.Type, seen[at][i].name())
			}
			seen[at] = append(seen[at], m)
		}
	}
	return nil
}

// columns returns the names of the metric's columns: a datetime has its text beside the time.
func (m *Metric) columns() []string {
	if m.Type == "datetime" {
		return []string{m.column(), "raw_" + m.column()}
	}
	return []string{m.column()}
}

// shares reports whether a ping has both metrics.
func (m *Metric) shares(other *Metric) bool {
	all := slices.Contains(m.Pings, allPings) || slices.Contains(other.Pings, allPings)
	return all || slices.ContainsFunc(m.Pings, func(p string) bool { return slices.Contains(other.Pings, p) })
}
