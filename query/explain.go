package query

import (
	"database/sql/driver"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/query/plan"
)

// explain makes the result the plan of the judged query, a line a row, and above it what it would read.
func (r *Rows) explain() error {
	nodes, err := r.db.plan(r.ctx, r.conn, r.judged.SQL)
	if err != nil {
		return r.fail(err, explained+r.judged.SQL, -len(explained))
	}
	views, files, folders, size := r.db.readable(), 0, map[string]bool{}, int64(0)
	lines := plan.Lines(nodes, func(n plan.Scan) string {
		scans, err := r.db.scansOf(r.ctx, r.conn, n, views)
		if err != nil || len(scans) == 0 {
			return ""
		}
		s := scans[0]
		s.Bytes = sizeOf(s)
		files, size = files+len(s.Files), size+s.Bytes
		own := map[string]bool{}
		for _, f := range s.Files {
			own[filepath.Dir(f)], folders[filepath.Dir(f)] = true, true
		}
		of := ""
		if all := len(r.db.views[r.db.names[strings.ToLower(s.View)]].Files); all > len(s.Files) {
			of = " of " + humanize.Comma(int64(all))
		}
		return s.View + ": " + amount(len(s.Files), of, len(own), s.Bytes)
	})
	lines = append([]string{"reads " + amount(files, "", len(folders), size)}, lines...)
	r.Columns, r.types, r.lines = []Column{{Name: "plan", Type: "VARCHAR"}}, []valueType{{text: "VARCHAR"}}, lines
	return nil
}

// sizeOf is how many bytes the files of a scan have. A worker is not told their sizes.
func sizeOf(s Scan) (size int64) {
	for _, f := range s.Files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	return size
}

// amount says how much is read; of is how many files there are, if more.
func amount(files int, of string, partitions int, size int64) string {
	if files == 0 {
		return "no files"
	}
	return fmt.Sprintf("%s%s files, %s partitions, %s", humanize.Comma(int64(files)), of, humanize.Comma(int64(partitions)), humanize.Bytes(uint64(size)))
}

// fixed are rows of one text each.
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
