package ping

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

var (
	countsForm = regexp.MustCompile(`^\{("[0-9]+":[0-9]+(,"[0-9]+":[0-9]+)*)?\}`)
	digitsForm = regexp.MustCompile(`^[0-9]+[],:}]`)
)

// checkCounts compares what is said about all objects and numbers of a valid document with what their bytes are.
func checkCounts(t *testing.T, b []byte) {
	t.Helper()
	for _, v := range versions() {
		v.run(func() {
			var d Doc
			var bad *SyntaxError
			if errors.As(d.ScanValid(emptyProgram, b), &bad) {
				return
			}
			inString := false
			for p, c := range b {
				if d.blocks[p/64].quote>>(p%64)&1 != 0 {
					inString = !inString
				}
				if inString {
					continue
				}
				if want := p + len(countsForm.Find(b[p:])); c == '{' && d.Counts(p) != want {
					t.Fatalf("%s: counts of %q at %d end at %d, want %d", v.name, b, p, d.Counts(p), want)
				}
				want := p
				if n := len(digitsForm.Find(b[p:])); n > 0 {
					want = p + n - 1
				}
				if got := d.Digits(p); (c == '-' || c-'0' <= 9) && got != want {
					t.Fatalf("%s: digits of %q at %d end at %d, want %d", v.name, b, p, got, want)
				}
			}
		})
	}
}

var emptyProgram = new(PathSet).Compile()

var countsTexts = []string{
	`{}`, `{"0":1}`, `{"0":1,"12":345678901234567890123}`, `{"":1}`, `{"0":1,"":1}`, `{"0":-1}`, `{"0":1.5}`, `{"0":1e5}`, `{"0":"1"}`,
	`{"0":""}`,
	`{"0" :1}`, `{"0": 1}`, `{"0":1 }`, `{ "0":1}`, `{"0":1, "1":2}`, `{"0x":1}`, `{"1,2":3}`, `{"1:2":3}`, `{"1}":3}`, `{"\"1":3}`,
	`{"\u0031":3}`, `{"é":1}`,
	`{"0":true}`, `{"0":null}`, `{"0":[1]}`, `{"0":{"1":2}}`, `{"0":{},"1":{}}`, `{"0":{"1":"2"},"3":{"4":5}}`,
	`{"a":[{"1":2},{"3":[4,"5",6.0,-7]}]}`, `[1,2,"3"]`, `1`, `{"0":"1","2":3}`,
}

// Every text at every place near a border of blocks.
func TestCounts(t *testing.T) {
	for _, s := range countsTexts {
		for n := range 70 {
			checkCounts(t, fmt.Appendf(nil, `{"%s":%s,"b":%s}`, strings.Repeat("x", n), s, s))
		}
		checkCounts(t, []byte(s))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		m := map[string]any{}
		for range r.IntN(30) {
			m[fmt.Sprint(r.Uint64()>>r.IntN(64))] = r.Uint64() >> r.IntN(64)
		}
		b, err := json.Marshal(map[string]any{"values": m, "sum": r.IntN(1000)})
		if err != nil {
			t.Fatal(err)
		}
		checkCounts(t, b)
	}
}

func FuzzCounts(f *testing.F) {
	for _, s := range countsTexts {
		f.Add([]byte(s))
		f.Add([]byte(strings.Repeat(" ", 60) + s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 10_000 {
			checkCounts(t, b)
		}
	})
}
