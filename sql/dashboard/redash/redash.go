// Package redash converts queries and dashboards of Redash, as its API returns them, to those of the query tool. It names all
// that it cannot convert.
package redash

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/saved"
)

// query is the JSON of /api/queries/ID, and of the query in a visualization.
type query struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Query       string   `json:"query"`
	Tags        []string `json:"tags"`
	Options     struct {
		Parameters []parameter `json:"parameters"`
	} `json:"options"`
	Visualizations []visualization `json:"visualizations"`
}

type parameter struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Type        string          `json:"type"`
	Value       json.RawMessage `json:"value"`
	EnumOptions string          `json:"enumOptions"`
	QueryID     int64           `json:"queryId"`
	Multi       *struct {
		Prefix string `json:"prefix"`
		Suffix string `json:"suffix"`
	} `json:"multiValuesOptions"`
}

type visualization struct {
	ID      int64           `json:"id"`
	Type    string          `json:"type"`
	Name    string          `json:"name"`
	Options json.RawMessage `json:"options"`
	Query   *query          `json:"query"`
}

// board is the JSON of /api/dashboards/SLUG.
type board struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Tags    []string `json:"tags"`
	Widgets []widget `json:"widgets"`
}

type widget struct {
	ID      int64  `json:"id"`
	Width   int    `json:"width"`
	Text    string `json:"text"`
	Options struct {
		IsHidden bool `json:"isHidden"`
		Position *struct {
			Col   int `json:"col"`
			Row   int `json:"row"`
			SizeX int `json:"sizeX"`
			SizeY int `json:"sizeY"`
		} `json:"position"`
		Mappings map[string]mapping `json:"parameterMappings"`
	} `json:"options"`
	Visualization *visualization `json:"visualization"`
}

type mapping struct {
	Type  string          `json:"type"`
	MapTo string          `json:"mapTo"`
	Title string          `json:"title"`
	Value json.RawMessage `json:"value"`
}

// source is a query with the file that it is from, and what it becomes.
type source struct {
	query
	path      string
	full      bool // from a file of its own, with its visualizations
	sql       *converted
	charts    map[int64]int // numbers of the query's charts by ids of visualizations
	converted bool
}

// converter converts the queries and dashboards of some files.
type converter struct {
	files.Bundle
	left    []files.Problem
	queries map[int64]*source
	order   []int64
}

func (c *converter) leave(path, format string, args ...any) {
	c.left = append(c.left, files.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// Convert converts files with the JSON of queries and dashboards. left names what they have and the bundle has not.
func Convert(all []files.File) (b files.Bundle, left []files.Problem) {
	c := converter{queries: map[int64]*source{}}
	type boardOf struct {
		board
		path string
	}
	var boards []boardOf
	for _, f := range all {
		for _, object := range c.objects(f) {
			var kind struct {
				Widgets json.RawMessage `json:"widgets"`
				Query   json.RawMessage `json:"query"`
			}
			err := json.Unmarshal(object, &kind)
			switch {
			case err == nil && kind.Widgets != nil:
				b := boardOf{path: f.Path}
				if err = json.Unmarshal(object, &b.board); err == nil {
					boards = append(boards, b)
				}
			case err == nil && kind.Query != nil:
				var q query
				if err = json.Unmarshal(object, &q); err == nil {
					c.add(&q, f.Path, true)
				}
			case err == nil:
				err = errors.New("it is neither a query nor a dashboard")
			}
			if err != nil {
				c.leave(f.Path, "read JSON of Redash: %s", err)
			}
		}
	}
	for _, b := range boards {
		for _, w := range b.Widgets {
			if v := w.Visualization; v != nil && v.Query != nil {
				c.add(v.Query, b.path, false)
				if q := c.queries[v.Query.ID]; !q.full {
					own := *v
					own.Query = nil
					q.Visualizations = append(q.Visualizations, own)
				}
			}
		}
	}
	for _, id := range c.order {
		c.query(c.queries[id])
	}
	for _, b := range boards {
		c.board(&b.board, b.path)
	}
	return c.Bundle, c.left
}

// maxCharts is the maximum number of a saved query's charts beside the first.
const maxCharts = 12

// maxObjects is the maximum number of queries and dashboards in a file.
const maxObjects = 500

// objects returns the objects of a file: itself, the elements of a list, or the results of a page.
func (c *converter) objects(f files.File) []json.RawMessage {
	text := bytes.TrimSpace([]byte(f.Text))
	var list []json.RawMessage
	var page struct {
		Results []json.RawMessage `json:"results"`
	}
	switch {
	case json.Unmarshal(text, &list) == nil:
	case json.Unmarshal(text, &page) == nil && page.Results != nil:
		list = page.Results
	default:
		list = []json.RawMessage{text}
	}
	if len(list) > maxObjects {
		c.leave(f.Path, "it has %d queries or dashboards: only the first %d are taken", len(list), maxObjects)
		list = list[:maxObjects]
	}
	return list
}

// add adds a query, or replaces one that is known without its visualizations.
func (c *converter) add(q *query, path string, full bool) {
	have := c.queries[q.ID]
	if have == nil {
		c.order = append(c.order, q.ID)
	} else if have.full || !full {
		return
	}
	c.queries[q.ID] = &source{query: *q, path: path, full: full, charts: map[int64]int{}}
}

func queryID(id int64) string { return "redash-" + strconv.FormatInt(id, 10) }

// query converts a query, with its charts.
func (c *converter) query(s *source) {
	s.sql = convert(s.Query, s.Options.Parameters)
	for _, note := range s.sql.notes {
		c.leave(s.path, "query %d: %s", s.ID, note)
	}
	doc := saved.Doc{Title: limited(s.Name, 200, fmt.Sprint("Query ", s.ID)), Description: limited(s.Description, 10_000, ""),
		SQL: s.sql.sql, Tags: tags(s.Tags), Parameters: s.sql.parameters}
	for i := range s.Visualizations {
		v := &s.Visualizations[i]
		chart, note := chartOf(v)
		if _, known := s.charts[v.ID]; known || chart == nil && note == "" {
			continue
		}
		if note == "" && len(doc.Charts) == maxCharts {
			chart, note = nil, "the query has too many charts: it is a table"
		}
		if note != "" {
			c.leave(s.path, "query %d: visualization %q: %s", s.ID, v.Name, note)
		}
		switch {
		case chart == nil:
		case doc.Chart == nil:
			doc.Chart, s.charts[v.ID] = chart, 0
		default:
			doc.Charts = append(doc.Charts, *chart)
			s.charts[v.ID] = len(doc.Charts)
		}
	}
	if err := doc.Clean(); err != nil {
		c.leave(s.path, "query %d: %s", s.ID, err)
		return
	}
	s.converted = true
	c.Queries = append(c.Queries, files.Query{ID: queryID(s.ID), Doc: doc})
}
