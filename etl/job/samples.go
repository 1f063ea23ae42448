package job

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NoClient is the sample of the rows that have no client id. Those of clients are 0 to 99.
const NoClient = 100

// Samples is a range of samples, both ends inclusive.
type Samples struct{ Lo, Hi int }

// String writes the range as [ParseSamples] reads it.
func (s Samples) String() string {
	if s.Lo == s.Hi {
		return strconv.Itoa(s.Lo)
	}
	return fmt.Sprintf("%d-%d", s.Lo, s.Hi)
}

func (s Samples) check() error {
	if s.Lo < 0 || s.Hi > NoClient || s.Lo > s.Hi {
		return fmt.Errorf("samples %d to %d: not a range within 0 to %d", s.Lo, s.Hi, NoClient)
	}
	return nil
}

// ParseSamples reads samples and ranges of them separated by commas, such as "42" or "0-9,50". It returns
// them in rising order, those that overlap or touch as one.
func ParseSamples(list string) ([]Samples, error) {
	var ranges []Samples
	for part := range strings.SplitSeq(list, ",") {
		s, err := parseRange(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("read samples %q: %w", list, err)
		}
		ranges = append(ranges, s)
	}
	slices.SortFunc(ranges, func(a, b Samples) int { return cmp.Compare(a.Lo, b.Lo) })
	merged := ranges[:1]
	for _, s := range ranges[1:] {
		last := &merged[len(merged)-1]
		if s.Lo > last.Hi+1 {
			merged = append(merged, s)
			continue
		}
		last.Hi = max(last.Hi, s.Hi)
	}
	return merged, nil
}

func parseRange(part string) (Samples, error) {
	first, last, isRange := strings.Cut(part, "-")
	if !isRange {
		last = first
	}
	lo, err1 := strconv.ParseUint(first, 10, 16)
	hi, err2 := strconv.ParseUint(last, 10, 16)
	if err1 != nil || err2 != nil {
		return Samples{}, fmt.Errorf("%q is neither a sample nor a range like 0-9", part)
	}
	s := Samples{Lo: int(lo), Hi: int(hi)}
	return s, s.check()
}

// FormatSamples writes ranges as [ParseSamples] reads them, in the order given.
func FormatSamples(ranges []Samples) string {
	parts := make([]string, len(ranges))
	for i, s := range ranges {
		parts[i] = s.String()
	}
	return strings.Join(parts, ",")
}
