package parquet

// A dictionary pays if it and the indices are smaller than the values. Building
// one stops early when the values turn out to be mostly different, which is
// judged by the values seen so far: at most one in two may be new for numbers,
// three in four for texts, which are longer. The allowance lets short chunks and
// slow starters through to the final judgement by size.
const dictAllowance = 64

// maxDictBytes bounds a dictionary page.
const maxDictBytes = 1 << 20

// tooManyNumbers reports whether a dictionary of numbers is no longer worth it.
func tooManyNumbers(distinct, seen int) bool { return distinct > seen/2+dictAllowance }

func tooManyTexts(distinct, seen int) bool { return distinct > seen/4*3+dictAllowance }

// indexWidth returns the number of bits of a dictionary index. One bit is the least, as some readers know no width of
// zero.
func indexWidth(entries int) uint { return max(1, bitWidth(entries-1)) }

// dictPays compares the size in bytes of entries plus indices with that of the
// plain values.
func dictPays(entries, entryBytes, values, plainBytes int) bool {
	if entryBytes > maxDictBytes {
		return false
	}
	return entryBytes+values*int(indexWidth(entries))/8+8 < plainBytes
}
