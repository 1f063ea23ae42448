package query

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query/plan"
)

// wideStruct is the width in bytes from which on the members of a struct that a query reads are copied to files of their own.
// DuckDB makes vectors and expressions for all members, for each file.
const wideStruct = 4096

// scannedMembers returns the paths of the members that a scan reads of the wide columns among columns, by column. An empty path
// is the whole column.
func scannedMembers(v *View, columns []string, info map[string]any) map[string][][]string {
	members := map[string][][]string{}
	for _, c := range v.Columns {
		if !slices.Contains(columns, c.Name) || c.Width() < wideStruct {
			continue
		}
		members[c.Name] = [][]string{}
		for key, value := range info {
			if key == "File Filters" {
				continue
			}
			for _, text := range plan.Texts(value) {
				members[c.Name] = append(members[c.Name], c.PathsIn(text)...)
			}
		}
	}
	return members
}

// prune finds the wide columns of which the query reads a part only. The types of the others stay.
func (n *narrowed) prune(r *Rows) {
	for name, paths := range n.members {
		at := slices.IndexFunc(n.view.Columns, func(c Column) bool { return c.Name == name })
		for _, m := range n.view.Inner {
			if r.db.hiding && m.Column.Name == name {
				paths = append(paths, m.Path)
			}
		}
		c, ok := n.view.Columns[at].Prune(paths)
		if !ok || c.Width() >= n.view.Columns[at].Width()/2 || r.dialect == DuckDB && !namesOnly(r.judged.SQL, name, paths) {
			delete(n.members, name)
			continue
		}
		n.view.Columns = slices.Clone(n.view.Columns)
		n.view.Columns[at], n.members[name] = c, paths
	}
	for i, p := range n.parts {
		q := *p
		q.Columns, n.parts[i] = n.view.Columns, &q
	}
}

// namesOnly reports whether a statement in DuckDB's SQL names a column only with members at or below paths, so that it means
// the same whatever other members there are.
func namesOnly(sql, column string, paths [][]string) bool {
	if _, star := columnNames(sql); star {
		return false
	}
	tokens := lexer.Tokens(DuckDB, sql)
	for i := 0; i < len(tokens); i++ {
		if !strings.EqualFold(tokens[i].Name(sql), column) {
			continue
		}
		var path []string
		for i+2 < len(tokens) && tokens[i+1].Text(sql) == "." {
			path = append(path, tokens[i+2].Name(sql))
			i += 2
		}
		if !slices.ContainsFunc(paths, func(p []string) bool {
			return len(p) <= len(path) && slices.EqualFunc(p, path[:len(p)], strings.EqualFold)
		}) {
			return false
		}
	}
	return true
}

// keeps returns a function that reports whether the query reads a leaf of a file.
func (n *narrowed) keeps() func(path []string) bool {
	read := append(n.view.Deciding(), n.all...)
	return func(path []string) bool {
		paths, pruned := n.members[path[0]]
		if !pruned {
			return slices.Contains(read, path[0])
		}
		return slices.ContainsFunc(paths, func(p []string) bool { return len(p) < len(path) && slices.Equal(p, path[1:len(p)+1]) })
	}
}

// project writes files with the leaves that the query reads and returns their paths. A file without such leaves stays.
func (n *narrowed) project(ctx context.Context, db *DB, files []string) ([]string, error) {
	files = slices.Clone(files)
	keeps := n.keeps()
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to, err := db.emptyFile(n.view, file)
		if err != nil {
			return nil, err
		}
		any, err := projectFile(to, file, keeps)
		if err != nil {
			return nil, err
		}
		if any {
			files[i] = to
		}
	}
	return files, nil
}

// projectFile writes the file to, and returns false if from has no leaf to keep.
func projectFile(to, from string, keep func(path []string) bool) (any bool, err error) {
	in, err := os.Open(from)
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false, err
	}
	out, err := os.OpenFile(filepath.Clean(to), os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return false, err
	}
	err = parquet.Project(out, in, info.Size(), func(path []string) bool {
		selected := keep(path)
		any = any || selected
		return selected
	})
	if e := out.Close(); err == nil {
		err = e
	}
	if !any {
		return false, nil
	}
	return true, err
}

// bind binds the statement. If that fails with projected files, it is bound over the whole ones.
func bind(r *Rows) error {
	_, err := r.attempt()
	projected := false
	for _, n := range r.narrowed {
		projected = projected || len(n.members) > 0
	}
	if err == nil || !projected {
		return err
	}
	if err := r.widen(); err != nil {
		return err
	}
	for _, v := range r.few {
		if err := r.makeFew(v); err != nil {
			return err
		}
	}
	_, err = r.attempt()
	return err
}
