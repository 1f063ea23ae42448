package saved

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Chart describes how a query's result is drawn.
type Chart struct {
	Kind       string   `json:"kind" enum:"line,bar,area,scatter,histogram,box,cohort,pivot,heatmap,funnel,map,number,table"`
	X          string   `json:"x,omitempty" maxLength:"200" doc:"column along the axis; of a matrix: cohorts, rows of a pivot table, columns of a heatmap"`
	Y          []string `json:"y,omitempty" maxItems:"20" nullable:"false" doc:"columns that are drawn; of boxes: percentiles, the lowest first"`
	Series     string   `json:"series,omitempty" maxLength:"200" doc:"column whose values are series of their own; of a matrix: its other side"`
	Stacked    bool     `json:"stacked,omitempty"`
	Share      bool     `json:"share,omitempty" doc:"shares of the whole: of a stack, or of a cohort's first period"`
	Horizontal bool     `json:"horizontal,omitempty" doc:"draw bars horizontally"`
	Right      []string `json:"right,omitempty" maxItems:"20" nullable:"false" doc:"those of the columns that have the axis on the right"`
	Goal       *float64 `json:"goal,omitempty" doc:"a line across the chart at this value"`
	Drill      string   `json:"drill,omitempty" maxLength:"100" doc:"saved query that a click on a value opens; its parameters that are named like columns get their values"`
	Releases   bool     `json:"releases,omitempty" doc:"mark the days of releases on a time axis"`
	Log        bool     `json:"log,omitempty" doc:"the scale of the values is logarithmic"`
	Title      string   `json:"title,omitempty" maxLength:"200"`
}

// ChartKinds lists the kinds of charts that pages can draw.
var ChartKinds = strings.Split("line,bar,area,scatter,histogram,box,cohort,pivot,heatmap,funnel,map,number,table", ",")

// maxCharts is the maximum number of further charts of a query.
const maxCharts = 12

func (d *Doc) checkCharts() error {
	if len(d.Charts) > maxCharts {
		return invalid("a query has at most %d further charts", maxCharts)
	}
	for i := range d.Charts {
		if err := d.Charts[i].check(); err != nil {
			return err
		}
	}
	return d.Chart.check()
}

func (c *Chart) check() error {
	if c == nil {
		return nil
	}
	if !slices.Contains(ChartKinds, c.Kind) {
		return invalid("no chart of kind %q: want one of %s", c.Kind, strings.Join(ChartKinds, ", "))
	}
	if max(len(c.Y), len(c.Right)) > 20 {
		return invalid("a chart draws at most 20 columns")
	}
	for _, s := range slices.Concat([]string{c.X, c.Series, c.Title, c.Drill}, c.Y, c.Right) {
		if len(s) > 1000 || !utf8.ValidString(s) {
			return invalid("a name in the chart is longer than 1000 bytes or no text")
		}
	}
	return nil
}
