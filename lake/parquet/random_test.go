package parquet

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// nestedColumns returns columns of all kinds of types, nullable and required.
func nestedColumns() []schema.Column {
	var cols []schema.Column
	for i, typ := range []string{
		"boolean", "int", "long", "double", "string", "decimal(37,6)", "decimal(9,2)", "decimal(38,0)", "decimal(1,1)",
		"array<string not null>", "array<int>", "map<int,int>", "map<string,map<string,boolean>>",
		"array<struct<engine:string,source:string not null,count:long> not null>",
		"array<struct<a:string not null,b:map<string,string>,c:array<array<long>>>>",
		"struct<a:int,b:struct<c:string not null,d:array<double>>>", "struct<a:int not null,b:string>",
		"map<string,array<struct<x:decimal(27,6),y:boolean not null>>>",
	} {
		c := schema.Column{Name: fmt.Sprintf("c%d", i), Type: schema.MustType(typ)}
		r := c
		r.Name, r.NotNull = c.Name+"_required", true
		cols = append(cols, c, r)
	}
	return cols
}

// nestedBatch holds random rows.
func nestedBatch(seed uint64, rows int) *column.Batch {
	b := column.NewBatch(nestedColumns())
	fillRandom(b, rand.New(rand.NewPCG(seed, 7)), rows)
	return b
}

func fillRandom(b *column.Batch, rng *rand.Rand, rows int) {
	a := anything{rng, 1 + rng.IntN(6)}
	for range rows {
		for i := range b.Columns {
			if n := b.Node(i); !n.Nullable || rng.IntN(3) > 0 {
				a.node(b, b.Start(i), 0, false)
			}
		}
		b.EndRow()
	}
	b.Finish()
}

// anything writes random values of any type, nulls and empty ones among them.
type anything struct {
	rng *rand.Rand
	max int // of elements
}

func (a anything) node(b *column.Batch, n *column.Node, rep int16, nulls bool) {
	if nulls && n.Nullable && a.rng.IntN(4) == 0 {
		b.Null(n, rep)
		return
	}
	switch n.Type.Kind {
	case schema.Array, schema.Map:
		a.repeated(b, n, rep)
	case schema.Struct:
		for _, f := range n.Fields {
			a.node(b, f, rep, true)
		}
	default:
		a.scalar(b, n, rep)
	}
}

func (a anything) repeated(b *column.Batch, n *column.Node, rep int16) {
	count := a.rng.IntN(a.max + 1)
	if count == 0 {
		b.Empty(n, rep)
	}
	for e := range count {
		if n.Key != nil {
			a.scalar(b, n.Key, n.ElemRep(e, rep))
		}
		a.node(b, n.Elem, n.ElemRep(e, rep), true)
	}
}

func (a anything) scalar(b *column.Batch, n *column.Node, rep int16) {
	switch n.Type.Kind {
	case schema.Boolean:
		b.Bool(n, rep, a.rng.IntN(2) == 0)
	case schema.Int:
		b.Int(n, rep, int32(a.long()))
	case schema.Long:
		b.Long(n, rep, a.long())
	case schema.Double:
		b.Double(n, rep, []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(-1), 0.5, a.rng.NormFloat64()}[a.rng.IntN(6)])
	case schema.Decimal:
		b.Decimal(n, rep, a.decimal(n.Type.Precision))
	case schema.String:
		b.Str(n, rep, a.text())
	}
}

func (a anything) long() int64 {
	return []int64{0, 1, -1, a.rng.Int64N(100), -a.rng.Int64N(100), 4095, 4096, math.MaxInt32, math.MinInt64, a.rng.Int64()}[a.rng.IntN(10)]
}

// decimal returns a number of at most the given digits.
func (a anything) decimal(precision int) column.Int128 {
	v := big.NewInt(a.rng.Int64N(10) - 5)
	for range a.rng.IntN(precision) {
		v.Add(v.Mul(v, big.NewInt(10)), big.NewInt(a.rng.Int64N(10)-5))
	}
	return column.Int128OfBig(v)
}

func (a anything) text() []byte {
	switch a.rng.IntN(6) {
	case 0:
		return nil
	case 1:
		return []byte(strings.Repeat("long ", a.rng.IntN(100)))
	default:
		return fmt.Appendf(nil, "té%d", a.rng.IntN(40))
	}
}
