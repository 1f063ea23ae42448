package glean

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// Next returns the next rows of a table in the order of the samples and ids of their clients, or nil behind the last ones. The
// rows are valid until the next call.
type Next func() (*column.Batch, error)

// errNotSorted means that rows are not in the order of the samples and ids of their clients.
var errNotSorted = errors.New("the rows are not in the order of their clients")

// Merge appends the rows in the order of the clients. It has one batch of each side in memory. The sides must have no batches
// without rows.
func (s *LastSeen) Merge(out *column.Batch, daily, previous Next, row func() error) error {
	key := s.table.Key()
	now, before := &side{next: daily, key: key}, &side{next: previous, key: key}
	var p *pair
	var clients []seen
	for {
		fresh, err := now.load()
		if err != nil {
			return err
		}
		more, err := before.load()
		if err != nil {
			return err
		}
		if now.left() == 0 && before.left() == 0 {
			return nil
		}
		if fresh || more {
			p = s.pair(now.rows, before.rows)
		}
		pattern := before.rows.number(seenBits)
		for clients = clients[:0]; ; {
			client, ok := nearer(now, before)
			if !ok {
				break
			}
			if client.before >= 0 {
				if bits, _ := pattern.value(client.before); s.shifted(bits) == 0 {
					client.before = -1
				}
			}
			if client.now >= 0 || client.before >= 0 {
				clients = append(clients, client)
			}
		}
		if err := s.append(out, p, clients, row); err != nil {
			return err
		}
	}
}

// nearer takes the first client of both sides. It reports false if a side has no rows left and may have more.
func nearer(now, before *side) (c seen, ok bool) {
	if now.left() == 0 && !now.ended || before.left() == 0 && !before.ended || now.left() == 0 && before.left() == 0 {
		return c, false
	}
	order := 0
	switch {
	case now.left() == 0:
		order = 1
	case before.left() == 0:
		order = -1
	default:
		order = now.head.compare(before.head)
	}
	c = seen{now: -1, before: -1}
	if order <= 0 {
		c.id, c.now = now.head.id, now.take()
	}
	if order >= 0 {
		c.id, c.before = before.head.id, before.take()
	}
	return c, true
}

// side is one of the tables that are merged.
type side struct {
	*rows

	next  Next
	key   string
	ids   text
	at    int // next row
	ended bool
	head  spot // of the next row
	last  spot // of the last row of the batch before
}

// spot is the place of a client in the order of the rows.
type spot struct {
	sample int64
	id     []byte
}

func (p spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(p.sample, o.sample), bytes.Compare(p.id, o.id))
}

// left returns the number of rows of the batch at hand that were not taken.
func (s *side) left() int {
	if s.rows == nil {
		return 0
	}
	return s.Rows() - s.at
}

// load reads the next batch if no rows are left, and reports whether the rows are others.
func (s *side) load() (fresh bool, err error) {
	if s.left() > 0 || s.ended {
		return false, nil
	}
	if s.rows != nil {
		s.last.id = bytes.Clone(s.last.id)
	}
	b, err := s.next()
	if err != nil {
		return false, err
	}
	if b == nil {
		s.ended = true
		b = column.NewBatch(nil)
	}
	if s.rows == nil {
		s.rows = new(rows)
	}
	s.rows.reset(b)
	s.at = 0
	s.ids = s.text(s.key)
	if b.Rows > 0 {
		s.head = s.spot(0)
	}
	return true, s.check()
}

// spot returns the place of a row.
func (s *side) spot(row int) spot {
	id := s.ids.value(row)
	return spot{ping.SampleOf(id), id}
}

// check reports rows that are not sorted.
func (s *side) check() error {
	for row := range s.Rows() {
		p := s.spot(row)
		if (row > 0 || s.last.id != nil) && s.last.compare(p) >= 0 {
			return errNotSorted
		}
		s.last = p
	}
	return nil
}

// take takes the next row.
func (s *side) take() int {
	row := s.at
	if s.at++; s.at < s.Rows() {
		s.head = s.spot(s.at)
	}
	return row
}
