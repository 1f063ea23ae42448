package functions

import "testing"

// TestComparedKey: the key of comparators in the usual forms, the direction, and none for others.
func TestComparedKey(t *testing.T) {
	for _, c := range []struct{ body, key, sign string }{
		{"CASE WHEN (x < y) THEN 1 ELSE CASE WHEN (x = y) THEN 0 ELSE (-1) END END", "x", "-"},
		{"CASE WHEN (x < y) THEN (-1) WHEN (x = y) THEN 0 ELSE 1 END", "x", ""},
		{"CASE WHEN (len(x) > len(y)) THEN (-1) WHEN (len(x) < len(y)) THEN 1 ELSE 0 END", "len(x)", "-"},
		{"CASE WHEN (f(x, ' < ') > f(y, ' < ')) THEN 1 ELSE CASE WHEN (f(x, ' < ') < f(y, ' < ')) THEN (-1) ELSE 0 END END", "f(x, ' < ')", ""},
		{"CASE WHEN (x < y) THEN 1 ELSE CASE WHEN (x = y) THEN 0 ELSE 1 END END", "", ""},
		{"CASE WHEN (x < y) THEN 1 ELSE CASE WHEN (x = z) THEN 0 ELSE (-1) END END", "", ""},
		{"CASE WHEN (y < x) THEN 1 ELSE CASE WHEN (y = x) THEN 0 ELSE (-1) END END", "", ""},
		{"CASE WHEN (x < len(y)) THEN 1 ELSE CASE WHEN (x = len(y)) THEN 0 ELSE (-1) END END", "", ""},
		{"sign(x - y)", "", ""},
	} {
		key, sign := comparedKey(&Lambda{Params: []string{"x", "y"}, Body: c.body})
		if key != c.key || sign != c.sign {
			t.Errorf("%s: %q %q", c.body, key, sign)
		}
	}
}
