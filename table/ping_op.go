package table

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// pingOp computes one column of a table made from pings.
type pingOp struct {
	col   int
	slot  ping.Slot
	alt   ping.Slot // the same probe in the keyed section
	arg   int32
	label [][]byte // of a categorical histogram

	values, altValues ping.Slot // the values members of slot and alt
	run               func(r *pingRow, op *pingOp)
}

// pingRow is the row being made: the scanned document, the metadata and the
// batch that takes the columns.
type pingRow struct {
	meta    *ping.Meta
	doc     *ping.Doc
	out     *column.Batch
	text    []byte        // scratch of decoded texts
	members []ping.Member // scratch, outer level
	inner   []ping.Member // scratch, inner level
	values  []ping.Value
	buckets []bucket
	addons  addonScratch
	event   event  // of the row, in tables of events
	process []byte // of the event
	without bool   // the ping lacks what a row must have
}

// compiler turns schema columns into ops.
type compiler struct {
	paths ping.PathSet
	funcs columnFuncs
	ops   []pingOp

	dashed bool // days are written YYYY-MM-DD
}

// setDashedDay is the partition value of a table with dashed days.
func setDashedDay(r *pingRow, op *pingOp) {
	d := r.meta.Text(ping.SubmissionDate)
	if len(d) != 8 {
		return
	}
	t := append(append(r.text[:0], d[:4]...), '-')
	t = append(append(append(t, d[4:6]...), '-'), d[6:]...)
	r.out.SetBytes(op.col, t)
}

func (c *compiler) column(i int, col *schema.Column) {
	op := pingOp{col: i}
	if c.dashed && col.Rule == schema.RulePartition {
		op.run = setDashedDay
		c.ops = append(c.ops, op)
		return
	}
	if ofMeta(col) {
		op.run = metaRun(strings.TrimPrefix(col.Source, metaSource), col)
		c.ops = append(c.ops, op)
		return
	}
	path := strings.Split(col.Source, "/")
	switch col.Rule {
	case schema.RuleFunc:
		c.funcs[col.Name](c, &op, path)
	case schema.RuleScalar:
		c.scalar(&op, path, col.Scalar)
	case schema.RuleHistogram:
		c.histogram(&op, path, col.Histogram)
	case schema.RuleSum:
		op.slot = c.paths.Add(append(path, "sum")...)
		op.run = setInt32
	case schema.RuleKeyedSum:
		op.slot = c.paths.Add(append(path, col.Arg, "sum")...)
		op.run = setInt32
	case schema.RuleAbove:
		at, _ := strconv.Atoi(col.Arg) // digits by construction
		op.slot, op.arg, op.run = c.paths.Add(append(path, "values")...), int32(at), setAbove
	default:
		if col.Arg != "" { // a preference, whose name is one path element
			path = append(path, col.Arg)
		}
		op.slot, op.run = c.paths.Add(path...), pathRun(col)
	}
	c.ops = append(c.ops, op)
}

// metaSource begins the sources of columns that are members of the metadata.
const metaSource = "meta/"

// ofMeta reports whether a column is a member of the metadata as it is.
func ofMeta(col *schema.Column) bool {
	return strings.HasPrefix(col.Source, metaSource) && col.Rule != schema.RuleFunc
}

// pathRun picks the reading rule of a plain path by the column's rule and type.
func pathRun(col *schema.Column) func(*pingRow, *pingOp) {
	switch {
	case col.Rule == schema.RuleInteger:
		return setInteger32
	case col.Rule == schema.RuleText:
		return setString
	case col.Type.Kind == schema.Int:
		return setInt32
	case col.Type.Kind == schema.Long:
		return setInt64
	case col.Type.Kind == schema.Boolean:
		return setBool
	}
	return setText
}

func setText(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if v.Kind() == ping.Missing {
		return
	}
	if t, ok := v.Text(r.text[:0]); ok {
		r.out.SetBytes(op.col, t)
	}
}

func setString(r *pingRow, op *pingOp) {
	if t, ok := r.doc.Value(op.slot).Str(r.text[:0]); ok {
		r.out.SetBytes(op.col, t)
	}
}

func setInt32(r *pingRow, op *pingOp) {
	if n, ok := r.doc.Value(op.slot).Int32(); ok {
		r.out.SetInt(op.col, n)
	}
}

func setInteger32(r *pingRow, op *pingOp) {
	if n, ok := r.doc.Value(op.slot).Integer32(); ok {
		r.out.SetInt(op.col, n)
	}
}

func setInt64(r *pingRow, op *pingOp) {
	if n, ok := r.doc.Value(op.slot).Int64(); ok {
		r.out.SetLong(op.col, n)
	}
}

func setBool(r *pingRow, op *pingOp) {
	if v, ok := r.doc.Value(op.slot).Bool(); ok {
		r.out.SetBool(op.col, v)
	}
}

// metaRun reads a member of the metadata.
func metaRun(name string, col *schema.Column) func(*pingRow, *pingOp) {
	f, ok := ping.MetaFieldByName(name)
	if !ok {
		panic("table: column " + col.Name + ": no metadata " + name)
	}
	switch {
	case f == ping.SampleID:
		return func(r *pingRow, op *pingOp) {
			if n, ok := r.meta.Int(ping.SampleID); ok {
				r.out.SetBytes(op.col, strconv.AppendInt(r.text[:0], n, 10))
			}
		}
	case f.IsInt():
		return func(r *pingRow, op *pingOp) {
			if n, ok := r.meta.Int(f); ok {
				r.out.SetLong(op.col, n)
			}
		}
	}
	return func(r *pingRow, op *pingOp) {
		if t := r.meta.Text(f); t != nil {
			r.out.SetBytes(op.col, t)
		}
	}
}
