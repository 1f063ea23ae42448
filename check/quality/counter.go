package quality

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// counter counts the values of a column in bounded memory. Up to most values counts are exact; beyond, rare values are
// dropped again and again, so that those that stay have at most lost rows more than it says.
type counter struct {
	most int
	// tallies counts the rows that have a value, by value. A row counts once for each of its values.
	tallies map[string]*tally
	last    *tally
	lost    int64
	all     *distinct // of all values, once some were dropped
}

// tally is a value with its rows, and its first clients.
type tally struct {
	value   string
	rows    int64
	row     int64 // the last one, counted from 1
	seen    [leastClients]uint64
	clients int
}

func newCounter(most int) *counter { return &counter{most: most, tallies: map[string]*tally{}} }

// add counts a value of a row of a client; rows are numbered from 1, in order.
func (c *counter) add(v []byte, client uint64, row int64) {
	t := c.last
	if t == nil || t.value != string(v) {
		if t = c.tallies[string(v)]; t == nil {
			t = c.insert(v)
		}
		c.last = t
	}
	if t.row != row {
		t.row = row
		t.rows++
		t.add(client)
	}
}

func (t *tally) add(client uint64) {
	if t.clients == len(t.seen) || slices.Contains(t.seen[:t.clients], client) {
		return
	}
	t.seen[t.clients] = client
	t.clients++
}

func (c *counter) insert(v []byte) *tally {
	if len(c.tallies) == c.most {
		c.drop()
	}
	if c.all != nil {
		c.all.add(xxhash.Sum64(v))
	}
	t := &tally{value: string(v)}
	c.tallies[t.value] = t
	return t
}

// drop drops the rarer half of the values.
func (c *counter) drop() {
	var rows []int64
	for _, t := range c.tallies {
		rows = append(rows, t.rows)
	}
	slices.Sort(rows)
	if c.all == nil {
		c.all = newDistinct(maxOfValues)
		for v := range c.tallies {
			c.all.add(xxhash.Sum64String(v))
		}
	}
	bound := rows[len(rows)/2]
	for v, t := range c.tallies {
		if t.rows <= bound {
			delete(c.tallies, v)
		}
	}
	c.lost += bound
}

// finish returns the counts of a number of rows with values.
func (c *counter) finish(col *Column, rows int64, others bool) {
	col.Distinct = int64(len(c.tallies))
	if c.all != nil {
		col.Distinct = c.all.count()
	}
	sorted := make([]*tally, 0, len(c.tallies))
	for _, t := range c.tallies {
		sorted = append(sorted, t)
	}
	slices.SortFunc(sorted, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.value, b.value))
	})
	col.Least, col.Other = c.lost, rows
	for _, t := range sorted {
		if t.clients < leastClients || len(col.Top) == maxValues || len(t.value) > longest {
			col.Least = max(col.Least, t.rows)
			continue
		}
		col.Top = append(col.Top, Value{t.value, t.rows})
		col.Other -= t.rows
	}
	if !others {
		col.Other = 0
	}
}
