package ping

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Histograms of any form have the values and the sum that a walk over all members finds.
func TestHistogramForms(t *testing.T) {
	pieces := []string{`{"range":[1,10]`, `,"bucket_count":11`, `,"histogram_type":1`, `,"values":{"0":1,"3":20}`, `,"sum":61`, `}`}
	others := []string{
		`{"range":[]`, `{"range":[1]`, `{"range":[1,2,3]`, `{"range":[[1],2]`, `{"range":{"values":1}`, `{ "range":[1,10]`, `,"bucket_count":"x"`,
		`,"bucket_count":{"a":1,"histogram_type":1,"values":{},"sum":7}`, `,"bucket_count":[1]`, `,"histogram_type":null`, `,"histogram_typo":1`,
		`,"histogram_type": 1 `, `,"values":{}`, `,"values":[1]`, `,"values":{"a":{"sum":[{}]}}`, `,"values":null`, `,"values":{"0":1}`,
		`,"sum":-1`, `,"sum":61 `, `,"sum":6.1e1`, `,"sum":null`, `,"sum":{"a":1}`, `,"sum":"1"`, `,"s\u0075m":3`, ``, ` }`, `,"a":1}`,
	}
	program := func(names ...string) (*Program, [2]Slot) {
		var set PathSet
		for _, name := range names {
			set.Add("h", name)
		}
		slots := [2]Slot{set.Add("h", "values"), set.Add("h", "sum")}
		return set.Compile(), slots
	}
	quick, slots := program()
	whole, wholeSlots := program("other")
	if !quick.nodes[1].histogram.only || whole.nodes[1].histogram.only {
		t.Fatal("the two programs walk in the same way")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	same := 0
	for range 20_000 {
		form := append([]string(nil), pieces...)
		for range rng.IntN(3) {
			form[rng.IntN(len(form))] = others[rng.IntN(len(others))]
		}
		b := []byte(`{"` + strings.Repeat("x", rng.IntN(70)) + `":1,"h":` + strings.Join(form, "") + `,"h2":{}}`)
		if Validate(b) != nil {
			continue
		}
		same++
		var one, other Doc
		if err1, err2 := one.Scan(quick, b), other.Scan(whole, b); err1 != nil || err2 != nil {
			t.Fatalf("%s: %v, %v", b, err1, err2)
		}
		for i := range slots {
			if got, want := string(one.Value(slots[i]).Raw()), string(other.Value(wholeSlots[i]).Raw()); got != want {
				t.Fatalf("%s: %q instead of %q", b, got, want)
			}
		}
	}
	if same < 3000 {
		t.Errorf("only %d forms were valid", same)
	}
}
