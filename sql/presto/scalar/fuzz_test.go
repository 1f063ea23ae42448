package scalar

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSON: what is valid JSON is read, what is read is written as valid JSON with the same value, and no path or text panics.
func FuzzJSON(f *testing.F) {
	f.Add(`{"b": [1, 2.50, {"a": null}], "a": "\u00e9\n😀"}`, "$.b[2].a")
	f.Add(`[1e400, -0, "x`, `$["a\"b"][0]`)
	f.Fuzz(func(t *testing.T, text, path string) {
		_, _ = jsonExtract(text, path)
		_, _ = jsonExtractScalar(text, path)
		_, _ = jsonSize(text, path)
		_, _ = jsonArrayGet(text, -1)
		out, err := ParseJSON(text)
		if valid := json.Valid([]byte(text)) && utf8.ValidString(text); valid && err != nil &&
			strings.Count(text, "[")+strings.Count(text, "{") < maxNested {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return
		}
		if !json.Valid([]byte(out)) {
			t.Fatalf("%q: %q", text, out)
		}
		if again, err := ParseJSON(out); err != nil || again != out {
			t.Fatalf("%q: %q, then %q, %v", text, out, again, err)
		}
	})
}

// FuzzURL: the parts of a URL do not panic, and what url_encode writes url_decode reads.
func FuzzURL(f *testing.F) {
	f.Add("https://user@example.com:8080/a%20b?x=1&y=%C3#z")
	f.Add("http://[::1]:80/")
	f.Fuzz(func(t *testing.T, s string) {
		for _, f := range urlFuncs[:6] {
			if _, err := f.Call([]any{s}); err != nil {
				t.Fatalf("%s of %q: %v", f.Name, s, err)
			}
		}
		_, _ = urlParameter(s, "x")
		if encoded, _ := urlFuncs[7].Call([]any{s}); utf8.ValidString(s) {
			if back, err := urlDecode(encoded.(string)); err != nil || back != s {
				t.Fatalf("%q: %q, %q, %v", s, encoded, back, err)
			}
		}
	})
}

// FuzzFormat: any format is read or refused.
func FuzzFormat(f *testing.F) {
	f.Add("%-10.2f|%<e %2$S %,d", "f", "1.5", "ä")
	f.Add("%1$tY-%1$tm %08.3g %(x", "D", "2020-01-31", "-0.00001")
	f.Fuzz(func(t *testing.T, text, kind, a, b string) {
		if len(kind) != 1 || strings.Trim(kind, "ifrdbsDTO") != "" || !utf8.ValidString(text) || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		if s, err := format(text, texts{kind + a, "s" + b, nil}); err == nil && !utf8.ValidString(s) {
			t.Fatalf("%q: %q", text, s)
		}
	})
}

// FuzzLike: a pattern without marks matches itself.
func FuzzLike(f *testing.F) {
	f.Add("a%b", "a#%%", "#")
	f.Fuzz(func(t *testing.T, s, text, escape string) {
		_, err := like(s, text, escape)
		if err == nil && utf8.ValidString(text) && !strings.ContainsAny(text, "%_"+escape) {
			if ok, _ := like(text, text, escape); !ok {
				t.Fatalf("%q is not like itself", text)
			}
		}
	})
}
