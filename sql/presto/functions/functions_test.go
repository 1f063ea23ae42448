package functions

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/sql/presto/signature"
)

// TestDocumented: every function says in a sentence what it does, and has a form.
func TestDocumented(t *testing.T) {
	for name, f := range All {
		if f.Doc == "" || len(f.Forms) == 0 {
			t.Errorf("%s: doc %q, %d forms", name, f.Doc, len(f.Forms))
		}
		seen := map[string]bool{}
		for _, form := range f.Forms {
			in, _, _ := strings.Cut(form.Signature, " -> ")
			if seen[in] {
				t.Errorf("%s%s is there twice", name, in)
			}
			seen[in] = true
			if _, err := signature.Parse(form.Signature); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if form.Signature == "" || (form.SQL == "") == (form.Write == nil) {
				t.Errorf("%s: signature %q with SQL %q and Write %v", name, form.Signature, form.SQL, form.Write != nil)
			}
		}
	}
}
