package glean

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// keptApplication is an application in the kept definitions. Its metrics are in groups, since thousands of them have a few
// types and pings: reading them takes half the time.
type keptApplication struct {
	Source  string      `json:"source,omitempty"`
	Columns []string    `json:"columns,omitempty"`
	Pings   []*Ping     `json:"pings"`
	Groups  []keptGroup `json:"groups"`
}

// keptGroup holds metrics of a type that the same pings have had since the same day.
type keptGroup struct {
	Type    string       `json:"type"`
	Pings   []string     `json:"pings"`
	Since   string       `json:"since"`
	Metrics []keptMetric `json:"metrics"`
}

type keptMetric struct {
	ID          string            `json:"id,omitempty"`
	Column      string            `json:"column,omitempty"`
	Description string            `json:"description,omitempty"`
	Extra       map[string]string `json:"extra,omitempty"`
	Expires     string            `json:"expires,omitempty"`
}

// marshalKept returns definitions as JSON. Equal definitions have equal bytes.
func marshalKept(defs Definitions) ([]byte, error) {
	all := map[string]keptApplication{}
	for id, app := range defs {
		groups := map[string]*keptGroup{}
		for _, m := range app.Metrics {
			key := strings.Join(append([]string{m.Type, m.Since}, m.Pings...), " ")
			g := groups[key]
			if g == nil {
				g = &keptGroup{Type: m.Type, Pings: m.Pings, Since: m.Since}
				groups[key] = g
			}
			g.Metrics = append(g.Metrics, keptMetric{m.ID, m.Column, m.Description, m.Extra, m.Expires})
		}
		kept := keptApplication{Source: app.Source, Columns: app.Columns, Pings: app.Pings}
		for _, key := range slices.Sorted(maps.Keys(groups)) {
			kept.Groups = append(kept.Groups, *groups[key])
		}
		all[id] = kept
	}
	return json.Marshal(all)
}

// unmarshalKept reads what marshalKept wrote.
func unmarshalKept(data []byte) (Definitions, error) {
	var all map[string]keptApplication
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	defs := Definitions{}
	for id, kept := range all {
		app := &Application{ID: id, Source: kept.Source, Columns: kept.Columns, Pings: kept.Pings}
		for _, g := range kept.Groups {
			for _, m := range g.Metrics {
				app.Metrics = append(app.Metrics, &Metric{
					ID: m.ID, Column: m.Column, Type: g.Type, Description: m.Description, Pings: g.Pings, Extra: m.Extra, Expires: m.Expires, Since: g.Since,
				})
			}
		}
		slices.SortFunc(app.Metrics, func(a, b *Metric) int { return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.Type, b.Type)) })
		defs[id] = app
	}
	return defs, nil
}
