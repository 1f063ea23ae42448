package redash

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// chartKinds are the kinds of charts by those of Redash. The others have none here.
var chartKinds = map[string]string{"line": "line", "column": "bar", "area": "area", "scatter": "scatter",
	"heatmap": "heatmap"}

// chartOf converts a visualization. note says what is different, or that it cannot be converted.
func chartOf(v *visualization) (chart *saved.Chart, note string) {
	switch v.Type {
	case "TABLE":
		return nil, ""
	case "COUNTER":
		var o struct {
			Column string `json:"counterColName"`
		}
		if json.Unmarshal(v.Options, &o) != nil || o.Column == "" {
			return nil, "the counter has no column: it is a table"
		}
		return &saved.Chart{Kind: "number", Y: []string{o.Column}}, ""
	case "FUNNEL":
		type column struct {
			Name string `json:"colName"`
		}
		var o struct {
			Step  column `json:"stepCol"`
			Value column `json:"valueCol"`
		}
		if json.Unmarshal(v.Options, &o) != nil || o.Step.Name == "" || o.Value.Name == "" {
			return nil, "the funnel has no columns: it is a table"
		}
		return &saved.Chart{Kind: "funnel", X: o.Step.Name, Y: []string{o.Value.Name}}, ""
	case "CHART":
	default:
		return nil, fmt.Sprintf("there is no kind %.40s here: it is a table", v.Type)
	}
	var o struct {
		Type    string            `json:"globalSeriesType"`
		Columns map[string]string `json:"columnMapping"`
		Series  struct {
			Stacking string `json:"stacking"`
		} `json:"series"`
		YAxis []struct {
			Type string `json:"type"`
		} `json:"yAxis"`
		SeriesOptions map[string]struct {
			YAxis int `json:"yAxis"`
		} `json:"seriesOptions"`
		Percent bool `json:"percentValues"`
		Swapped bool `json:"swappedAxes"`
	}
	if err := json.Unmarshal(v.Options, &o); err != nil {
		return nil, "its options cannot be read: it is a table"
	}
	kind, known := chartKinds[o.Type]
	switch {
	case o.Type == "pie":
		kind, note = "bar", "a pie is a chart of bars"
	case o.Type == "bubble":
		kind, note = "scatter", "bubbles are points of one size"
	case !known:
		return nil, fmt.Sprintf("there is no chart of kind %.40q here: it is a table", o.Type)
	}
	chart = &saved.Chart{Kind: kind, Stacked: o.Series.Stacking == "stack", Log: len(o.YAxis) > 0 && o.YAxis[0].Type == "logarithmic",
		Share: o.Percent, Horizontal: o.Swapped && kind == "bar"}
	value := ""
	for _, column := range slices.Sorted(maps.Keys(o.Columns)) {
		switch o.Columns[column] {
		case "x":
			chart.X = column
		case "y":
			if chart.Y = append(chart.Y, column); o.SeriesOptions[column].YAxis == 1 {
				chart.Right = append(chart.Right, column)
			}
		case "zVal":
			value = column
		case "series":
			chart.Series = column
		}
	}
	if kind == "heatmap" && value != "" && len(chart.Y) == 1 {
		chart.Series, chart.Y = chart.Y[0], []string{value}
	}
	if chart.X == "" || len(chart.Y) == 0 || kind == "heatmap" && value == "" {
		return nil, "the chart has no columns of both axes: it is a table"
	}
	return chart, note
}

// The sizes of the grids.
const (
	redashColumns, columns = 6, 12
	defaultHeight          = 8
)

// board converts a dashboard.
func (c *converter) board(b *board, path string) {
	d := dashboard.Doc{Title: limited(b.Name, 200, fmt.Sprint("Dashboard ", b.ID)), Tags: tags(b.Tags)}
	scale := columns / redashColumns
	for _, w := range b.Widgets {
		if p := w.Options.Position; p != nil && p.Col+p.SizeX > redashColumns { // newer versions have a finer grid
			scale = 1
		}
	}
	for _, w := range b.Widgets {
		own := dashboard.Widget{ID: "w" + strconv.FormatInt(max(w.ID, 0), 10), Kind: dashboard.Text, Text: w.Text}
		switch {
		case w.Options.IsHidden:
			c.leave(path, "widget %d is hidden", w.ID)
			continue
		case w.Visualization != nil && w.Visualization.Query != nil:
			if !c.fill(&d, &own, &w, path) {
				continue
			}
		case strings.TrimSpace(w.Text) == "":
			c.leave(path, "widget %d has neither a text nor a visualization", w.ID)
			continue
		}
		place(&d, &own, &w, scale)
		d.Widgets = append(d.Widgets, own)
	}
	if err := d.Clean(); err != nil {
		c.leave(path, "dashboard %d: %s", b.ID, err)
		return
	}
	c.Dashboards = append(c.Dashboards, files.Dashboard{ID: queryID(b.ID), Doc: d})
}

// fill makes a widget show its visualization, with its parameters.
func (c *converter) fill(d *dashboard.Doc, own *dashboard.Widget, w *widget, path string) bool {
	v := w.Visualization
	s := c.queries[v.Query.ID]
	if !s.converted {
		c.leave(path, "widget %d: query %d could not be converted", w.ID, s.ID)
		return false
	}
	own.Query, own.Kind, own.Text = queryID(s.ID), dashboard.Table, ""
	if n, drawn := s.charts[v.ID]; drawn {
		own.Kind, own.Chart = dashboard.Chart, n
		if v.Type == "COUNTER" {
			own.Kind = dashboard.Number
		}
	}
	own.Title = limited(s.Name, 200, "")
	if v.Name != "" && !slices.Contains([]string{"Table", "Chart", "Counter"}, v.Name) {
		own.Title = limited(cmp.Or(v.Name, s.Name), 200, "")
	}
	for _, name := range slices.Sorted(maps.Keys(s.sql.names)) {
		here := s.sql.names[name]
		i := slices.IndexFunc(s.sql.parameters, func(p params.Parameter) bool { return p.Name == here })
		declared, m := s.sql.parameters[i], w.Options.Mappings[name]
		var value any
		if json.Unmarshal(m.Value, &value) != nil {
			value = nil
		}
		shared := named(cmp.Or(m.MapTo, name))
		switch m.Type {
		case "static-value":
			if value == nil {
				value = declared.Default
			}
			if value != nil {
				c.bind(own, here, dashboard.WidgetValue{Value: static(&declared, value)})
			}
			continue
		case "widget-level": // a parameter of the dashboard for this widget alone
			shared = named(fmt.Sprintf("%.40s_%s", name, own.ID))
			declared.Title = limited(cmp.Or(m.Title, declared.Title, name)+" ("+own.Title+")", 200, "")
		}
		if m.Title != "" && m.Type != "widget-level" {
			declared.Title = limited(m.Title, 200, "")
		}
		declared.Name = shared
		if !slices.ContainsFunc(d.Parameters, func(p dashboard.SharedParameter) bool { return p.Name == shared }) {
			p := dashboard.SharedParameter{Parameter: declared}
			if id := s.sql.options[here]; id != 0 {
				p.Options = queryID(id)
			}
			d.Parameters = append(d.Parameters, p)
		}
		if shared != here {
			c.bind(own, here, dashboard.WidgetValue{Parameter: shared})
		}
	}
	return true
}

func (c *converter) bind(own *dashboard.Widget, name string, v dashboard.WidgetValue) {
	if own.Parameters == nil {
		own.Parameters = map[string]dashboard.WidgetValue{}
	}
	own.Parameters[name] = v
}

// static returns a fixed value in the form of a parameter's kind.
func static(p *params.Parameter, v any) any {
	switch p.Kind {
	case params.Day, params.Days:
		if day := relative(v, func(string, ...any) {}); day != nil {
			return day
		}
		return p.Default
	case params.List:
		if _, is := v.([]any); !is {
			return []any{v}
		}
	case params.Text, params.Choice:
		if _, is := v.(string); !is {
			return fmt.Sprint(v)
		}
	}
	return v
}

// place gives a widget its place in the grid, below others that are there already.
func place(d *dashboard.Doc, own *dashboard.Widget, w *widget, scale int) {
	own.W, own.H = columns/2*min(max(w.Width, 1), 2), defaultHeight
	for _, o := range d.Widgets {
		own.Y = max(own.Y, o.Y+o.H)
	}
	bottom := own.Y
	if p := w.Options.Position; p != nil {
		own.W = min(max(p.SizeX*scale, 1), columns)
		own.X = min(max(p.Col*scale, 0), columns-own.W)
		own.Y, own.H = max(p.Row, 0), min(max(p.SizeY, 1), 40)
	}
	if slices.ContainsFunc(d.Widgets, func(o dashboard.Widget) bool {
		return o.X < own.X+own.W && own.X < o.X+o.W && o.Y < own.Y+own.H && own.Y < o.Y+o.H
	}) {
		own.Y = bottom
	}
}

// limited returns the first characters of a text on one line, or another text if it is empty.
func limited(text string, most int, empty string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && (r != '\n' || most <= 200) {
			return ' '
		}
		return r
	}, text), ""))
	if r := []rune(text); len(r) > most {
		text = string(r[:most])
	}
	return cmp.Or(text, empty)
}

// tags returns the tags that can be stored.
func tags(all []string) (some []string) {
	for _, t := range all {
		if t = limited(t, 50, ""); t != "" && len(some) < 20 {
			some = append(some, t)
		}
	}
	return some
}
