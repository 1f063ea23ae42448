// Package dashboard stores dashboards: saved queries with their charts, and texts, on a grid, with shared parameters.
//
// A person sees a dashboard only if its own texts name no restricted table that they may not read. A widget whose query
// they may not see is refused to them: they see its place and its title, and nothing of its query. A query that does not
// exist any more is refused in the same way, so that a dashboard reveals no query and no table.
package dashboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/document"
)

// Dashboard is a dashboard with its owner and revision.
type Dashboard struct {
	document.Head
	Doc
}

// Doc is the part of a dashboard that people write.
type Doc struct {
	Title       string            `json:"title" minLength:"1" maxLength:"200"`
	Description string            `json:"description,omitempty" maxLength:"10000"`
	Tags        []string          `json:"tags,omitempty" maxItems:"20" nullable:"false"`
	Parameters  []SharedParameter `json:"parameters,omitempty" maxItems:"20" nullable:"false"`
	Refresh     int               `json:"refresh,omitempty" minimum:"0" maximum:"604800" doc:"seconds after which results are made again while somebody looks; 0: never"`
	Widgets     []Widget          `json:"widgets" maxItems:"60" nullable:"false"`
}

// SharedParameter is a value that the queries of a dashboard share.
type SharedParameter struct {
	params.Parameter
	Options string `json:"options,omitempty" maxLength:"100" doc:"id of a saved query; the first column of its result has the values to choose from"`
}

// WidgetKind is the form in which a widget shows its query.
type WidgetKind string

// The kinds of widgets.
const (
	Chart  WidgetKind = "chart"
	Table  WidgetKind = "table"
	Number WidgetKind = "number"
	Text   WidgetKind = "text" // without a query
)

// Widget is a part of a dashboard. The grid has 12 columns.
type Widget struct {
	ID         string                 `json:"id" pattern:"^[a-z0-9-]+$" maxLength:"40" doc:"unique in the dashboard"`
	Kind       WidgetKind             `json:"kind" enum:"chart,table,number,text"`
	Title      string                 `json:"title,omitempty" maxLength:"200" doc:"empty: the title of the query"`
	Query      string                 `json:"query,omitempty" maxLength:"100" doc:"id of a saved query"`
	Chart      int                    `json:"chart,omitempty" minimum:"0" maximum:"100" doc:"number of the query's chart, from 0"`
	Text       string                 `json:"text,omitempty" maxLength:"20000" doc:"Markdown"`
	X          int                    `json:"x" minimum:"0" maximum:"11"`
	Y          int                    `json:"y" minimum:"0" maximum:"2000"`
	W          int                    `json:"w" minimum:"1" maximum:"12"`
	H          int                    `json:"h" minimum:"1" maximum:"40"`
	Parameters map[string]WidgetValue `json:"parameters,omitempty" doc:"values of the query's parameters; others take the dashboard's parameter of the same name, or their own default"`
	Refused    bool                   `json:"refused,omitempty" doc:"its query is not for the person who asks, or does not exist any more"`
}

// WidgetValue is the value of a query's parameter: that of a parameter of the dashboard, or a fixed one.
type WidgetValue struct {
	Parameter string `json:"parameter,omitempty" maxLength:"64" doc:"name of the dashboard's parameter"`
	Value     any    `json:"value,omitempty" doc:"a fixed value instead"`
}

// Limits of a dashboard.
const (
	maxWidgets    = 60
	maxParameters = 20
	maxValues     = 50 // of the parameters of a widget
	maxText       = 20_000
	maxBytes      = 256 << 10 // of the dashboard as JSON
	minRefresh    = 60        // seconds
	maxRefresh    = 7 * 24 * 60 * 60
	columns       = 12
	maxHeight     = 40
	maxRow        = 2000
)

// ErrNotFound means the dashboard does not exist or the person may not see it.
var ErrNotFound = errors.New("there is no such dashboard")

var idForm = lazy.Regexp(`^[a-z0-9-]{1,40}$`)

// Clean brings a doc into its stored form, or returns why it is not valid.
func (d *Doc) Clean() error {
	d.Title, d.Description = strings.TrimSpace(d.Title), strings.TrimSpace(d.Description)
	if err := errors.Join(document.CheckTitle(d.Title), document.CheckText("description", d.Description, 0, 10_000)); err != nil {
		return err
	}
	var err error
	if d.Tags, err = document.CleanTags(d.Tags); err != nil {
		return err
	}
	if d.Refresh != 0 && (d.Refresh < minRefresh || d.Refresh > maxRefresh) {
		return document.Invalid("refresh is 0, or from %d to %d seconds", minRefresh, maxRefresh)
	}
	if err := d.checkParameters(); err != nil {
		return err
	}
	if err := d.cleanWidgets(); err != nil {
		return err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return document.Invalid("a value of the dashboard is no JSON: %s", err)
	}
	if len(text) > maxBytes {
		return document.Invalid("the dashboard has %d bytes: at most %d are possible", len(text), maxBytes)
	}
	return nil
}

func (d *Doc) checkParameters() error {
	if len(d.Parameters) > maxParameters {
		return document.Invalid("a dashboard has at most %d parameters", maxParameters)
	}
	if err := params.Check(d.declared()); err != nil {
		return document.Invalid("%s", err)
	}
	for _, p := range d.Parameters {
		if len(p.Options) > 100 {
			return document.Invalid("parameter %s: its options are no id of a saved query", p.Name)
		}
	}
	return nil
}

// has reports whether the dashboard has a parameter.
func (d *Doc) has(parameter string) bool {
	return slices.ContainsFunc(d.Parameters, func(p SharedParameter) bool { return p.Name == parameter })
}

// declared returns the parameters without their options.
func (d *Doc) declared() []params.Parameter {
	all := make([]params.Parameter, len(d.Parameters))
	for i, p := range d.Parameters {
		all[i] = p.Parameter
	}
	return all
}

func (d *Doc) cleanWidgets() error {
	if len(d.Widgets) > maxWidgets {
		return document.Invalid("a dashboard has at most %d widgets", maxWidgets)
	}
	if d.Widgets == nil {
		d.Widgets = []Widget{}
	}
	for i := range d.Widgets {
		w := &d.Widgets[i]
		w.Title = strings.TrimSpace(w.Title)
		if err := w.check(d); err != nil {
			return err
		}
		for _, o := range d.Widgets[:i] {
			if o.ID == w.ID {
				return document.Invalid("two widgets have the id %s", w.ID)
			}
			if o.X < w.X+w.W && w.X < o.X+o.W && o.Y < w.Y+w.H && w.Y < o.Y+o.H {
				return document.Invalid("widgets %s and %s overlap", o.ID, w.ID)
			}
		}
	}
	return nil
}

func (w *Widget) check(d *Doc) error {
	if !idForm().MatchString(w.ID) {
		return document.Invalid("%.60q is no id of a widget: write small letters, digits and -", w.ID)
	}
	bad := func(format string, args ...any) error {
		return document.Invalid("widget %s: %s", w.ID, fmt.Sprintf(format, args...))
	}
	switch {
	case !slices.Contains([]WidgetKind{Chart, Table, Number, Text}, w.Kind):
		return bad("no kind %.40q: want chart, table, number or text", w.Kind)
	case w.X < 0 || w.W < 1 || w.X > columns || w.W > columns || w.X+w.W > columns || w.Y < 0 || w.Y > maxRow || w.H < 1 || w.H > maxHeight:
		return bad("it is outside of the grid of %d columns, or higher than %d rows", columns, maxHeight)
	case w.Kind != Text && w.Query == "" && !w.Refused:
		return bad("it has no query")
	case w.Kind == Text && (w.Query != "" || len(w.Parameters) > 0):
		return bad("a text has no query and no parameters")
	case len(w.Query) > 100 || w.Chart < 0 || w.Chart > 100:
		return bad("it has no such query or chart")
	case len(w.Parameters) > maxValues:
		return bad("it has more than %d parameters", maxValues)
	}
	if w.Kind != Text {
		w.Text = ""
	}
	if err := errors.Join(document.CheckText("title", w.Title, 0, 200), document.CheckText("text", w.Text, 0, maxText)); err != nil {
		return bad("%s", err)
	}
	for name, v := range w.Parameters {
		if len(name) > 64 || (v.Parameter == "") == (v.Value == nil) {
			return bad("parameter %.64s has either a parameter of the dashboard or a value", name)
		}
		if v.Parameter != "" && !d.has(v.Parameter) {
			return bad("the dashboard has no parameter %.64s", v.Parameter)
		}
	}
	return nil
}
