package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/sql/query/view"
)

// narrowed lists what the scans of one query read of a view, so that a view for this query alone can read the narrow
// files and have the partition keys as columns, where the plan reads other files or cuts the values out of paths. The
// view exists only in the query's connection.
type narrowed struct {
	view  View
	parts []*view.Part
	files []map[string]bool // by part, the files that are read
	all   []string          // the columns that any scan reads

	members map[string][][]string // by column, the paths of its members that are read; not those of columns that are read as a whole
}

// add adds a scan of a part.
func (n *narrowed) add(at int, s *Scan) {
	for _, f := range s.Files {
		n.files[at][f] = true
	}
	n.all = append(n.all, s.Columns...)
	for name, paths := range s.members {
		n.members[name] = append(n.members[name], paths...)
	}
}

// create returns the statement that creates the query's view. It names the files that known returns for those of a part.
func (n *narrowed) create(hiding bool, known func([]string) ([]string, error)) (string, error) {
	var selections []string
	for i, p := range n.parts {
		if len(n.files[i]) == 0 {
			continue
		}
		q := &view.Part{View: p.View}
		var err error
		if q.Files, err = known(p.Read(n.files[i], n.view.Narrowly(n.all))); err != nil {
			return "", err
		}
		if p.Own {
			q.PartitionKeys = nil
		}
		selections = append(selections, q.Reading(hiding, n.all))
	}
	return n.view.Together("CREATE OR REPLACE TEMP VIEW", selections), nil
}

// narrow chooses the views that the statement with these scans, all of its scans, reads in narrowed form. If project is true, these
// are also those of which it reads few members of wide structs; the statement is then still to be bound.
func (r *Rows) narrow(scans []Scan, project bool) {
	r.narrowed = map[int]*narrowed{}
	for i := range scans {
		s := &scans[i]
		n := r.narrowed[s.view]
		if n == nil {
			v, few := r.few[s.view]
			if !few {
				v = r.db.views[s.view]
			}
			n = &narrowed{view: v, parts: v.Parts(""), all: []string{}, members: map[string][][]string{}}
			n.files = make([]map[string]bool, len(n.parts))
			for at := range n.files {
				n.files[at] = map[string]bool{}
			}
			r.narrowed[s.view] = n
		}
		if n.parts[s.part].Own {
			s.Columns = append(s.Columns, n.view.PartitionKeys...)
			slices.Sort(s.Columns)
			s.Columns = slices.Compact(s.Columns)
		}
		n.add(s.part, s)
	}
	for i := range scans {
		s := &scans[i]
		n := r.narrowed[s.view]
		p := n.parts[s.part]
		if n.view.Narrowly(n.all) {
			for at, f := range s.Files {
				if twin, ok := p.Twin[f]; ok {
					s.Files[at] = twin
				}
			}
		}
	}
	for at, n := range r.narrowed {
		own := slices.ContainsFunc(n.parts, func(p *view.Part) bool { return p.Own })
		if own || !project || r.judged == nil {
			n.members = nil
		}
		if n.prune(r); !own && len(n.members) == 0 {
			delete(r.narrowed, at)
		}
	}
}

// makeNarrow creates the narrowed views of a statement. Where files cannot be projected, the statement reads the whole ones.
func (r *Rows) makeNarrow() error {
	for i, n := range r.narrowed {
		known := func(files []string) ([]string, error) {
			files = r.db.inDuckDB(files)
			if len(n.members) == 0 {
				return files, nil
			}
			return n.project(r.ctx, r.db, files)
		}
		sql, err := n.create(r.db.hiding, known)
		if err == nil {
			err = makes(r.ctx, r.conn, sql)
		}
		switch {
		case err == nil:
		case r.ctx.Err() != nil:
			return fmt.Errorf("run query: %w", context.Cause(r.ctx))
		case len(n.members) > 0:
			delete(r.narrowed, i)
		default:
			return fmt.Errorf("read table %s: %w", r.db.views[i].Name, err)
		}
	}
	return nil
}

// widen drops the narrowed views of the previous statement.
func (r *Rows) widen() error {
	for i := range r.narrowed {
		if err := run(r.ctx, r.conn, "DROP VIEW IF EXISTS temp."+quoteName(r.db.views[i].Name)); err != nil {
			return fmt.Errorf("read table %s: %w", r.db.views[i].Name, err)
		}
	}
	r.narrowed = nil
	return nil
}
