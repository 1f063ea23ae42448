package duck

import (
	"regexp"
	"testing"
)

var names = regexp.MustCompile(`_[0-9a-z]{11,}`)

// TestFill: arguments are computed once, simple ones are written out.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		template string
		args     []string
		rest     int
		want     string
	}{
		{"$1 + $1", []string{`m."x"`}, 9, `m."x" + m."x"`},
		{"f($1)", []string{"g(x)"}, 9, "f(g(x))"},
		{"$1 + $1 + $2", []string{"g(x)", "5"}, 9, "list_transform([{a0: g(x)}], lambda _h: _h.a0 + _h.a0 + 5)[1]"},
		{"f($*)", []string{"1", "2"}, 0, "f(1, 2)"},
		{"f($1, [$*])", []string{"1", "2", "3"}, 1, "f(1, [2, 3])"},
		{"f($10, $1)", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "ten"}, 99, "f(ten, 1)"},
	} {
		got := Fill(c.template, c.args, c.rest)
		if got = names.ReplaceAllString(got, "_h"); got != c.want {
			t.Errorf("%s: %s", c.template, got)
		}
	}
}

// TestMarks: marks leave the SQL as it was and lead back to the query.
func TestMarks(t *testing.T) {
	sql, places := Marks("a + " + Mark(7, "b + "+Mark(9, "c")))
	if sql != "a + b + c" || Origin(places, 4) != 7 || Origin(places, 8) != 9 || Origin(places, 0) != -1 {
		t.Errorf("%q %v", sql, places)
	}
	if s := Text("it's\x01"); s != `concat('i', 't', '''', 's', chr(1))` {
		t.Errorf("text with a control character: %s", s)
	}
}
