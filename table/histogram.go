package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// keyedSibling returns the path of the keyed section beside a section: histograms and keyedHistograms, scalars and
// keyedScalars of a process count as one, and the keyed section wins.
func keyedSibling(path []string) []string {
	names := map[string]string{"histograms": "keyedHistograms", "scalars": "keyedScalars"}
	out := append([]string(nil), path...)
	out[len(out)-1] = names[out[len(out)-1]]
	return out
}

func (c *compiler) histogram(op *pingOp, path []string, h *schema.Histogram) {
	for _, l := range h.Labels {
		op.label = append(op.label, []byte(l))
	}
	own, keyed := append(path, h.Name), append(keyedSibling(path), h.Name)
	op.slot, op.alt = c.paths.Add(own...), c.paths.Add(keyed...)
	if h.Keyed {
		op.run = setKeyedHistogram
		return
	}
	op.run = setHistogram
	op.values, op.altValues = c.paths.Add(append(own, "values")...), c.paths.Add(append(keyed, "values")...)
}

// section returns the probe's value from the keyed section, else the plain one.
func (r *pingRow) section(op *pingOp) ping.Value {
	if v := r.doc.Value(op.alt); v.Kind() != ping.Missing {
		return v
	}
	return r.doc.Value(op.slot)
}

func setHistogram(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.values)
	if r.doc.Value(op.alt).Kind() != ping.Missing {
		v = r.doc.Value(op.altValues)
	}
	if v.Kind() != ping.Missing && r.readBuckets(op, v) {
		r.writeBuckets(r.out.Start(op.col), 0, op.label)
	}
}

func (r *pingRow) readBuckets(op *pingOp, v ping.Value) bool {
	bs, ok := r.parseBuckets(op, v, r.buckets[:0])
	r.buckets = bs
	return ok
}

func setKeyedHistogram(r *pingRow, op *pingOp) {
	v := r.section(op)
	if v.Kind() != ping.Object {
		return
	}
	n := r.out.Start(op.col)
	entries := r.entriesOf(op, v, &r.members)
	if len(entries) == 0 {
		r.out.Empty(n, 0)
		return
	}
	for i, m := range entries {
		rep := n.ElemRep(i, 0)
		r.out.Str(n.Key, rep, m.Key)
		if r.readBuckets(op, m.Value.Get("values")) {
			r.writeBuckets(n.Elem, rep, op.label)
		} else {
			r.out.Null(n.Elem, rep)
		}
	}
}

// writeBuckets writes the row's buckets as map n: bucket to count, or label to
// count where there are labels.
func (r *pingRow) writeBuckets(n *column.Node, rep int16, labels [][]byte) {
	if labels != nil {
		r.writeLabels(n, rep, labels)
		return
	}
	if len(r.buckets) == 0 {
		r.out.Empty(n, rep)
		return
	}
	for i, b := range r.buckets {
		at := n.ElemRep(i, rep)
		r.out.Int(n.Key, at, b.at)
		r.writeCount(n.Elem, at, b)
	}
}

func (r *pingRow) writeCount(n *column.Node, rep int16, b bucket) {
	if b.null {
		r.out.Null(n, rep)
	} else {
		r.out.Int(n, rep, b.count)
	}
}

var spillLabel = []byte("spill")

// writeLabels writes categorical buckets by label; buckets without one add up
// under spill, to null when one of them is.
func (r *pingRow) writeLabels(n *column.Node, rep int16, labels [][]byte) {
	written, spilled, known, spill := 0, false, true, int64(0)
	for _, b := range r.buckets {
		if b.at < 0 || int(b.at) >= len(labels) {
			spilled, known, spill = true, known && !b.null, spill+int64(b.count)
			continue
		}
		at := n.ElemRep(written, rep)
		r.out.StrShared(n.Key, at, labels[b.at])
		r.writeCount(n.Elem, at, b)
		written++
	}
	if spilled {
		at := n.ElemRep(written, rep)
		count, ok := fit32(spill)
		r.out.StrShared(n.Key, at, spillLabel)
		r.writeCount(n.Elem, at, bucket{count: count, null: !ok || !known})
		written++
	}
	if written == 0 {
		r.out.Empty(n, rep)
	}
}
