package parquet

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// wideColumns returns columns in the number and kinds of a full main_summary: its own ones, 300 scalars and 180
// histograms.
func wideColumns() []schema.Column {
	p, err := schema.LoadProbes("")
	if err != nil {
		panic(err)
	}
	p.Scalars, p.Histograms = nil, nil
	cols := slices.Clone(schema.MainSummary(p).Columns)
	for i := range 300 {
		typ := []string{"int", "int", "int", "boolean", "string", "map<string,int>"}[i%6]
		cols = append(cols, newColumn(fmt.Sprintf("scalar_parent_some_probe_number_%d", i), typ))
	}
	for i := range 180 {
		cols = append(cols, newColumn(fmt.Sprintf("histogram_content_some_probe_number_%d", i), "map<int,int>"))
	}
	return cols
}

func newColumn(name, typ string) schema.Column {
	return schema.Column{Name: name, Type: schema.MustType(typ)}
}

// wide fills batches with rows like those of real pings: identifiers differ,
// most texts are of few kinds, a third of the histograms is there with about
// eight buckets, most scalars are null.
type wide struct {
	rng  *rand.Rand
	cols []schema.Column
	rows int
}

func newWide() *wide {
	return &wide{rng: rand.New(rand.NewPCG(1, 2)), cols: wideColumns()}
}

func (w *wide) batch(rows int) *column.Batch {
	b := column.NewBatch(w.cols)
	w.fill(b, rows)
	return b
}

func (w *wide) fill(b *column.Batch, rows int) {
	for range rows {
		for i := range w.cols {
			w.set(b, i)
		}
		b.EndRow()
		w.rows++
	}
	b.Finish()
}

func (w *wide) set(b *column.Batch, i int) {
	c := &w.cols[i]
	switch {
	case c.Name == "document_id" || c.Name == "client_id":
		id := fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", w.rng.Uint32(), w.rng.IntN(1<<16), w.rng.IntN(1<<12), w.rng.IntN(1<<12),
			w.rng.Int64N(1<<48))
		b.SetBytes(i, []byte(id))
	case c.Name == "sample_id" || c.Name == "submission_date_obj" || c.Name == "submission_date":
		b.SetBytes(i, []byte("20180301"))
	case c.Name == "timestamp":
		b.SetLong(i, 1519862400000000000+int64(w.rows)*7_000_000_123)
	case c.Type.Kind == schema.Map && c.Type.Key.Kind == schema.Int && c.Type.Elem.Kind == schema.Int:
		if w.rng.IntN(3) == 0 {
			w.histogram(b, i)
		}
	case len(c.Name) > 7 && c.Name[:7] == "scalar_":
		if i%2 == 0 && w.rng.IntN(100) < 1+i%40 {
			w.value(b, i, 40)
		}
	case c.NotNull || w.rng.IntN(100) < []int{100, 99, 90, 20, 0}[i%5]:
		w.value(b, i, 12)
	}
}

// histogram writes a run of exponential buckets between two empty ones.
func (w *wide) histogram(b *column.Batch, i int) {
	n := b.Start(i)
	entries := 3 + w.rng.IntN(11)
	first := w.rng.IntN(10 + i%20)
	for e := range entries {
		rep := n.ElemRep(e, 0)
		b.Int(n.Key, rep, int32(1.4*float64((first+e)*(first+e))))
		count := int32(0)
		if e > 0 && e < entries-1 {
			count = int32(w.rng.ExpFloat64() * 30)
		}
		b.Int(n.Elem, rep, count)
	}
}

func (w *wide) value(b *column.Batch, i, kinds int) {
	c := &w.cols[i]
	switch c.Type.Kind {
	case schema.Boolean:
		b.SetBool(i, w.rng.IntN(10) < 9)
	case schema.Int:
		b.SetInt(i, int32(w.rng.ExpFloat64()*float64(kinds)*float64(1+i%50)))
	case schema.Long:
		b.SetLong(i, int64(w.rng.ExpFloat64()*1000*float64(1+i%50)))
	case schema.Double:
		b.SetDouble(i, w.rng.NormFloat64())
	case schema.String:
		b.SetBytes(i, fmt.Appendf(nil, "%s value %d", c.Name[:4], int(w.rng.ExpFloat64()*float64(kinds)/4)))
	default:
		anything{w.rng, 3}.node(b, b.Start(i), 0, false)
	}
}
