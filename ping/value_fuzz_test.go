package ping

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// checkRules reads a scalar by all rules and compares with the slow ones.
func checkRules(t *testing.T, token []byte) {
	t.Helper()
	doc := append(append([]byte(`{"v":`), token...), '}')
	var set PathSet
	slot := set.Add("v")
	var d Doc
	err := d.Scan(set.Compile(), doc)
	if Validate(doc) != nil {
		if err == nil {
			rules(d.Value(slot))
		}
		return
	}
	if err != nil {
		t.Fatalf("scan %q: %v", doc, err)
	}
	v := d.Value(slot)
	if got, want := rules(v), wantRules(lookUp(decode(t, doc), "v")); got != want {
		t.Errorf("%q reads as %q, want %q", token, got, want)
	}
	var members map[string]json.RawMessage // token may hold further members
	if err := json.Unmarshal(doc, &members); err != nil {
		t.Fatalf("%q is valid, but %v", doc, err)
	}
	if want := v.Kind() == Number && !strings.ContainsAny(string(members["v"]), ".eE"); v.IsInteger() != want {
		t.Errorf("%q is an integer: %v", token, !want)
	}
}

func FuzzValue(f *testing.F) {
	for _, s := range []string{
		`"a"`, `"\ud83d\ude00\ud83d\u00e9\\\/"`, `0`, `-0`, `1`, `-1.5`, `1e5`, `1E-5`, `2147483648`, `9223372036854775808`,
		`-9223372036854775808`,
		`9223372036854775807.0`, `1e400`, `5e-324`, `1.0E7`, `0.001`, `9999999.999`, `true`, `false`, `null`, `{}`, `[]`, `tru`, `0x1p4`, `1_0.0`,
		`0,".":0`,
		` 1 `, `123456789012345678901234567890`, `-0.0e-0`,
		`179769313486231570814527423731704356798070567525844996598917476803157260780028538` +
			`7605895586327668781715404589535143824642343213268894641827684675467035375169860499105765512820762454` +
			`90090389328944075868508455133942304583236903222948165808559332123347747978e0`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, token []byte) { checkRules(t, token) })
}

// Numbers near the limits of every rule.
func TestRulesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	heads := []string{
		"0", "1", "999", "1000", "2147483647", "2147483648", "2147483649", "4294967296", "9999999", "10000000", "9007199254740992",
		"9007199254740993",
		"9223372036854774784", "9223372036854775295", "9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615",
		"99999999999999999999",
	}
	tails := []string{"", ".0", ".5", ".9999999999", ".0000000001", "e0", "E0", "e-1", "e+1", "e-3", "e-10", "e22", "e300", ".25e-5", "e-330",
		"e5000"}
	for _, sign := range []string{"", "-"} {
		for _, h := range heads {
			for _, tail := range tails {
				checkRules(t, []byte(sign+h+tail))
			}
		}
		for range 20000 {
			checkRules(t, []byte(sign+strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)+tails[r.IntN(len(tails))]))
			f := strconv.FormatFloat(r.ExpFloat64()*1e4, 'e', -1, 64)
			checkRules(t, []byte(sign+f))
		}
	}
}
