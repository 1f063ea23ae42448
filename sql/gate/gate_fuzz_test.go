package gate

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// FuzzCheck: any bytes are judged without a panic, and nothing passes that names what is not granted.
func FuzzCheck(f *testing.F) {
	trees, err := os.ReadFile("testdata/trees.json")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(trees)) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, tree []byte) {
		s := &Statement{tree: tree}
		if err := s.check(Grants{Tables: []string{"t"}}); err != nil {
			var refused *Refusal
			if errors.As(err, &refused) && refused.What == "" {
				t.Error("a refusal of nothing")
			}
			return
		}
		for _, name := range s.Tables {
			if name != "t" {
				t.Errorf("table %s passed", name)
			}
		}
		if !same(tree, tree) || within(tree, tree) {
			t.Error("a tree is not itself, or inside itself")
		}
	})
}
