package layout

import (
	"bufio"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/sql/query/encode"
)

func written(width int, expanded bool, columns []Column, rows ...[]any) string {
	var out strings.Builder
	b := bufio.NewWriter(&out)
	t := New(b, width, expanded)
	for _, row := range rows {
		t.Add(columns, row)
	}
	t.End(columns)
	_ = b.Flush() // a strings.Builder takes all
	return out.String()
}

var (
	columns = []Column{{Name: "name"}, {Name: "n", Right: true}, {Name: "what"}}
	rows    = [][]any{
		{"日本語", int64(7), []any{encode.Object{{Name: "engine", Value: "bing"}, {Name: "count", Value: int64(3)}}}},
		{"é👩‍👩‍👧\x1b[31m", nil, strings.Repeat("long ", 20)},
	}
)

// TestWidths: no line is wider than the terminal, and columns stay aligned.
func TestWidths(t *testing.T) {
	for _, width := range []int{40, 60, 80, 200} {
		for _, expanded := range []bool{false, true} {
			text := written(width, expanded, columns, rows...)
			for line := range strings.Lines(text) {
				if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("width %d, expanded %v: a line of %d:\n%s", width, expanded, w, text)
				}
			}
			if strings.ContainsRune(text, '\x1b') {
				t.Errorf("an escape is in\n%q", text)
			}
		}
	}
	lines := strings.Split(written(200, false, columns, rows...), "\n")
	bar := uniseg.StringWidth(lines[0][:strings.Index(lines[0], "|")])
	for _, line := range lines[2:4] {
		if got := uniseg.StringWidth(line[:strings.Index(line, "|")]); got != bar {
			t.Errorf("a column ends at %d, not %d:\n%s", got, bar, strings.Join(lines, "\n"))
		}
	}
}

// TestRecord: values that do not fit in a line have one for each of their parts.
func TestRecord(t *testing.T) {
	got := written(40, true, columns[2:], rows[0][2:])
	want := "-[ row 1 ]------------------------------\nwhat | [{\"engine\":\"bing\",\"count\":3}]\n"
	if got != want {
		t.Errorf("it fits:\n%s\nwant\n%s", got, want)
	}
	got = written(30, true, columns[2:], rows[0][2:], rows[1][2:])
	want = `-[ row 1 ]--------------------
what | [
     |   {
     |     "engine": "bing"
     |     "count": 3
     |   }
     | ]
-[ row 2 ]--------------------
what | long long long long lon
     | g long long long long l
     | ong long long long long
     |  long long long long lo
     | ng long 
`
	if got != want {
		t.Errorf("it does not fit:\n%s\nwant\n%s", got, want)
	}
	if got := written(0, true, columns[2:], rows[1][2:]); !strings.Contains(got, rows[1][2].(string)) {
		t.Errorf("without a terminal nothing is broken:\n%s", got)
	}
}
