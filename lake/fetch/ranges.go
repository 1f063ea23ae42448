package fetch

import (
	"cmp"
	"slices"

	"github.com/pingmill/pingmill/lake/parquet"
)

// union puts ranges in order and makes one of those that touch.
func union(all []parquet.Range) (out []parquet.Range) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b parquet.Range) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, r := range all {
		if r.Size <= 0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && r.Offset <= out[n].Offset+out[n].Size {
			out[n].Size = max(out[n].Size, r.Offset+r.Size-out[n].Offset)
			continue
		}
		out = append(out, r)
	}
	return out
}

// missing returns the parts of some ranges that a union of ranges does not cover.
func missing(want, have []parquet.Range) (out []parquet.Range) {
	for _, r := range union(want) {
		at, end := r.Offset, r.Offset+r.Size
		for _, h := range have {
			if h.Offset+h.Size <= at || h.Offset >= end {
				continue
			}
			if h.Offset > at {
				out = append(out, parquet.Range{Offset: at, Size: h.Offset - at})
			}
			at = h.Offset + h.Size
		}
		if at < end {
			out = append(out, parquet.Range{Offset: at, Size: end - at})
		}
	}
	return out
}

// joined joins ranges with small gaps between them that are not there either.
func joined(lacking, have []parquet.Range) (out []parquet.Range) {
	for _, r := range lacking {
		if n := len(out) - 1; n >= 0 {
			end := out[n].Offset + out[n].Size
			between := parquet.Range{Offset: end, Size: r.Offset - end}
			if between.Size <= gap && len(missing([]parquet.Range{between}, have)) == 1 && missing([]parquet.Range{between}, have)[0] == between {
				out[n].Size = r.Offset + r.Size - out[n].Offset
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// pieces divides large ranges.
func pieces(all []parquet.Range) (out []parquet.Range) {
	for _, r := range all {
		for r.Size > maxRange {
			out = append(out, parquet.Range{Offset: r.Offset, Size: maxRange})
			r.Offset, r.Size = r.Offset+maxRange, r.Size-maxRange
		}
		out = append(out, r)
	}
	return out
}
