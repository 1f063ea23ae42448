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
	path   string
	full   bool // from a file of its own, with its visualizations
	sql    *converted
	charts map[int64]string // ids of visualizations, and of the saved queries that draw them
	main   *saved.Doc       // the first of them
}

// converter converts the queries and dashboards of some files.
type converter struct {
	files.Bundle
	left    []files.Problem
	queries map[int64]*source
	order   []int64
	names   []string // of the saved queries, in the order of Queries
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
	c.queries[q.ID] = &source{query: *q, path: path, full: full, charts: map[int64]string{}}
}

func queryID(id int64) string { return "redash-" + strconv.FormatInt(id, 10) }

// query converts a query, with its first chart.
func (c *converter) query(s *source) {
	s.sql = convert(s.Query, s.Options.Parameters)
	for _, note := range s.sql.notes {
		c.leave(s.path, "query %d: %s", s.ID, note)
	}
	s.main = &saved.Doc{Title: limited(s.Name, 200, fmt.Sprint("Query ", s.ID)), Description: limited(s.Description, 10_000, ""),
		SQL: s.sql.sql, Tags: tags(s.Tags), Parameters: s.sql.parameters}
	c.store(s, queryID(s.ID), s.main)
	for i := range s.Visualizations {
		c.draw(s, &s.Visualizations[i])
	}
}

// store adds a saved query to the bundle, unless it cannot be stored.
func (c *converter) store(s *source, id string, doc *saved.Doc) bool {
	clean := *doc
	if err := clean.Clean(); err != nil {
		c.leave(s.path, "query %d: %s", s.ID, err)
		return false
	}
	c.Queries = append(c.Queries, files.Query{ID: id, Doc: clean})
	c.names = append(c.names, id)
	return true
}

// draw returns the id of the saved query that draws a visualization: the first chart is the query's own, and others have a copy of
// the query. It is the query itself if the visualization is a table or cannot be converted.
func (c *converter) draw(s *source, v *visualization) string {
	if id, known := s.charts[v.ID]; known {
		return id
	}
	id := queryID(s.ID)
	chart, note := chartOf(v)
	if note != "" {
		c.leave(s.path, "query %d: visualization %q: %s", s.ID, v.Name, note)
	}
	if chart != nil {
		doc := *s.main
		doc.Chart = chart
		if s.main.Chart == nil {
			s.main.Chart = chart
			c.set(id, &doc)
		} else if copied := fmt.Sprintf("%s-%d", id, v.ID); true {
			doc.Title = limited(doc.Title+": "+v.Name, 200, "")
			if c.store(s, copied, &doc) {
				id = copied
			}
		}
	}
	s.charts[v.ID] = id
	return id
}

// set replaces a saved query of the bundle.
func (c *converter) set(id string, doc *saved.Doc) {
	for i, name := range c.names {
		if name == id {
			clean := *doc
			if clean.Clean() == nil {
				c.Queries[i].Doc = clean
			}
		}
	}
}
