package duck

import "testing"

// TestCastErrors: calls of error() become casts, other text stays.
func TestCastErrors(t *testing.T) {
	got := CastErrors(`CASE WHEN x THEN error(concat('a)', f(1))) ELSE my_error(1) || 'error(' END`, "c")
	want := `CASE WHEN x THEN (CASE WHEN CAST((concat('a)', f(1))) || coalesce(left(CAST(c AS VARCHAR), 0), '') AS BOOLEAN) THEN NULL ` +
		`END) ELSE my_error(1) || 'error(' END`
	if got != want {
		t.Error(got)
	}
}
