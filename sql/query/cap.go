package query

import (
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"
)

// Cap limits the size of a result; 0 means no limit. The row that exceeds the limit of bytes is written whole.
type Cap struct{ Rows, Bytes int64 }

// Reasons why a result was truncated.
const (
	CutRows  = "rows"
	CutBytes = "bytes"
)

// Cap limits the result. It must be called before the first row is read.
func (r *Rows) Cap(c Cap) { r.most = c }

// Cut returns CutRows or CutBytes if the result was truncated, else "".
func (r *Rows) Cut() string { return r.cut }

// limit returns a LIMIT clause for one row more than the cap; that row shows that the result is truncated.
func (r *Rows) limit() string {
	if r.most.Rows <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", r.most.Rows+1)
}

// fits returns an error if a parquet file of n rows exceeds the cap: a part of such a file is useless.
func (r *Rows) fits(n int64, file *os.File) error {
	if r.most.Rows > 0 && n > r.most.Rows {
		return &Error{Kind: "Too large", Message: fmt.Sprintf("the result has more than %s rows, the limit", humanize.Comma(r.most.Rows)),
			Hint: "other formats than parquet give the first of them"}
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	if r.most.Bytes > 0 && info.Size() > r.most.Bytes {
		return &Error{Kind: "Too large",
			Message: fmt.Sprintf("the result has %s, the limit is %s", humanize.Bytes(uint64(info.Size())), humanize.Bytes(uint64(r.most.Bytes)))}
	}
	return nil
}

// counter is a writer that counts bytes.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Given returns the number of rows read so far. It is safe for concurrent use.
func (r *Rows) Given() int64 { return r.given.Load() }
