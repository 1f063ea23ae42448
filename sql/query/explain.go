package query

import (
	"database/sql/driver"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/sql/query/plan"
)

// explain replaces the result by the plan of the judged query, one line per row, after a summary of the files to read.
func (r *Rows) explain() error {
	nodes, err := r.db.plan(r.ctx, r.conn, r.judged.SQL)
	if err != nil {
		return r.fail(err, explained+r.judged.SQL, -len(explained))
	}
	scans, err := r.db.scansIn(r.ctx, r.conn, nodes, r.readable())
	if err != nil {
		scans = nil // the lines are without tables
	}
	r.narrow(scans, false)
	var all Scan
	next := 0
	lines := plan.Lines(nodes, func(n plan.Scan) string {
		if !readsParquet(n) || next >= len(scans) {
			return ""
		}
		s := scans[next]
		next++
		all.Files = append(all.Files, s.Files...)
		return s.View + ": " + r.db.daysOf(s) + amount(s.Files)
	})
	lines = append([]string{"reads " + amount(all.Files)}, lines...)
	r.Columns, r.types, r.lines = []Column{{Name: "plan", Type: "VARCHAR"}}, []valueType{{text: "VARCHAR"}}, lines
	return nil
}

// daysOf returns how many days a scan reads, and of how many.
func (db *DB) daysOf(s Scan) string {
	v := &db.views[db.names[strings.ToLower(s.View)]]
	days := func(files []string) int {
		seen := map[string]bool{}
		for _, f := range files {
			seen[v.Day(f)] = true
		}
		return len(seen)
	}
	if len(v.PartitionKeys) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s, ", humanize.Comma(int64(days(s.Files))), text.Plural(days(v.Base()), "day"))
}

// amount returns the number and the total size of files. A worker does not know the sizes.
func amount(files []string) string {
	if len(files) == 0 {
		return "no files"
	}
	size, folders := int64(0), map[string]bool{}
	for _, f := range files {
		folders[filepath.Dir(f)] = true
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	return fmt.Sprintf("%s of %s, %s", text.Plural(len(files), "file"), text.Plural(len(folders), "partition"), humanize.Bytes(uint64(size)))
}

// fixed is a source of rows of one text each.
type fixed struct{ lines []string }

func (f *fixed) next() ([]driver.Value, error) {
	if len(f.lines) == 0 {
		return nil, io.EOF
	}
	line := f.lines[0]
	f.lines = f.lines[1:]
	return []driver.Value{line}, nil
}

func (f *fixed) close() error { return nil }
