// Package metrics serves the dictionary of metrics, and the queries that show one over days. A person sees metrics of
// visible tables only, and queries of readable columns.
package metrics

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/dictionary"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/site"
)

// Options holds the dependencies of the operations.
type Options struct {
	Site *site.Site
	Now  func() time.Time
}

// Register adds the operations.
func Register(a huma.API, o Options) {
	m := &metrics{o, dictionary.New(o.Site.Tables), quality.NewBook()}
	api.Do(a, "GET /metrics", "Search the metrics of all definitions", api.Member, m.list)
	api.Do(a, "GET /metrics/{table}/{column}", "A metric with all of its columns", api.Member, m.get)
	api.Do(a, "GET /metrics/{table}/{column}/query", "The query that shows a metric over days", api.Member, m.query)
}

type metrics struct {
	Options

	dictionary *dictionary.Dictionary
	book       *quality.Book
}

// MetricEntry is a metric of the dictionary.
type MetricEntry struct {
	Application string        `json:"application" doc:"application id of Glean, or telemetry"`
	Name        string        `json:"name" doc:"its id, or its column if the definitions have no id"`
	Type        string        `json:"type"`
	Description string        `json:"description,omitempty"`
	Pings       []string      `json:"pings" nullable:"false"`
	Extra       []ExtraKey    `json:"extra,omitempty" doc:"extra keys of an event"`
	Expires     string        `json:"expires,omitempty" doc:"never, expired, a day or a version; absent if it is not known"`
	Places      []MetricPlace `json:"places" nullable:"false" doc:"columns with its values; a list has the first one"`
	Columns     int           `json:"columns" doc:"how many columns have its values"`
}

// ExtraKey is an extra key of an event.
type ExtraKey struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// MetricPlace is a column with values of a metric, or a member of one.
type MetricPlace struct {
	Table  string   `json:"table"`
	Column string   `json:"column" doc:"column and members with points between them; of events the id follows"`
	Type   string   `json:"type"`
	Reads  bool     `json:"reads" doc:"you may query it"`
	Day    string   `json:"day,omitempty" doc:"the newest complete day with a profile"`
	Known  *float64 `json:"known,omitempty" doc:"share of that day's rows with a value; of events it is not known"`
}

type listInput struct {
	Text        string `query:"text" maxLength:"200" doc:"words that the name, type, description, pings or columns have, in any case"`
	Application string `query:"application" maxLength:"100"`
	Table       string `query:"table" maxLength:"200" doc:"only metrics with a column in it"`
	Ping        string `query:"ping" maxLength:"100"`
	Type        string `query:"type" maxLength:"100"`
	Limit       int    `query:"limit" default:"50" minimum:"1" maximum:"200"`
	Offset      int    `query:"offset" minimum:"0"`
}

type listOutput struct {
	Body struct {
		Items        []MetricEntry `json:"items" nullable:"false"`
		Total        int           `json:"total" doc:"how many there are, also beyond the limit"`
		Applications []string      `json:"applications" nullable:"false" doc:"of all metrics that you may see"`
		Pings        []string      `json:"pings" nullable:"false" doc:"of all metrics of the application"`
		Types        []string      `json:"types" nullable:"false"`
	}
}

// list returns metrics, those whose name has all words first.
func (m *metrics) list(ctx context.Context, in *listInput) (*listOutput, error) {
	s := m.sight(ctx)
	words := strings.Fields(strings.ToLower(in.Text))
	var byName, others []*dictionary.Entry
	var applications, pings, types names
	for _, e := range m.dictionary.Entries {
		if len(s.placesIn(e, in.Table)) == 0 {
			continue
		}
		if applications.add(e.Namespace); in.Application != "" && e.Namespace != in.Application {
			continue
		}
		sent := s.pings(e)
		pings.add(sent...)
		types.add(e.Type)
		switch {
		case in.Type != "" && e.Type != in.Type || in.Ping != "" && !slices.Contains(sent, in.Ping) || !e.Has(words, sent):
		case hasAll(strings.ToLower(e.Name), words):
			byName = append(byName, e)
		default:
			others = append(others, e)
		}
	}
	all := append(byName, others...)
	out := &listOutput{}
	out.Body.Total, out.Body.Applications, out.Body.Pings, out.Body.Types = len(all), applications.sorted(), pings.sorted(), types.sorted()
	out.Body.Items = []MetricEntry{}
	for _, e := range all[min(in.Offset, len(all)):min(in.Offset+in.Limit, len(all))] {
		places := s.placesIn(e, in.Table)
		entry := s.entry(e)
		first := max(0, slices.IndexFunc(places, s.reads))
		if err := s.describe(ctx, &entry, e, places[first:first+1]); err != nil {
			return nil, err
		}
		out.Body.Items = append(out.Body.Items, entry)
	}
	return out, nil
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// names collects different names.
type names struct{ has map[string]bool }

func (n *names) add(all ...string) {
	if n.has == nil {
		n.has = map[string]bool{}
	}
	for _, name := range all {
		n.has[name] = true
	}
}

func (n *names) sorted() []string {
	all := make([]string, 0, len(n.has))
	for name := range n.has {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// entry describes a metric without its places.
func (s *sight) entry(e *dictionary.Entry) MetricEntry {
	out := MetricEntry{
		Application: e.Namespace, Name: e.Name, Type: e.Type, Description: e.Description, Pings: append([]string{}, s.pings(e)...),
		Expires: e.Expires,
		Places:  []MetricPlace{}, Columns: len(s.places(e)),
	}
	for name, typ := range e.Extra {
		out.Extra = append(out.Extra, ExtraKey{name, typ})
	}
	slices.SortFunc(out.Extra, func(a, b ExtraKey) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// sight holds the grants of a request's person.
type sight struct {
	*metrics

	person   *access.Person
	visible  map[string]bool
	profiles map[string]*profile // by table, as they are needed
}

func (m *metrics) sight(ctx context.Context) *sight {
	p := access.From(ctx)
	s := &sight{m, p, map[string]bool{}, map[string]*profile{}}
	for _, t := range p.Visible(m.Site.Tables) {
		s.visible[t.Name] = true
	}
	return s
}

// places returns the places of a metric in visible tables. A person with some columns of a table sees these.
func (s *sight) places(e *dictionary.Entry) (all []*dictionary.Place) {
	for i := range e.Places {
		if p := &e.Places[i]; s.visible[p.Table.Name] && (s.reads(p) || s.person.May(access.Administer)) {
			all = append(all, p)
		}
	}
	return all
}

// pings returns the pings of a metric, without those whose table is hidden.
func (s *sight) pings(e *dictionary.Entry) (all []string) {
	places := s.places(e)
	if len(places) == len(e.Places) {
		return e.Pings
	}
	for _, p := range places {
		if p.Table.DocType != "" && !slices.Contains(all, p.Table.DocType) {
			all = append(all, p.Table.DocType)
		}
	}
	return all
}

// placesIn returns those of a table; "" means all.
func (s *sight) placesIn(e *dictionary.Entry, table string) []*dictionary.Place {
	return slices.DeleteFunc(s.places(e), func(p *dictionary.Place) bool { return table != "" && p.Table.Name != table })
}

// reads reports whether the person may query a place.
func (s *sight) reads(p *dictionary.Place) bool {
	columns, may := s.person.Reads(p.Table)
	return may && (columns == nil || slices.Contains(columns, p.Column))
}

// find returns the metric at a place that the person may see.
func (s *sight) find(table, column string) (*dictionary.Entry, *dictionary.Place, error) {
	e, p := s.dictionary.Find(table, column)
	if e == nil || !slices.Contains(s.places(e), p) {
		return nil, nil, huma.Error404NotFound("there is no such metric")
	}
	return e, p, nil
}

// describe adds places to an entry.
func (s *sight) describe(ctx context.Context, out *MetricEntry, e *dictionary.Entry, places []*dictionary.Place) error {
	for _, p := range places {
		place := MetricPlace{Table: p.Table.Name, Column: p.Path, Type: p.Type.String(), Reads: s.reads(p)}
		if place.Reads && s.person.Counts(p.Table) {
			profile, err := s.profile(ctx, p.Table)
			if err != nil {
				return err
			}
			place.Day, place.Known = profile.day, profile.known(p.Path)
		}
		out.Places = append(out.Places, place)
	}
	return nil
}

// newest returns the newest published day of a table, or today if nothing is published.
func (m *metrics) newest(ctx context.Context, t *schema.Table) (string, error) {
	days, err := m.Site.TableOf(t).Days(ctx)
	if err != nil || len(days) == 0 {
		return m.Now().UTC().Format("20060102"), err
	}
	return days[len(days)-1], nil
}
