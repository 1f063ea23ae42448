package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query/plan"
)

// Scan is the part of a view that a query reads: whole columns of some of its files.
type Scan struct {
	View    string
	Files   []string // paths as in the view, including missing files
	Columns []string // nil: all

	Sampled bool     // only some of the samples
	Late    []string // partition columns with a condition that is evaluated only on rows already read
	Bytes   int64    // size of the whole Files; 0 if the view has no sizes

	view, part int                   // indexes of the view and of its part
	members    map[string][][]string // of wide columns, as scannedMembers returns them
}

// readsNothing reports whether a statement without a plan reads no files.
func readsNothing(text string) bool {
	tokens := lexer.Tokens(DuckDB, text)
	if len(tokens) == 0 {
		return true
	}
	switch strings.ToLower(tokens[0].Text(text)) {
	case "pragma", "set", "reset", "use", "load", "explain", "prepare", "deallocate":
		return true
	}
	return false
}

// readable returns the indexes of the views that exist in DuckDB and have files.
func (r *Rows) readable() (all []int) {
	db := r.db
	db.mu.Lock()
	defer db.mu.Unlock()
	for i := range r.few {
		all = append(all, i)
	}
	for i := range db.made {
		if _, few := r.few[i]; !few && len(db.views[i].Files) > 0 {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return all
}

// explained is the prefix that requests the plan of a statement.
const explained = "EXPLAIN (FORMAT json) "

// plan returns the plan of a statement.
func (db *DB) plan(ctx context.Context, conn *duckdb.Conn, text string) ([]plan.Node, error) {
	p, err := planText(ctx, conn, explained+text)
	if err != nil {
		return nil, err
	}
	return plan.Read([]byte(p))
}

// planned returns what a statement of r reads of views.
func planned(r *Rows, text string, views []int) ([]Scan, error) {
	nodes, err := r.db.plan(r.ctx, r.conn, text)
	if err != nil {
		return nil, err
	}
	return r.db.scansIn(r.ctx, r.conn, nodes, views)
}

// scansIn returns what a plan reads of views.
func (db *DB) scansIn(ctx context.Context, conn *duckdb.Conn, nodes []plan.Node, views []int) (scans []Scan, err error) {
	for _, s := range plan.Scans(nodes) {
		found, err := db.scansOf(ctx, conn, s, views)
		if err != nil {
			return nil, err
		}
		scans = append(scans, found...)
	}
	return scans, nil
}

// readsParquet reports whether an operator reads parquet files.
func readsParquet(n plan.Scan) bool {
	function, _ := n.Info["Function"].(string)
	return strings.Contains(strings.ToUpper(n.Name+function), "PARQUET")
}

// scansOf returns what an operator reads.
func (db *DB) scansOf(ctx context.Context, conn *duckdb.Conn, n plan.Scan, views []int) (scans []Scan, err error) {
	if !readsParquet(n) {
		return nil, nil
	}
	filters := strings.Join(plan.Texts(n.Info["File Filters"]), "")
	for _, i := range views {
		v := &db.views[i]
		for at, p := range v.Parts(db.tag(*v)) {
			if !strings.Contains(filters, quoteText(p.Tag)) {
				continue
			}
			s := Scan{View: v.Name, view: i, part: at}
			if s.Columns, err = scannedColumns(v, n.Info); err == nil {
				s.members = scannedMembers(v, s.Columns, n.Info)
				s.Files, err = db.scannedFiles(ctx, conn, &p.View, filters, n.Info)
			}
			s.Sampled = v.Sample != "" && (n.Restricts(v.Sample) || p.Sampled(s.Files))
			for _, key := range v.PartitionKeys {
				if n.Late(key) {
					s.Late = append(s.Late, key)
				}
			}
			return []Scan{s}, err
		}
	}
	return nil, fmt.Errorf("a scan of no view")
}

var wordPattern = lazy.Regexp(`\w+`)

// scannedColumns returns the columns that a scan of a view reads: those that it projects and those in its filters, also such that
// only decide which rows there are.
func scannedColumns(v *View, info map[string]any) ([]string, error) {
	deciding := v.Deciding()
	has := func(name string) bool {
		return slices.ContainsFunc(v.Columns, func(c Column) bool { return c.Name == name }) || slices.Contains(deciding, name)
	}
	columns := []string{}
	for _, p := range plan.Texts(info["Projections"]) {
		name, _, _ := strings.Cut(p, ".") // of a struct
		switch {
		case has(name):
			columns = append(columns, name)
		case has(p):
			columns = append(columns, p)
		case p != "" && p != "filename" && !strings.HasPrefix(p, "file_"):
			return nil, fmt.Errorf("a scan of a column %q", p)
		}
	}
	for key, value := range info {
		if key == "File Filters" {
			continue
		}
		for _, text := range plan.Texts(value) {
			for _, word := range wordPattern().FindAllString(text, -1) {
				if has(word) {
					columns = append(columns, word)
				}
			}
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns), nil
}

// scannedFiles returns the files that a scan reads: those that pass its filters. Their number must match the plan's.
func (db *DB) scannedFiles(ctx context.Context, conn *duckdb.Conn, v *View, filters string, info map[string]any) (files []string,
	err error) {
	var want, total int
	if n, err := fmt.Sscanf(strings.Join(plan.Texts(info["Scanning Files"]), ""), "%d/%d", &want, &total); n != 2 || err != nil ||
		total != len(v.Files)+1 {
		return nil, fmt.Errorf("a scan of files %v of %d", info["Scanning Files"], len(v.Files))
	}
	if want == len(v.Files) {
		return slices.Clone(v.Files), nil
	}
	paths := make([]string, len(v.Files))
	for i, f := range db.inDuckDB(v.Files) {
		paths[i] = quoteText(f)
	}
	rows, err := texts(ctx, conn, "SELECT i FROM (SELECT unnest(["+strings.Join(paths, ", ")+"]) AS filename, unnest(range("+
		fmt.Sprint(len(paths))+")) AS i) WHERE "+strings.Join(plan.Terms(filters), " AND "))
	if err != nil {
		return nil, err
	}
	if len(rows) != want {
		return nil, fmt.Errorf("%d files pass the filters of a scan of %d", len(rows), want)
	}
	for _, row := range rows {
		var i int
		if _, err := fmt.Sscan(row[0], &i); err != nil || i >= len(v.Files) {
			return nil, fmt.Errorf("read the files of a scan: %q", row[0])
		}
		files = append(files, v.Files[i])
	}
	return files, nil
}

// inDuckDB returns the paths by which DuckDB knows files of views.
func (db *DB) inDuckDB(files []string) []string {
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.lost) == 0 {
		return files
	}
	files = slices.Clone(files)
	for standIn, path := range db.lost {
		if at := slices.Index(files, path); at >= 0 {
			files[at] = standIn
		}
	}
	return files
}

// texts runs a statement and returns its rows as texts.
func texts(ctx context.Context, conn *duckdb.Conn, sql string) (all [][]string, err error) {
	rows, err := conn.QueryContext(ctx, sql, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(row); err != nil {
			if errors.Is(err, io.EOF) {
				return all, nil
			}
			return nil, err
		}
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = fmt.Sprint(v)
		}
		all = append(all, line)
	}
}
