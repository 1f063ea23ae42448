package ping

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// decode reads a document with the standard library: objects as maps in which
// the last of several members counts, numbers as they are written.
func decode(t *testing.T, doc []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %.300q: %v", doc, err)
	}
	return v
}

// missing is the result of lookUp for absent members.
type missing struct{}

func lookUp(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return missing{}
		}
		if v, ok = m[name]; !ok {
			return missing{}
		}
	}
	return v
}

// checkValue compares a scanned value, whole, with a decoded one.
func checkValue(t *testing.T, got Value, want any, where string) {
	t.Helper()
	kind := Missing
	switch w := want.(type) {
	case nil:
		kind = Null
	case bool:
		kind = Bool
		if b, ok := got.Bool(); !ok || b != w {
			t.Fatalf("%s: %q, want %v", where, got.Raw(), w)
		}
	case json.Number:
		kind = Number
		if string(got.Raw()) != w.String() {
			t.Fatalf("%s: %q, want %v", where, got.Raw(), w)
		}
	case string:
		kind = String
		if s, ok := got.Str(nil); !ok || string(s) != w {
			t.Fatalf("%s: %q, want %q", where, s, w)
		}
	case []any:
		kind = Array
		checkElements(t, got, w, where)
	case map[string]any:
		kind = Object
		checkMembers(t, got, w, where)
	}
	if got.Kind() != kind {
		t.Fatalf("%s: %.100q is of kind %d, want %d", where, got.Raw(), got.Kind(), kind)
	}
}

func checkElements(t *testing.T, got Value, want []any, where string) {
	t.Helper()
	es := got.Elements(nil)
	if len(es) != len(want) {
		t.Fatalf("%s: %d elements, want %d: %.100q", where, len(es), len(want), got.Raw())
	}
	for i, e := range es {
		checkValue(t, e, want[i], where+"["+strconv.Itoa(i)+"]")
	}
}

func checkMembers(t *testing.T, got Value, want map[string]any, where string) {
	t.Helper()
	ms := got.Members(nil)
	if len(ms) != len(want) {
		t.Fatalf("%s: %d members, want %d: %.100q", where, len(ms), len(want), got.Raw())
	}
	for _, m := range ms {
		w, ok := want[string(m.Key)]
		if !ok {
			t.Fatalf("%s: a member %q that is not there", where, m.Key)
		}
		checkValue(t, m.Value, w, where+"/"+string(m.Key))
		if g := got.Get(string(m.Key)); g.span != m.Value.span {
			t.Fatalf("%s: Get finds %.100q, Members %.100q", where, g.Raw(), m.Value.Raw())
		}
	}
}

// wantRules reads a decoded scalar by all rules, with arithmetic of any
// precision.
func wantRules(v any) [6]string {
	out := [6]string{none, none, none, none, none, none}
	switch v := v.(type) {
	case string:
		out[0] = v
	case bool:
		out[5] = strconv.FormatBool(v)
	case json.Number:
		numberRules(string(v), &out)
	}
	return out
}

func numberRules(token string, out *[6]string) {
	cut := new(big.Int)
	whole := !strings.ContainsAny(token, ".eE")
	if whole {
		cut.SetString(token, 10)
		out[0] = cut.String()
	} else {
		f, err := strconv.ParseFloat(token, 64)
		if err != nil {
			return
		}
		out[0] = javaText(f)
		big.NewFloat(f).Int(cut)
	}
	n := cut.Int64()
	if !cut.IsInt64() {
		return
	}
	out[2] = cut.String()
	small := n == int64(int32(n))
	if small {
		out[1] = cut.String()
	}
	if whole {
		out[4] = cut.String()
		if small {
			out[3] = cut.String()
		}
	}
}

// javaText lays out the digits of a double by hand.
func javaText(f float64) string {
	text := strconv.FormatFloat(f, 'e', -1, 64)
	if !strings.Contains(text, ".") {
		text = strconv.FormatFloat(f, 'e', 1, 64)
	}
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	digits, exponent, _ := strings.Cut(strings.Replace(text, ".", "", 1), "e")
	exp, _ := strconv.Atoi(exponent)
	digits = digits[:1] + strings.TrimRight(digits[1:], "0")
	point := func(at int) string {
		for len(digits) <= at {
			digits += "0"
		}
		return sign + digits[:at] + "." + digits[at:]
	}
	switch {
	case f == 0:
		return sign + "0.0"
	case exp >= 7 || exp < -3:
		return point(1) + "E" + strconv.Itoa(exp)
	case exp >= 0:
		return point(exp + 1)
	}
	digits = strings.Repeat("0", -exp) + digits
	return point(1)
}
