package glean

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// storedApplication is an application in the stored definitions. Its metrics are in groups, since thousands of them
// have a few types and pings: reading them takes half the time.
type storedApplication struct {
	Source  string        `json:"source,omitempty"`
	Columns []string      `json:"columns,omitempty"`
	Pings   []*Ping       `json:"pings"`
	Groups  []storedGroup `json:"groups"`
}

// storedGroup holds metrics of a type that the same pings have had since the same day.
type storedGroup struct {
	Type    string         `json:"type"`
	Pings   []string       `json:"pings"`
	Since   string         `json:"since"`
	Metrics []storedMetric `json:"metrics"`
}

type storedMetric struct {
	ID          string            `json:"id,omitempty"`
	Column      string            `json:"column,omitempty"`
	Description string            `json:"description,omitempty"`
	Extra       map[string]string `json:"extra,omitempty"`
	Expires     string            `json:"expires,omitempty"`
}

// marshalStored returns definitions as JSON. Equal definitions have equal bytes.
func marshalStored(defs Definitions) ([]byte, error) {
	all := map[string]storedApplication{}
	for id, app := range defs {
		groups := map[string]*storedGroup{}
		for _, m := range app.Metrics {
			key := strings.Join(append([]string{m.Type, m.Since}, m.Pings...), " ")
			g := groups[key]
			if g == nil {
				g = &storedGroup{Type: m.Type, Pings: m.Pings, Since: m.Since}
				groups[key] = g
			}
			g.Metrics = append(g.Metrics, storedMetric{m.ID, m.Column, m.Description, m.Extra, m.Expires})
		}
		stored := storedApplication{Source: app.Source, Columns: app.Columns, Pings: app.Pings}
		for _, key := range slices.Sorted(maps.Keys(groups)) {
			stored.Groups = append(stored.Groups, *groups[key])
		}
		all[id] = stored
	}
	return json.Marshal(all)
}

// unmarshalStored reads what marshalStored wrote.
func unmarshalStored(data []byte) (Definitions, error) {
	var all map[string]storedApplication
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	defs := Definitions{}
	for id, stored := range all {
		app := &Application{ID: id, Source: stored.Source, Columns: stored.Columns, Pings: stored.Pings}
		for _, g := range stored.Groups {
			for _, m := range g.Metrics {
				app.Metrics = append(app.Metrics, &Metric{
					ID: m.ID, Column: m.Column, Type: g.Type, Description: m.Description, Pings: g.Pings, Extra: m.Extra, Expires: m.Expires,
					Since: g.Since,
				})
			}
		}
		slices.SortFunc(app.Metrics, func(a, b *Metric) int { return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.Type, b.Type)) })
		defs[id] = app
	}
	return defs, nil
}
