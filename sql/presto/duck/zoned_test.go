package duck

import "testing"

// TestZoned: a timestamp with zone is taken apart again, and is a struct at the end.
func TestZoned(t *testing.T) {
	z := Mark(3, Zoned("f(x)", "'America/New_York'"))
	if got := LocalOf(z); got != "timezone('America/New_York', timezone('UTC', f(x)))" {
		t.Error(got)
	}
	if got := LocalOf(Zoned("x", "'-02:30'")); got != "(x - to_minutes(150))" {
		t.Error(got)
	}
	if got := FromLocal("x", "'UTC'"); got != "x" {
		t.Error(got)
	}
	if got := Expand("a(" + Zoned("x", "'UTC'") + ")"); got != "a(CASE WHEN x IS NOT NULL THEN {t: x, z: 'UTC'} END)" {
		t.Error(got)
	}
	if got := Instant(Zoned(Instant("y"), "z")); got != "struct_extract(y, 't')" {
		t.Error(got)
	}
	if got := Expand(Zoned(Zoned("a", "b"), "c")); got == "" {
		t.Error(got)
	}
}
