package config

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the example file and the documentation")

func TestSecretsAreMasked(t *testing.T) {
	v, err := some.Load(Sources{Environ: []string{"PINGMILL_SECRET=hunter2"}})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, v.WriteYAML(&out))
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
	v, err := some.Load(Sources{File: write(t, "text: '5'\nin: {list: ['true', b], deep: {time: 0}}\n"),
		Environ: []string{"PINGMILL_IN_DEEP_ON=true"}})
	require.NoError(t, err)
	var first, second bytes.Buffer
	require.NoError(t, v.WriteYAML(&first))
	again, err := some.Load(Sources{File: write(t, first.String())})
	if err != nil {
		t.Fatalf("%v\n%s", err, &first)
	}
	require.NoError(t, again.WriteYAML(&second))
	comments := regexp.MustCompile(` #.*`)
	if a, b := comments.ReplaceAllString(first.String(), ""), comments.ReplaceAllString(second.String(), ""); a != b {
		t.Errorf("got\n%s, want\n%s", b, a)
	}
	if !strings.Contains(first.String(), "# default") || !strings.Contains(first.String(), "c.yaml:1") {
		t.Errorf("no sources:\n%s", &first)
	}
}

// TestGenerated compares what is made from the list with the files.
func TestGenerated(t *testing.T) {
	for name, want := range map[string][]byte{"../packaging/pingmill.example.yaml": Example(), "../docs/configuration.md": docs()} {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil { // everybody may read it
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
	require.NoError(t, err)
	require.NoError(t, v.WriteYAML(&plain))
	comments := regexp.MustCompile(` # .*`)
	on := regexp.MustCompile(`(?m)^( *)#([a-z])`).ReplaceAllString(string(Example()), "$1$2")
	for _, text := range []string{string(Example()), on} {
		v, err := All.Load(Sources{File: write(t, text)})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var out bytes.Buffer
		require.NoError(t, v.WriteYAML(&out))
		if got, want := comments.ReplaceAllString(out.String(), ""), comments.ReplaceAllString(plain.String(), ""); got != want {
			t.Errorf("the example gives\n%s, want\n%s", got, want)
		}
		if text == on && strings.Contains(out.String(), "# default") {
			t.Errorf("a key is not in the example:\n%s", &out)
		}
	}
	for line := range strings.SplitSeq(string(Example()), "\n") {
		if len(line) > width && !strings.Contains(line, ": [") { // a list is one line
			t.Errorf("the line is wider than %d: %s", width, line)
		}
	}
}
