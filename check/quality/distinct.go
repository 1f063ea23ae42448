package quality

// The bounds of counting distinct values: up to this number they are counted exactly. Beyond, the relative error is
// about one in the root of half of it: 0.6 % of clients and documents, 1.6 % of others.
const (
	maxOfIDs    = 1 << 16
	maxOfValues = 1 << 13
)

// distinct counts distinct hashes: of a share of the values, chosen by hash, it counts all. The share is halved whenever there
// would be too many.
type distinct struct {
	most  int
	shift uint
	rows  map[uint64]int64 // by hash
}

func newDistinct(most int) *distinct { return &distinct{most: most, rows: map[uint64]int64{}} }

// add adds a value by its hash.
func (d *distinct) add(hash uint64) {
	if hash>>(64-d.shift) != 0 {
		return
	}
	d.rows[hash]++
	for len(d.rows) > d.most {
		d.shift++
		for h := range d.rows {
			if h>>(64-d.shift) != 0 {
				delete(d.rows, h)
			}
		}
	}
}

// count returns the estimated number of distinct values.
func (d *distinct) count() int64 { return int64(len(d.rows)) << d.shift }

// repeated returns the share of the values that are there already.
func (d *distinct) repeated() float64 {
	var rows int64
	for _, n := range d.rows {
		rows += n
	}
	if rows == 0 {
		return 0
	}
	return 1 - float64(len(d.rows))/float64(rows)
}
