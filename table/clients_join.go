package table

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/table/column"
)

// shift is the number of definition levels that an array around a value adds: of the array, and of its element.
const shift = 2

// join writes column j as an array of the elements of all pings, or leaves it null if all are null.
func (r *eachRow) join(out *column.Batch, j int) {
	from := r.out.Node(j)
	known := false
	for i := from.Leaf; i < from.Leaf+from.Leaves && !known; i++ {
		known = slices.ContainsFunc(r.out.Leaves[i].Def, func(d int16) bool { return d > 0 })
	}
	if !known {
		return
	}
	to := out.Start(j)
	for i := range from.Leaves {
		src, dst := &r.out.Leaves[from.Leaf+i], &out.Leaves[to.Leaf+i]
		for k, d := range src.Def {
			rep := int16(0)
			switch {
			case src.MaxRep > 0 && src.Rep[k] > 0:
				rep = src.Rep[k] + 1
			case k > 0:
				rep = 1
			}
			dst.Def, dst.Rep = append(dst.Def, d+shift), append(dst.Rep, rep)
		}
		dst.AppendValues(src, 0, src.Values(), out.Copy)
	}
}

// piece is the value of a key in a ping: where its levels and values begin and end in each leaf.
type piece struct {
	ping   int
	levels [2][2]int
	values [2][2]int
}

// pieces are the values of a keyed probe by key, in the order of the pings.
type pieces map[string][]piece

// joinKeyed writes column j as a map of the keys of all pings to arrays over the pings.
func (r *eachRow) joinKeyed(out *column.Batch, j int, op *eachOp, pings int) {
	r.gather(j)
	to := out.Start(j)
	if len(r.pieces) == 0 {
		out.Empty(to, 0)
		return
	}
	from := r.out.Node(j).Elem
	keys := slices.SortedFunc(maps.Keys(r.pieces), func(a, b string) int { return bytes.Compare([]byte(a), []byte(b)) })
	for i, key := range keys {
		rep := to.ElemRep(i, 0)
		out.Str(to.Key, rep, []byte(key))
		list, elem := r.pieces[key], to.Elem.Elem
		for p := range pings {
			at := to.Elem.ElemRep(p, rep)
			if len(list) == 0 || list[0].ping != p {
				op.zero(out, elem, at, op)
				continue
			}
			r.copyPiece(out, from, elem, &list[0], at)
			list = list[1:]
		}
	}
}

// copyPiece copies the value of a key in a ping.
func (r *eachRow) copyPiece(out *column.Batch, from, to *column.Node, p *piece, rep int16) {
	for i := range from.Leaves {
		src, dst := &r.out.Leaves[from.Leaf+i], &out.Leaves[to.Leaf+i]
		for k := p.levels[i][0]; k < p.levels[i][1]; k++ {
			at := rep
			if k > p.levels[i][0] {
				at = src.Rep[k] + 1
			}
			dst.Def, dst.Rep = append(dst.Def, src.Def[k]+shift), append(dst.Rep, at)
		}
		dst.AppendValues(src, p.values[i][0], p.values[i][1], out.Copy)
	}
}

// gather finds the values of the keys of column j.
func (r *eachRow) gather(j int) {
	r.pieces = pieces{}
	n := r.out.Node(j)
	keys := &r.out.Leaves[n.Key.Leaf]
	ping, value := -1, 0
	var levels, values [2]int
	for k, def := range keys.Def {
		if keys.Rep[k] == 0 {
			ping++
		}
		p := piece{ping: ping}
		for i := range n.Elem.Leaves {
			l := &r.out.Leaves[n.Elem.Leaf+i]
			p.levels[i][0], p.values[i][0] = levels[i], values[i]
			for first := true; levels[i] < len(l.Def) && (first || l.Rep[levels[i]] > 1); first = false {
				if l.Def[levels[i]] == l.MaxDef {
					values[i]++
				}
				levels[i]++
			}
			p.levels[i][1], p.values[i][1] = levels[i], values[i]
		}
		if def == keys.MaxDef {
			key := string(keys.Bytes[value])
			value++
			r.pieces[key] = append(r.pieces[key], p)
		}
	}
}
