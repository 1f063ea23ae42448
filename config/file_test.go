package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"txt: a":                              "c.yaml:1: key txt is unknown: `pingmill config --example` lists all keys",
		"\nlist: [a]":                         "c.yaml:2: key list is unknown: did you mean in.list (PINGMILL_IN_LIST)?",
		"in:\n  numbr: 1":                     "c.yaml:2: key in.numbr is unknown",
		"in:\n  text: 1":                      "c.yaml:2: key in.text is unknown: did you mean text (PINGMILL_TEXT)?",
		"in: 5":                               "c.yaml:1: in: want the keys of the section",
		"text: 5":                             "c.yaml:1: text: want a text; in a file quote",
		"text: [a]":                           "c.yaml:1: text: want a text",
		"text: {a: b}":                        "c.yaml:1: text: want a text",
		"text:":                               "c.yaml:1: text: has no value",
		"text: a\ntext: b":                    "c.yaml:2: text: is in line 1 already",
		"in: {number: 1}\nin.number: 2":       "c.yaml:2: in.number: is in line 1 already",
		"in:\n  number: x":                    "c.yaml:2: in.number: want a whole number",
		"in:\n  number: 1.5":                  "c.yaml:2: in.number: want a whole number",
		"in:\n  number: 0":                    `c.yaml:2: in.number: "0": want 1 to 9`,
		"in:\n  number: 10":                   `c.yaml:2: in.number: "10": want 1 to 9`,
		"in:\n  number: 99999999999999999999": "want a whole number",
		"in:\n  size: 5":                      `c.yaml:2: in.size: "5": want 10 B to 1.0 MiB`,
		"in:\n  size: 1 foo":                  `"1 foo": want a size, such as 1048576, 500MB or 1GiB`,
		"in:\n  size: 16EB":                   "want a size",
		"in:\n  size: -1":                     "want a size",
		"in:\n  deep:\n    time: 5":           `c.yaml:3: in.deep.time: "5": want a time, such as 30s`,
		"in:\n  deep:\n    time: 2h":          `"2h": want 0s to 1h0m0s`,
		"in:\n  deep:\n    time: -1s":         "want 0s to 1h0m0s",
		"in:\n  deep:\n    on: yes":           "c.yaml:3: in.deep.on: want true or false",
		"in:\n  list: a":                      "c.yaml:2: in.list: want a list of texts, such as [a, b]",
		"in:\n  list: [1]":                    "c.yaml:2: in.list: want a list",
		"in:\n  list: ['']":                   "c.yaml:2: in.list: want a list",
		"in:\n  networks: [10.0.0.0/99]":      `"10.0.0.0/99": want networks or addresses`,
		"a: &a b\ntext: *a":                   "c.yaml:2: text: want a text",
		"- a":                                 "c.yaml:1: want keys with values",
		"text: a\n---\ntext: b":               "more than one document",
		"text: [":                             "read configuration",
		"text: a\n b: c":                      "line 2",
		"secret: wrong":                       "c.yaml:1: secret: want another",
	} {
		v, err := some.Load(Sources{File: write(t, text)})
		var own *Error
		if !errors.As(err, &own) || v != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "in:\n", "in:\n  deep:\ntext: a\n"} {
		if _, err := some.Load(Sources{File: write(t, text)}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := some.Load(Sources{File: filepath.Join(t.TempDir(), "none")}); err == nil ||
		!strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzFile(f *testing.F) {
	f.Add(Example())
	f.Add([]byte("text: a\nin:\n  list: [a, b]\n  deep: {on: true}\n"))
	f.Add([]byte("a: &a [*a]\n? {b: c}\n: d\n<<: *a\n"))
	f.Add([]byte("in: !!int [\x00"))
	f.Add([]byte("in.number: 0x10\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := some.parseFile("f", b)
		if err != nil {
			return
		}
		for name, value := range file.values {
			k := some.find(name)
			if k == nil || file.lines[name] < 1 {
				t.Fatalf("%s has line %d", name, file.lines[name])
			}
			_ = k.check(value)
		}
	})
}
