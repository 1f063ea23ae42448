package config

import (
	"bytes"
	"errors"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write the example file and the documentation")

// some are keys of every type.
var some = Keys{
	{Name: "text", Flag: "text", Default: "a", Doc: "text"},
	{Name: "in.list", Flag: "list", Type: List, Default: "a,b", Doc: "list"},
	{Name: "in.networks", Flag: "network", Type: Networks, Doc: "networks"},
	{Name: "in.number", Flag: "number", Type: Number, Default: "5", Min: 1, Max: 9, Doc: "number"},
	{Name: "in.size", Flag: "size", Type: Size, Default: "1KiB", Min: 10, Max: 1 << 20, Doc: "size"},
	{Name: "in.small", Flag: "small", Type: Size, Default: "1", Doc: "size"},
	{Name: "in.deep.time", Flag: "time", Type: Duration, Default: "1s", Max: int64(time.Hour), Doc: "time"},
	{Name: "in.deep.on", Flag: "on", Type: Bool, Default: "false", Doc: "on"},
	{Name: "secret", Flag: "secret", Secret: true, Doc: "secret", Check: func(s string) error {
		if s == "wrong" {
			return errors.New("want another")
		}
		return nil
	}},
}

// bound is where some are stored.
type bound struct {
	text, secret string
	list         []string
	networks     []netip.Prefix
	number       int
	size         int64
	small        int
	time         time.Duration
	on           bool
}

func (b *bound) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.String("other", "", "no key")
	for name, to := range map[string]any{
		"text": &b.text, "in.list": &b.list, "in.networks": &b.networks, "in.number": &b.number, "in.size": &b.size,
		"in.small": &b.small, "in.deep.time": &b.time, "in.deep.on": &b.on, "secret": &b.secret,
	} {
		some.Flag(fs, name, to)
	}
	return fs
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestEveryTypeFromEverySource(t *testing.T) {
	want := bound{
		text: "x", secret: "s", list: []string{"c", "d"}, number: 7, size: 2048, small: 3000, time: time.Minute, on: true,
		networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
	}
	file := "text: x\nsecret: s\nin.small: 3KB\nin:\n  list: [c, d]\n  networks: [10.0.0.0/8, \"::1\"]\n  number: 7\n  size: 2048\n  deep: {time: 1m, on: true}\n"
	variables := []string{
		"PINGMILL_TEXT=x", "PINGMILL_SECRET=s", "PINGMILL_IN_LIST=c, d", "PINGMILL_IN_NETWORKS=10.0.0.0/8,::1", "PINGMILL_IN_NUMBER=7",
		"PINGMILL_IN_SIZE=2KiB", "PINGMILL_IN_SMALL=3KB", "PINGMILL_IN_DEEP_TIME=60s", "PINGMILL_IN_DEEP_ON=1", "PINGMILL_TEST_X=1", "PINGMILL_CONFIG=f", "HOME=/",
	}
	args := []string{"--text=x", "--secret=s", "--list=c", "--list", "d", "--network=10.0.0.0/8,::1", "--number=7", "--size=2KiB", "--small=3KB", "--time=1m", "--on", "--other=1"}
	for _, c := range []struct {
		name    string
		sources Sources
		args    []string
		from    string
	}{
		{"file", Sources{File: write(t, file)}, nil, ":6"},
		{"environment", Sources{Environ: variables}, nil, "environment variable PINGMILL_IN_NETWORKS"},
		{"flags", Sources{}, args, "flag --network"},
	} {
		var got bound
		fs := got.flags()
		if got.number != 5 || got.size != 1024 || !slices.Equal(got.list, []string{"a", "b"}) {
			t.Errorf("%s: defaults are %+v", c.name, got)
		}
		if err := fs.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		c.sources.Flags = fs
		v, err := some.Load(c.sources)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v.Apply(fs)
		if !slices.Equal(got.list, want.list) || !slices.Equal(got.networks, want.networks) {
			t.Errorf("%s: lists are %q %v", c.name, got.list, got.networks)
		}
		if s := v.Source("in.networks"); !strings.HasSuffix(s, c.from) {
			t.Errorf("%s: the source is %q", c.name, s)
		}
		got.list, got.networks = nil, nil
		if w := want; got.text != w.text || got.secret != w.secret || got.number != w.number || got.size != w.size ||
			got.small != w.small || got.time != w.time || got.on != w.on {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, "text: file\n")
	for _, c := range []struct {
		want string
		s    Sources
		args []string
	}{
		{"a", Sources{}, nil},
		{"file", Sources{File: file}, nil},
		{"variable", Sources{File: file, Environ: []string{"PINGMILL_TEXT=variable"}}, nil},
		{"flag", Sources{File: file, Environ: []string{"PINGMILL_TEXT=variable"}}, []string{"--text", "flag"}},
		{"a", Sources{File: file}, []string{"--text", "a"}}, // given, though it is the default
		{"", Sources{File: file, Environ: []string{"PINGMILL_TEXT="}}, nil},
	} {
		var b bound
		c.s.Flags = b.flags()
		if err := c.s.Flags.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		v, err := some.Load(c.s)
		if err != nil {
			t.Fatal(err)
		}
		v.Apply(c.s.Flags)
		if b.text != c.want || v.text("text") != c.want {
			t.Errorf("%+v: %q, want %q", c.args, b.text, c.want)
		}
	}
}

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
	if _, err := some.Load(Sources{File: filepath.Join(t.TempDir(), "none")}); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := some.Load(Sources{File: write(t, "txt: a\nin: {number: 0, size: x}\n"), Environ: []string{"PINGMILL_TXT=a", "PINGMILL_LIST=a", "PINGMILL_IN_DEEP_ON=maybe"}})
	if err == nil || strings.Count(err.Error(), "\n") != 5 {
		t.Fatalf("got %v, want six lines", err)
	}
	for _, want := range []string{
		"environment variable PINGMILL_TXT is unknown", "environment variable PINGMILL_LIST is unknown: did you mean in.list",
		`environment variable PINGMILL_IN_DEEP_ON: in.deep.on: "maybe": want true or false`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for arg, want := range map[string]string{
		"--number=x": "want a whole number", "--number=0": "want 1 to 9", "--size=big": "want a size", "--time=3": "want a time",
		"--on=maybe": "want true or false", "--network=a": "want networks",
	} {
		var b bound
		if err := b.flags().Parse([]string{arg}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
	var b bound
	fs := b.flags()
	if err := fs.Parse([]string{"--secret=wrong"}); err != nil {
		t.Fatal(err)
	}
	if _, err := some.Load(Sources{Flags: fs}); err == nil || strings.Contains(err.Error(), "wrong") {
		t.Errorf("a bad secret: %v", err)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	v, err := some.Load(Sources{Environ: []string{"PINGMILL_SECRET=hunter2"}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := v.WriteYAML(&out); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); strings.Contains(s, "hunter2") || !strings.Contains(s, "'********' # environment variable PINGMILL_SECRET") &&
		!strings.Contains(s, `"********" # environment variable PINGMILL_SECRET`) {
		t.Errorf("printed:\n%s", s)
	}
	var b bound
	if usage := b.flags().FlagUsages(); strings.Contains(usage, "hunter2") {
		t.Error(usage)
	}
}

// TestEffectiveIsAFile reads what was printed again.
func TestEffectiveIsAFile(t *testing.T) {
	v, err := some.Load(Sources{File: write(t, "text: '5'\nin: {list: ['true', b], deep: {time: 0}}\n"), Environ: []string{"PINGMILL_IN_DEEP_ON=true"}})
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := v.WriteYAML(&first); err != nil {
		t.Fatal(err)
	}
	again, err := some.Load(Sources{File: write(t, first.String())})
	if err != nil {
		t.Fatalf("%v\n%s", err, &first)
	}
	if err := again.WriteYAML(&second); err != nil {
		t.Fatal(err)
	}
	comments := regexp.MustCompile(` #.*`)
	if a, b := comments.ReplaceAllString(first.String(), ""), comments.ReplaceAllString(second.String(), ""); a != b {
		t.Errorf("got\n%s, want\n%s", b, a)
	}
	if !strings.Contains(first.String(), "# default") || !strings.Contains(first.String(), "c.yaml:1") {
		t.Errorf("no sources:\n%s", &first)
	}
}

func TestRules(t *testing.T) {
	for text, want := range map[string]string{
		"edge: {tls: {cert: a}}":                                 "edge.tls.key (default): want both or neither",
		"edge: {max-request: 40MiB}":                             "spool.segment-bytes (default): the largest request",
		"edge: {max-request: 1}\nspool: {segment-bytes: 1}":      "does not fit",
		"edge: {listen: '80'}":                                   "want an address with a port",
		"edge: {listen: ''}":                                     "want an address with a port",
		"edge: {name: a-b}":                                      "want a name of letters",
		"edge: {listen: ':8080', tls: {cert: a, key: b}}":        "",
		"edge: {max-request: 512MiB}\nspool.segment-bytes: 1GiB": "",
	} {
		_, err := All.Load(Sources{File: write(t, text)})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestKeys checks that the list is sound.
func TestKeys(t *testing.T) {
	if _, err := All.Load(Sources{}); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	names := regexp.MustCompile(`^[a-z][a-z0-9]*([.-][a-z0-9]+)*$`)
	seen, last := map[string]bool{}, ""
	for i := range All {
		k := &All[i]
		if above, _ := cut(k.Name); above != last {
			if seen["section "+above] || above == "" {
				t.Errorf("key %s does not stand with the others of its section", k.Name)
			}
			seen["section "+above], last = true, above
		}
		for _, n := range []string{"key " + k.Name, "flag " + k.Flag, k.Variable()} {
			if seen[n] {
				t.Errorf("two keys have %s", n)
			}
			seen[n] = true
		}
		if !names.MatchString(k.Name) || !names.MatchString(k.Flag) || k.Doc == "" || strings.HasSuffix(k.Doc, ".") || strings.Contains(k.Doc, "|") {
			t.Errorf("key %s: name, flag or doc is not as the others", k.Name)
		}
		if k.Variable() == FileVariable || strings.HasPrefix(k.Variable(), testPrefix) {
			t.Errorf("key %s has a variable that means something else", k.Name)
		}
		if All.section(k.Name) {
			t.Errorf("key %s is a section, too", k.Name)
		}
		if above, _ := cut(k.Name); above != "" && sectionDoc(above) == above {
			t.Errorf("section %s has no doc", above)
		}
	}
	for _, r := range Rules {
		for _, name := range r.Keys {
			if All.find(name) == nil {
				t.Errorf("a rule names %s, which is no key", name)
			}
		}
	}
}

func TestMistakesOfTheProgramPanic(t *testing.T) {
	for name, to := range map[string]any{"nothing": new(string), "text": new(int), "in.on": nil, "in.size": new(bool)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("key %s bound to a %T", name, to)
				}
			}()
			some.Flag(pflag.NewFlagSet("", pflag.ContinueOnError), name, to)
		}()
	}
}

// TestGenerated compares what is made from the list with the files.
func TestGenerated(t *testing.T) {
	for name, want := range map[string][]byte{"../packaging/pingmill.example.yaml": Example(), "../docs/configuration.md": Docs()} {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil { //nolint:gosec // everybody may read it
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the keys say (%v): go generate ./config", name, err)
		}
	}
}

// TestExample takes the example as it is and with every key switched on: both
// give the defaults.
func TestExample(t *testing.T) {
	var plain bytes.Buffer
	v, err := All.Load(Sources{})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.WriteYAML(&plain); err != nil {
		t.Fatal(err)
	}
	comments := regexp.MustCompile(` # .*`)
	on := regexp.MustCompile(`(?m)^( *)#([a-z])`).ReplaceAllString(string(Example()), "$1$2")
	for _, text := range []string{string(Example()), on} {
		v, err := All.Load(Sources{File: write(t, text)})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var out bytes.Buffer
		if err := v.WriteYAML(&out); err != nil {
			t.Fatal(err)
		}
		if got, want := comments.ReplaceAllString(out.String(), ""), comments.ReplaceAllString(plain.String(), ""); got != want {
			t.Errorf("the example gives\n%s, want\n%s", got, want)
		}
		if text == on && strings.Contains(out.String(), "# default") {
			t.Errorf("a key is not in the example:\n%s", &out)
		}
	}
	for line := range strings.SplitSeq(string(Example()), "\n") {
		if len(line) > width {
			t.Errorf("the line is wider than %d: %s", width, line)
		}
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
