package query

import (
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"
)

// Cap is how much of a result there is at most; 0 is no limit. A row that passes the limit of bytes is written whole.
type Cap struct{ Rows, Bytes int64 }

// What may have ended a result before its end.
const (
	CutRows  = "rows"
	CutBytes = "bytes"
)

// Cap limits the result, before the first of it is read.
func (r *Rows) Cap(c Cap) { r.most = c }

// Cut is CutRows or CutBytes if the result has more than was given, else "".
func (r *Rows) Cut() string { return r.cut }

// limit ends the query itself one row behind the cap: by that it is known that there are more.
func (r *Rows) limit() string {
	if r.most.Rows <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", r.most.Rows+1)
}

// fits says whether a parquet file of n rows is within the cap: of a part of one there is no use.
func (r *Rows) fits(n int64, file *os.File) error {
	if r.most.Rows > 0 && n > r.most.Rows {
		return &Error{Kind: "Too large", Message: fmt.Sprintf("the result has more than %s rows, the limit", humanize.Comma(r.most.Rows)), Hint: "other formats than parquet give the first of them"}
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	if r.most.Bytes > 0 && info.Size() > r.most.Bytes {
		return &Error{Kind: "Too large", Message: fmt.Sprintf("the result has %s, the limit is %s", humanize.Bytes(uint64(info.Size())), humanize.Bytes(uint64(r.most.Bytes)))}
	}
	return nil
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Given is how many rows were read so far; any goroutine may ask.
func (r *Rows) Given() int64 { return r.given.Load() }
