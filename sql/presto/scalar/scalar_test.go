package scalar

import (
	"strings"
	"testing"
)

// TestNames: a function is there once, since DuckDB would take the last one without a word.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] || !strings.HasPrefix(f.Name, Prefix) {
			t.Errorf("%s is there twice or has no prefix", f.Name)
		}
		seen[f.Name] = true
	}
}
