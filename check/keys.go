package check

import (
	"context"
	"errors"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/table/column"
)

// keys are the keys of things, to be counted and compared: rows of a table, or
// pings of the archive. A part of a key is nil where it is null.
type keys struct {
	names []string // of the parts
	each  func(ctx context.Context, r job.Samples, yield func(key [][]byte) error) error
	// exact, if not nil, are the same keys without those that each, for speed,
	// cannot distinguish from others.
	exact *keys
}

// rule describes the error of a key that one side has w times and the other
// has h times; "" if there is none.
type rule func(w, h int) string

// seed makes hashes that nobody can foresee.
var seed = maphash.MakeSeed()

// hasher hashes keys.
type hasher struct{ buf []byte }

func (h *hasher) sum(key [][]byte) uint64 {
	h.buf = column.AppendKey(h.buf[:0], key...)
	return maphash.Bytes(seed, h.buf)
}

// hashes holds the sorted hashes of all keys in a range.
func (k *keys) hashes(ctx context.Context, r job.Samples) ([]uint64, error) {
	var all []uint64
	var h hasher
	err := k.each(ctx, r, func(key [][]byte) error {
		all = append(all, h.sum(key))
		return nil
	})
	sortHashes(all)
	return all, err
}

// sortHashes sorts hashes in ascending order: by their first bits into runs of a few, and then each run.
func sortHashes(all []uint64) {
	const most = 16
	width := min(bits.Len(uint(len(all)/8)), most)
	if width < 2 {
		slices.Sort(all)
		return
	}
	shift := 64 - width
	ends := make([]int32, 1<<width)
	for _, h := range all {
		ends[h>>shift]++
	}
	at := int32(0)
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	sorted := make([]uint64, len(all))
	for _, h := range all {
		sorted[ends[h>>shift]] = h
		ends[h>>shift]++
	}
	copy(all, sorted)
	begin := int32(0)
	for _, end := range ends {
		if end-begin > 1 {
			slices.Sort(all[begin:end])
		}
		begin = end
	}
}

// broken returns the keys of a range, by hash, that break a rule, with what is wrong.
func broken(want, have []uint64, wrong rule) map[uint64]string {
	var found map[uint64]string
	for len(want) > 0 || len(have) > 0 {
		var at uint64
		switch {
		case len(want) == 0:
			at = have[0]
		case len(have) == 0:
			at = want[0]
		default:
			at = min(want[0], have[0])
		}
		w, h := run(want, at), run(have, at)
		want, have = want[w:], have[h:]
		if message := wrong(w, h); message != "" {
			if found == nil {
				found = map[uint64]string{}
			}
			found[at] = message
		}
	}
	return found
}

// run counts the copies of a value at the beginning of a list.
func run(list []uint64, v uint64) (n int) {
	for n < len(list) && list[n] == v {
		n++
	}
	return n
}

// compared finds the keys that break a rule, range by range. want may be nil: a
// rule about one side. equal, if set, keeps quiet about ranges in which both
// sides have as many keys.
func compared(ctx context.Context, p *Partition, want, have *keys, equal bool, wrong rule) (Finding, error) {
	return p.parts(ctx, func(ctx context.Context, r job.Samples) (Finding, error) {
		h, err := have.hashes(ctx, r)
		if err != nil {
			return Finding{}, err
		}
		for side := want; ; side = side.exact {
			var w []uint64
			if side != nil {
				if w, err = side.hashes(ctx, r); err != nil {
					return Finding{}, err
				}
			}
			if equal && len(w) == len(h) {
				return Finding{}, nil
			}
			bad := broken(w, h, wrong)
			if len(bad) == 0 {
				return Finding{}, nil
			}
			if side == nil || side.exact == nil {
				return named(ctx, r, bad, side, have)
			}
		}
	})
}

// errEnough ends a pass that has found what it needs.
var errEnough = errors.New("enough")

// named reads the keys again whose hashes break a rule.
func named(ctx context.Context, r job.Samples, bad map[uint64]string, sides ...*keys) (Finding, error) {
	f := Finding{Total: len(bad)}
	var h hasher
	seen := map[uint64]bool{}
	for _, side := range sides {
		if side == nil {
			continue
		}
		err := side.each(ctx, r, func(key [][]byte) error {
			sum := h.sum(key)
			message, is := bad[sum]
			if !is || seen[sum] {
				return nil
			}
			seen[sum] = true
			row := Row{Note: message}
			for i, k := range key {
				row.Key = append(row.Key, field(side.names[i], k))
			}
			if f.Rows = append(f.Rows, row); len(f.Rows) == MaxRows {
				return errEnough
			}
			return nil
		})
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}
