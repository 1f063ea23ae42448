package glean

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/ping"
)

// Inference makes definitions from pings: a ping says the type of each of its metrics. It is not safe for concurrent use.
type Inference struct {
	Pings int // that were read

	apps    map[string]*inferred
	left    map[string]int // what has no place in definitions, and how often it was there
	paths   ping.PathSet
	root    ping.Slot
	program *ping.Program
	doc     ping.Doc
}

// inferred collects the pings and metrics of an application.
type inferred struct {
	metrics map[[2]string]*seenMetric // by id and type
	columns map[[2]string]string      // ids by column and type
	pings   map[string]*seenPing
}

type seenMetric struct {
	pings map[string]bool
	extra map[string]bool // of events
	times int
}

// seenPing counts the pings of a type by the form that they had.
type seenPing struct{ withInfo, withoutInfo, withID int }

// Bounds of inferred definitions, because anybody can send pings.
const (
	maxExtras = 100   // of an event
	maxLeft   = 1_000 // names
)

var extraForm = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// NewInference returns an inference without pings.
func NewInference() *Inference {
	i := &Inference{apps: map[string]*inferred{}, left: map[string]int{}}
	i.root = i.paths.Add()
	i.program = i.paths.Compile()
	return i
}

// topLevel are the members that a document may have.
var topLevel = []string{"$schema", ClientInfo, PingInfo, Metrics, Events}

// IsKind reports whether pings of a kind may have definitions: those of telemetry and requests for deletion do not.
func IsKind(kind ping.DocType) bool {
	_, name, is := strings.Cut(string(kind), "/")
	return is && !(&Ping{Name: name}).deletes()
}

// Add adds a ping of a kind, such as firefox-desktop/baseline. Other kinds and documents of another form are left out.
func (i *Inference) Add(kind ping.DocType, body []byte) error {
	if !IsKind(kind) {
		return nil
	}
	application, name, _ := strings.Cut(string(kind), "/")
	if err := i.doc.Scan(i.program, body); err != nil {
		return err
	}
	members := i.doc.Value(i.root).Members(nil)
	odd := slices.ContainsFunc(members, func(m ping.Member) bool { return !slices.Contains(topLevel, string(m.Key)) })
	if odd || !applicationForm().MatchString(application) || !pingForm().MatchString(name) {
		i.leave("pings " + string(kind))
		return nil
	}
	app := i.apps[application]
	if app == nil {
		app = newInferred()
		i.apps[application] = app
	}
	i.Pings++
	seen := app.pings[name]
	if seen == nil {
		seen = &seenPing{}
		app.pings[name] = seen
	}
	info := false
	for _, m := range members {
		switch string(m.Key) {
		case ClientInfo:
			if info = true; m.Value.Get("client_id").Kind() == ping.String {
				seen.withID++
			}
		case PingInfo:
			info = true
		case Metrics:
			for _, typ := range m.Value.Members(nil) {
				for _, metric := range typ.Value.Members(nil) {
					i.metric(app, string(metric.Key), string(typ.Key), name)
				}
			}
		case Events:
			for _, e := range m.Value.Elements(nil) {
				i.event(app, e, name)
			}
		}
	}
	if info {
		seen.withInfo++
	} else {
		seen.withoutInfo++
	}
	return nil
}

func newInferred() *inferred {
	app := &inferred{metrics: map[[2]string]*seenMetric{}, columns: map[[2]string]string{}, pings: map[string]*seenPing{}}
	for _, m := range readCore() {
		for _, c := range m.columns() {
			app.columns[[2]string{c, m.Type}] = m.ID
		}
	}
	return app
}

// leave counts what has no place in definitions.
func (i *Inference) leave(what string) {
	if _, known := i.left[what]; known || len(i.left) < maxLeft {
		i.left[what]++
	}
}

// Left returns what the definitions lack, in order: it stays in additional_properties.
func (i *Inference) Left() []string { return slices.Sorted(maps.Keys(i.left)) }

// metric adds a metric of a ping, and returns it. It returns nil if definitions cannot have it.
func (i *Inference) metric(app *inferred, id, typ, docType string) *seenMetric {
	key := [2]string{id, typ}
	m := app.metrics[key]
	if m == nil {
		if why := app.misfit(id, typ); why != "" {
			i.leave("metric " + id + ": " + why)
			return nil
		}
		m = &seenMetric{pings: map[string]bool{}, extra: map[string]bool{}}
		app.metrics[key] = m
	}
	m.times++
	m.pings[docType] = true
	return m
}

// misfit explains why definitions cannot have a metric; "": they can. Then its columns are taken.
func (app *inferred) misfit(id, typ string) string {
	category, name := cutLast(id)
	_, known := columnTypes[typ]
	switch {
	case !known && typ != Event:
		return "no such type: " + typ
	case category == "pings" || category == "tags" || len(id) > maxID || !categoryForm().MatchString(category) ||
		!metricForm().MatchString(name):
		return "no category and name in lower case"
	case len(app.metrics) >= maxMetrics/2:
		return fmt.Sprintf("more than %d metrics", maxMetrics/2)
	case typ == Event:
		return ""
	}
	columns := (&Metric{ID: id, Type: typ}).columns()
	for _, c := range columns {
		if other := app.columns[[2]string{c, typ}]; c == "" || other != "" && other != id {
			return "it has the column of " + other
		}
	}
	for _, c := range columns {
		app.columns[[2]string{c, typ}] = id
	}
	return ""
}

func (i *Inference) event(app *inferred, e ping.Value, docType string) {
	category, _ := e.Get("category").Str(nil)
	name, _ := e.Get("name").Str(nil)
	id := string(name)
	if len(category) > 0 {
		id = string(category) + "." + id
	}
	m := i.metric(app, id, Event, docType)
	if m == nil {
		return
	}
	for _, extra := range e.Get("extra").Members(nil) {
		key := string(extra.Key)
		if !extraForm().MatchString(key) || len(m.extra) >= maxExtras && !m.extra[key] {
			i.leave("extra keys of event " + id)
			continue
		}
		m.extra[key] = true
	}
}
