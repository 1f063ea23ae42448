package dashboard

import (
	"maps"
	"slices"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Values returns the values of the dashboard's parameters: those that are given, and the defaults of others. The error is an
// *InvalidError if a value is given for a parameter that the dashboard does not have.
func (d *Doc) Values(given map[string]any) (map[string]any, error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !d.has(name) {
			return nil, document.Invalid("the dashboard has no parameter %.64s", name)
		}
	}
	values := map[string]any{}
	for _, p := range d.Parameters {
		if v := given[p.Name]; v != nil {
			values[p.Name] = v
		} else if p.Default != nil {
			values[p.Name] = p.Default
		}
	}
	return values, nil
}

// QueryValues returns the values that a widget gives its query's parameters. A parameter that the widget does not name has the
// value of the dashboard's parameter of its name. Those without a value are left out, for their own default.
func (d *Doc) QueryValues(w *Widget, declared []params.Parameter, values map[string]any) map[string]any {
	all := map[string]any{}
	for _, p := range declared {
		v, named := w.Parameters[p.Name]
		value := v.Value
		if v.Parameter != "" {
			value = values[v.Parameter]
		} else if !named {
			value = values[p.Name]
		}
		if value != nil {
			all[p.Name] = value
		}
	}
	return all
}

// UsedQueries returns the ids of the saved queries of widgets and options, without duplicates.
func (d *Doc) UsedQueries() (ids []string) {
	for _, w := range d.Widgets {
		ids = append(ids, w.Query)
	}
	for _, p := range d.Parameters {
		ids = append(ids, p.Options)
	}
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}
