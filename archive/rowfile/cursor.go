package rowfile

import (
	"context"

	"github.com/pingmill/pingmill/store"
)

// cursor walks the rows of one file in a range of samples. It opens the row groups one after the other, each
// just before it is read; in between it is little more than a list of them.
type cursor struct {
	bucket store.Bucket
	file   *File
	kind   *Kind
	order  int // among files
	groups []group
	hi     int
	pool   *Pool
	source store.Reader // of the file, from its first row group on; nil: not opened yet
	brief  bool         // the file is closed between row groups

	prepared *preparedReader // of the file's rows, which are read without bodies; nil: none

	key    Key          // of the current row, or a lower bound of the next ones
	record Record       // the current row; valid until the next step
	open   *groupReader // of groups[0], nil in between
}

// newCursor is before the first row, or is nil if the file has none in the
// range.
func newCursor(ctx context.Context, b store.Bucket, f *File, p *Pool, lo, hi int) (*cursor, error) {
	all, err := f.load(ctx, b, p.kind)
	if err != nil {
		return nil, err
	}
	c := &cursor{bucket: b, file: f, kind: p.kind, pool: p, hi: hi}
	for _, g := range all {
		if g.hi >= lo && g.lo <= hi {
			g.first.sample = max(g.first.sample, lo)
			c.groups = append(c.groups, g)
		}
	}
	if len(c.groups) == 0 {
		return nil, nil
	}
	c.key = c.groups[0].first
	return c, nil
}

// step moves to the next row. more is false after the last one. The cursor may
// also stop between two row groups, with open nil and key a lower bound.
func (c *cursor) step(ctx context.Context) (more bool, err error) {
	if c.open == nil {
		if c.source == nil {
			if c.source, err = c.bucket.Open(ctx, c.file.Name); err != nil {
				return false, c.wrap(err)
			}
		}
		c.open = c.pool.get()
		if err := c.open.begin(c.source, c.file, &c.groups[0]); err != nil {
			return false, c.wrap(err)
		}
		return c.seek(c.groups[0].first.sample)
	}
	return c.seek(0)
}

// seek reads on to the next row of a sample of at least lo.
func (c *cursor) seek(lo int) (more bool, err error) {
	for c.open.left > 0 {
		if err := c.open.read(&c.record); err != nil {
			return false, c.wrap(err)
		}
		if err := c.prepared.set(&c.record, &c.groups[0], c.open.left); err != nil {
			return false, err
		}
		c.key = KeyOf(&c.record.Meta)
		if c.key.sample > c.hi {
			return false, nil
		}
		if c.key.sample >= lo {
			return true, nil
		}
	}
	c.leave()
	c.groups = c.groups[1:]
	if len(c.groups) == 0 {
		return false, nil
	}
	c.key = c.groups[0].first
	return true, nil
}

func (c *cursor) wrap(err error) error {
	return c.file.failed(err)
}

// close leaves the file.
func (c *cursor) close() {
	c.leave()
	c.shut()
}

// leave leaves the open row group.
func (c *cursor) leave() {
	if c.open != nil {
		c.open.end()
		c.pool.put(c.open)
		c.open = nil
		c.record = Record{}
	}
	if c.brief {
		c.shut()
	}
}

func (c *cursor) shut() {
	if c.source != nil {
		c.source.Close()
		c.source = nil
	}
	c.prepared.close()
}
