package line

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// TestDecode: what terminals send becomes keys, wherever it is cut.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{"ab\r", "ab<enter>"},
		{"\x1b[A\x1bOB\x1b[3~", "<up><down><delete>"},
		{"é日\x01", "é日<ctrl-a>"},
		{"\x1b\x1b[A", "<esc><up>"},
		{"\x1b[200~SELECT 1;\r\n\x03SELECT 2;\r\x1b[201~x", "SELECT 1;\n\x03SELECT 2;\nx"},
		{"\x1b[99;99~y", "y"},
		{"\x1b\x7f\x1bd", "<alt-backspace><alt-d>"},
		{"\xff\xfeab", "ab"},
	} {
		for cut := range len(c.sent) + 1 {
			got, left := "", ""
			for _, part := range []string{c.sent[:cut], c.sent[cut:]} {
				left += part
				for left != "" {
					k, size := decode([]byte(left), false)
					if size == 0 {
						break
					}
					left = left[size:]
					if got += k.text; k.name != "" {
						got += "<" + k.name + ">"
					}
				}
			}
			if got != c.want || left != "" {
				t.Errorf("%q cut at %d: %q and %q, want %q", c.sent, cut, got, left, c.want)
			}
		}
	}
}

// TestEditing presses keys and looks at the text, with | for the cursor.
func TestEditing(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"select a\x01X", "X|select a"},
		{"a é👩‍👩‍👧\x1b[D\x1b[DX", "a X|é👩‍👩‍👧"},
		{"👩‍👩‍👧\x7f", "|"},
		{"one two\x17", "one |"},
		{"one two\x17\x19\x19", "one twotwo|"},
		{"clients_daily c\x1bb\x1bb", "|clients_daily c"},
		{"abc\x0b\x01\x0b", "|"},
		{"abc\x15\x1f", "abc|"},
		{"abcd\rab\x1b[AX", "abX|cd\nab"},
		{"ab\rabcd\x1b[A\x1b[Bx", "ab\nabx|cd"},
		{"sel\tx", "selectx|"},
		{"c\t", "c|"},
		{"c\t\t", "clients|"},
		{"c\t\t\t", "count|"},
		{"c\t\x1b[Z\r", "count|"},
		{"c\t\t\x1b", "c|"},
		{"\x1b[A", "newest|"},
		{"x\x1b[A\x1b[A\x1b[B\x1b[B", "x|"},
		{"typed\x12old", "old\nsecond line"},
		{"typed\x12o\x03", "typed|"},
	} {
		past := []string{"older", "old\nsecond line", "newest"}
		e := &Editor{
			History: func(n int) string { return past[n] }, HistoryLen: func() int { return len(past) }, walked: len(past),
			Accepts: func(string) (bool, int) { return false, 0 },
			Complete: func(before, _ string) (string, []Offer) {
				var list []Offer
				word := before[strings.LastIndexAny(before, " \n")+1:]
				for _, s := range []string{"clients", "count", "select"} {
					if strings.HasPrefix(s, word) {
						list = append(list, Offer{Text: s})
					}
				}
				return word, list
			},
		}
		for left := []byte(c.keys); len(left) > 0; {
			k, size := decode(left, true)
			left = left[size:]
			e.press(k)
		}
		got := e.text[:e.at] + "|" + e.text[e.at:]
		if got != c.want && e.text != c.want {
			t.Errorf("%q: %q, want %q", c.keys, got, c.want)
		}
	}
}

// FuzzEditor: whatever is sent, the text is valid, the cursor in it, and no row is wider than the screen.
func FuzzEditor(f *testing.F) {
	f.Add([]byte("select 1;\r\x1b[A日本\t\x12é\x1b[200~a\tb\r\x1b[201~"), 20)
	f.Add([]byte("\xff\x1b[\x00\x1b[1;5D👩‍👩‍👧\x7f\x17\x1f\x1f"), 3)
	f.Fuzz(func(t *testing.T, keys []byte, width int) {
		width = 2 + min(max(0, width), 200)
		e := &Editor{
			History: func(int) string { return "past\n;" }, HistoryLen: func() int { return 1 }, walked: 1,
			Accepts: func(text string) (bool, int) { return strings.HasSuffix(text, ";"), 0 },
			Complete: func(before, _ string) (string, []Offer) {
				return "", []Offer{{Text: "x"}, {Text: "xyz", About: "日本"}}
			},
			Edit: func(text string) (string, error) { return text, nil },
		}
		for len(keys) > 0 && !e.result.done && len(e.text) < 1<<12 {
			k, size := decode(keys, true)
			if size == 0 { // a paste without an end
				return
			}
			keys = keys[size:]
			if k.name == "ctrl-z" || k.name == "ctrl-l" || k.name == "ctrl-e" && e.prefix != "" {
				continue // they need a terminal
			}
			e.press(k)
			if e.at < 0 || e.at > len(e.text) || !utf8.ValidString(e.text) || !utf8.RuneStart(append([]byte(e.text), 'x')[e.at]) {
				t.Fatalf("cursor %d in %q", e.at, e.text)
			}
		}
		d := layout("> ", "  ", e.text, e.at, width)
		if d.row >= len(d.rows) || d.column > width {
			t.Fatalf("cursor in row %d, column %d of %q", d.row, d.column, d.rows)
		}
		for _, row := range d.rows {
			if w := uniseg.StringWidth(row); w > max(width, 8) {
				t.Fatalf("%q is %d wide, want %d", row, w, width)
			}
		}
	})
}
