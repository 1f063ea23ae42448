package metric

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema/dictionary"
)

// FewClients is the number of clients below which a group is marked: as in profiles, people among fewer could be
// recognised, and a percentile of so few values says nothing. Tables without client ids count pings instead.
const FewClients = 10

// The largest numbers of groups and of labels or values. All others are one group.
const (
	maxGroups = 8
	maxLabels = 12
)

// Question selects a metric, its days and its groups.
type Question struct {
	Entry    *dictionary.Entry
	Place    *dictionary.Place
	From, To string   // first and last day, YYYYMMDD
	By       string   // one of Groupings; "": all rows are one group
	Clients  bool     // each client counts once, not each ping
	Extra    string   // extra key by whose values events are counted; "": none
	Granted  []string // columns of the table that the person may read; nil: all
}

// Answer is a query with the columns of its result.
type Answer struct {
	SQL      string
	Shape    Shape
	Keys     []string // columns that name the group, after day
	Measures []string // the first one is drawn unless another is chosen
}

// ErrNoClients means that the rows of the table do not name their client.
var ErrNoClients = errors.New("the pings of this table have no client id: ask per ping")

// Write returns the query that answers a question.
func (q *Question) Write() (*Answer, error) {
	t := q.Place.Table
	if all := Groupings(t, q.Granted); q.By != "" && !slices.Contains(all, q.By) {
		return nil, fmt.Errorf("%s cannot be grouped by %q: want one of %v", t.Name, q.By, all)
	}
	hasClients := Clients(t, q.Granted)
	if q.Clients && !hasClients {
		return nil, ErrNoClients
	}
	if q.Extra != "" && q.Entry.Extra[q.Extra] == "" {
		return nil, fmt.Errorf("%s has no extra key %q", q.Entry.Name, q.Extra)
	}
	w := &writer{Question: q, form: formOf(q.Entry), hasClients: hasClients}
	w.found()
	w.bound()
	switch w.shape {
	case Numbers:
		w.numbers()
	case Distributions:
		w.distributions()
	case Rates:
		w.rates()
	default:
		w.counts()
	}
	return &Answer{SQL: w.sql(), Shape: w.shape, Keys: w.keys, Measures: w.measures}, nil
}

// writer collects the parts of a query.
type writer struct {
	*Question
	form

	hasClients bool
	with       []string // name AS (query)
	from       string   // name of the last of them
	keys       []string // columns beside the day that name a group
	rest       []string // further columns of found
	measures   []string
	last       string // the final SELECT, without its order
}

func (w *writer) sql() string {
	n := len(w.keys) + 1
	order := make([]string, n)
	for i := range order {
		order[i] = fmt.Sprint(i + 1)
	}
	return "WITH " + strings.Join(w.with, ", ") + "\n" + w.last + "\nORDER BY " + strings.Join(order, ", ")
}

// add adds a query under a name.
func (w *writer) add(name, query string) {
	w.with, w.from = append(w.with, name+" AS (\n  "+strings.ReplaceAll(query, "\n", "\n  ")+"\n)"), name
}

// group returns the columns of GROUP BY, with more columns behind them.
func (w *writer) group(more ...string) string {
	return strings.Join(slices.Concat([]string{"day"}, w.keys, more), ", ")
}

// few returns the column that marks groups of few clients.
func (w *writer) few(pings, clients string) string {
	if w.hasClients {
		return fmt.Sprintf("%s < %d AS few", clients, FewClients)
	}
	return fmt.Sprintf("%s < %d AS few", pings, FewClients)
}

// found selects the rows that have a value.
func (w *writer) found() {
	t, path := w.Place.Table, names(w.Place.Path)
	key := names(t.PartitionKeys[0])
	day := "date(date_parse(" + key + ", '%Y%m%d'))"
	if t.DashedDays {
		day = "CAST(" + key + " AS date)"
	}
	selected := []string{day + " AS day"}
	key = fmt.Sprintf("%s BETWEEN %s AND %s", key, literal(t.PartitionValue(w.From)), literal(t.PartitionValue(w.To)))
	if w.hasClients {
		selected, w.rest = append(selected, clientColumn+" AS client"), append(w.rest, "client")
	}
	if w.By != "" {
		selected, w.keys = append(selected, "coalesce(CAST("+names(w.groupPath())+" AS varchar), '(none)') AS "+names(w.By)),
			append(w.keys, names(w.By))
	}
	from, where := names(t.Name), key
	add := func(name, sql string) { selected, w.rest = append(selected, sql+" AS "+name), append(w.rest, name) }
	value := func(element string) string { return strings.ReplaceAll(w.value, "$", element) }
	label := func(sql string) { selected, w.keys = append(selected, sql+" AS label"), append(w.keys, "label") }
	switch {
	case w.shape == Events:
		from, where = w.events(from, where, label)
	case w.shape == Labels && w.isNested():
		from += "\nCROSS JOIN UNNEST(" + path + ") AS u (name, inner_counts)\nCROSS JOIN UNNEST(inner_counts) AS v (inner_name, element)"
		label("CAST(name AS varchar) || ' / ' || CAST(inner_name AS varchar)")
		add("value", value("element"))
	case w.shape == Labels && w.Place.Type.Key == nil:
		from += "\nCROSS JOIN UNNEST(" + path + ") AS u (element)"
		label("coalesce(element, '(none)')")
		add("value", w.value)
	case w.shape == Labels || w.labeled:
		from += "\nCROSS JOIN UNNEST(" + path + ") AS u (name, element)"
		where += "\n  AND element IS NOT NULL"
		label("CAST(name AS varchar)")
		path = "element"
		fallthrough
	default:
		if path != "element" {
			where += "\n  AND " + path + " IS NOT NULL"
		}
		w.values(path, value, add, &selected)
	}
	w.add("found", "SELECT\n  "+strings.Join(selected, ",\n  ")+"\nFROM "+from+"\nWHERE "+where)
}

// values selects the columns of one value.
func (w *writer) values(path string, value func(string) string, add func(name, sql string), selected *[]string) {
	switch w.shape {
	case Values:
		*selected, w.keys = append(*selected, value(path)+" AS value"), append(w.keys, "value")
	case Rates:
		add("numerator", path+".numerator * 1e0")
		add("denominator", path+".denominator * 1e0")
	case Distributions:
		if strings.HasPrefix(w.value, "$.") {
			add("total", path+".sum * 1e0")
		}
		add("buckets", value(path))
	case Numbers, Labels:
		add("value", value(path))
	}
}

// events selects the events of an id. label adds the column of the extra key.
func (w *writer) events(from, where string, label func(sql string)) (string, string) {
	id := w.Entry.ID
	dot := strings.LastIndexByte(id, '.')
	from += "\nCROSS JOIN UNNEST(" + names(w.Place.Column) + ") AS e (category, name, at, extra, visit)"
	where += fmt.Sprintf("\n  AND category = %s\n  AND name = %s", literal(id[:max(dot, 0)]), literal(id[dot+1:]))
	if w.Extra != "" {
		label("coalesce(element_at(extra, " + literal(w.Extra) + "), '(none)')")
	}
	return from, where
}

// isNested reports whether labels are of two levels.
func (w *writer) isNested() bool {
	typ := w.Place.Type
	return typ.Key != nil && typ.Elem != nil && typ.Elem.Key != nil
}

func (w *writer) groupPath() string {
	for _, g := range groupings {
		if g.name == w.By {
			return g.in(w.Place.Table)
		}
	}
	return ""
}

// bound makes all but the most frequent groups, labels and values one.
func (w *writer) bound() {
	if len(w.keys) == 0 {
		return
	}
	selected, joins := []string{"day"}, ""
	for _, key := range w.keys {
		most := maxLabels
		if key == names(w.By) {
			most = maxGroups
		}
		top := "top_" + strings.Trim(key, `"`)
		w.with = append(w.with, fmt.Sprintf("%s AS (\n  SELECT %s AS %s\n  FROM found\n  GROUP BY 1\n  ORDER BY count(*) DESC, 1\n  LIMIT %d\n)",
			top, key, key, most))
		selected = append(selected, fmt.Sprintf("coalesce(%s.%s, '(other)') AS %s", top, key, key))
		joins += fmt.Sprintf("\nLEFT JOIN %s ON %s.%s = found.%s", top, top, key, key)
	}
	w.add("bounded", "SELECT "+strings.Join(append(selected, w.rest...), ", ")+"\nFROM found"+joins)
}
