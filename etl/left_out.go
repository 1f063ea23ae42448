package etl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
)

// leftOut counts, by column, the values that exceeded a bound.
type leftOut map[string]int64

func (l leftOut) add(o leftOut) {
	for column, n := range o {
		l[column] += n
	}
}

// output returns the JSON that the ledger stores for a committed unit.
func (l leftOut) output() string {
	if len(l) == 0 {
		return ""
	}
	b, _ := json.Marshal(struct { // a map of numbers cannot fail
		LeftOut leftOut `json:"left_out"`
	}{l})
	return string(b)
}

// LeftOut returns how many values a committed unit dropped because they exceeded a bound, by column, such as
// "locale 2, experiments 1": largest first, at most five columns. It returns "" if there are none.
func LeftOut(r job.Result) string {
	var out struct {
		LeftOut leftOut `json:"left_out"`
	}
	if json.Unmarshal([]byte(r.Output), &out) != nil {
		return ""
	}
	return LeftOutText(out.LeftOut)
}

// LeftOutText formats counts by column, see LeftOut.
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
