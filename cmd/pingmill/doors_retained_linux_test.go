package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/query"
)

// maxKnown limits the results that are kept: statements are tried over the same states again.
const maxKnown = 1000

// answerRows are the cells of a result, a row each.
type answerRows [][]string

var errNotRetained = errors.New("files of the state were not kept")

// over returns the result of a statement over the kept files of a state, in this process: of those that every engine
// reads, without compact ones.
func (r *recorder) over(s *lakeState, d query.Dialect, sql string) (rows answerRows, err error) {
	key := string(d) + " " + sql + "\n" + s.String()
	r.mu.Lock()
	rows, ok := r.known[key]
	r.mu.Unlock()
	if ok {
		return rows, nil
	}
	var views []query.View
	for _, lt := range r.tables {
		v := query.TableView(lt.Schema, nil)
		days := s.days[lt.Schema.Name]
		for _, day := range slices.Sorted(maps.Keys(days)) {
			files, ok := r.retained(generationKey(lt.Schema.Name, day, days[day]))
			if !ok {
				return nil, errNotRetained
			}
			v.Files = append(v.Files, files...)
		}
		views = append(views, v)
	}
	o := query.Options{Threads: 1}
	if len(s.hidden) > 0 {
		var hashes []forget.Hash
		for _, id := range s.hidden {
			hashes = append(hashes, forget.HashOf([]byte(id)))
		}
		o.Hidden = forget.Finder(hashes)
	}
	db, err := query.Open(context.Background(), views, o)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	q, err := db.QueryIn(context.Background(), d, sql)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	var out bytes.Buffer
	if _, err := q.Write(&out, query.FormatCSV, query.WriteOptions{}); err != nil {
		return nil, err
	}
	if rows, err = fromCSV(out.String()); err == nil {
		r.mu.Lock()
		if len(r.known) > maxKnown {
			clear(r.known)
		}
		r.known[key] = rows
		r.mu.Unlock()
	}
	return rows, err
}

// fromCSV returns the rows of a result without its header.
func fromCSV(text string) (answerRows, error) {
	c := csv.NewReader(strings.NewReader(text))
	c.FieldsPerRecord = -1
	rows, err := c.ReadAll()
	if len(rows) > 0 {
		rows = rows[1:]
	}
	return rows, err
}

// anyClient returns a client with rows that is not forgotten.
func (r *recorder) anyClient() string {
	r.mu.Lock()
	var now *lakeState
	if len(r.states) > 0 {
		now = r.states[len(r.states)-1].only([]string{"clients_daily"})
	}
	r.mu.Unlock()
	if now == nil {
		return ""
	}
	rows, err := r.over(now, query.DuckDB, "SELECT max(client_id) FROM clients_daily")
	if err != nil || len(rows) == 0 {
		return ""
	}
	return rows[0][0]
}
