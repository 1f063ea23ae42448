package query

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/query/plan"
)

// firstRows is the number of rows that somebody sees before the result is whole.
const firstRows = 50

// slowScan is the size of files from which on the first rows of wide tables are read before all rows: reading all takes seconds, and
// reading some a tenth of one.
const slowScan = 4 << 20

// head returns some rows of a statement that only reads, filters and computes the rows of a large table, as an Arrow stream of their
// own. It returns nil for other statements, whose first row is known when the last one is, and on errors, which reading all rows
// reports if they concern the result. The whole result may begin with other rows.
func head(r *Rows) []byte {
	if len(r.types) < wideView || sizeOf(r.streamed) < slowScan || !r.query.rows || r.conn == nil || r.source != nil {
		return nil
	}
	sql, _, err := r.wrap("", r.expressions(valueType.read))
	if err != nil {
		return nil
	}
	rows, err := r.conn.QueryContext(r.ctx, strings.TrimSuffix(sql, r.limit())+fmt.Sprintf(" LIMIT %d", firstRows), nil)
	if err != nil {
		return nil
	}
	defer rows.Close()
	var stream bytes.Buffer
	w := columnar.NewWriter(&stream, arrowFields(r))
	for {
		row, err := fetch(rows, len(r.types))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || r.appendArrow(w, row) != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return stream.Bytes()
}

// sizeOf returns the size of files in bytes, of those that are here.
func sizeOf(files []string) (size int64) {
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	return size
}

// streams reports whether a plan gives rows while it reads them.
func streams(nodes []plan.Node) bool {
	for len(nodes) == 1 && len(nodes[0].Children) > 0 {
		if n := nodes[0].Name; n != "PROJECTION" && n != "FILTER" && n != "STREAMING_LIMIT" {
			return false
		}
		nodes = nodes[0].Children
	}
	return len(nodes) == 1
}
