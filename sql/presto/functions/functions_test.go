package functions

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/sql/presto/signature"
)

// TestDocumented: every function says in a sentence what it does, and has a form.
func TestDocumented(t *testing.T) {
	for name, f := range All() {
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

// TestIndex: Z is each integer type in turn, in the SQL too, and an alias has the forms of its function.
func TestIndex(t *testing.T) {
	list := func(f *Function) string {
		var b strings.Builder
		for _, form := range f.Forms {
			b.WriteString(form.Signature + ": " + form.SQL + "; ")
		}
		return b.String()
	}
	all := index([]Function{
		{Name: "f", Aliases: []string{"g"}, Forms: []Form{{Signature: "(Z) -> Z", SQL: "<Z>"}, {Signature: "(T) -> T", SQL: "$1"}}},
		{Name: "f", Forms: []Form{{Signature: "(double, T) -> T", SQL: "$2"}}},
	})
	const both = "(tinyint) -> tinyint: TINYINT; (smallint) -> smallint: SMALLINT; (integer) -> integer: INTEGER; " +
		"(bigint) -> bigint: BIGINT; (T) -> T: $1; "
	if got := list(all["g"]); got != both || all["g"].Name != "g" {
		t.Errorf("%s is %s", all["g"].Name, got)
	}
	if got := list(all["f"]); got != both+"(double, T) -> T: $2; " {
		t.Errorf("f is %s", got)
	}
}
