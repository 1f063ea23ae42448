package etl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
)

// leftOut is how many values of each column were over a bound.
type leftOut map[string]int64

func (l leftOut) add(o leftOut) {
	for column, n := range o {
		l[column] += n
	}
}

// output is what a committed unit keeps of it in the ledger.
func (l leftOut) output() string {
	if len(l) == 0 {
		return ""
	}
	b, _ := json.Marshal(struct { // a map of numbers cannot fail
		LeftOut leftOut `json:"left_out"`
	}{l})
	return string(b)
}

// LeftOut is how many values a committed unit left out because they were over
// a bound, by column, such as "locale 2, experiments 1": most first, at most five
// columns. It is empty when there were none.
func LeftOut(r job.Result) string {
	var out struct {
		LeftOut leftOut `json:"left_out"`
	}
	if json.Unmarshal([]byte(r.Output), &out) != nil {
		return ""
	}
	return LeftOutText(out.LeftOut)
}

// LeftOutText is LeftOut of counts by column.
func LeftOutText(l map[string]int64) string {
	columns := slices.SortedFunc(maps.Keys(l), func(a, b string) int {
		if l[a] != l[b] {
			return int(l[b] - l[a])
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for i, c := range columns {
		if i == 5 {
			parts = append(parts, fmt.Sprintf("%d other columns", len(columns)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", c, l[c]))
	}
	return strings.Join(parts, ", ")
}
