package config

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

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

// bound holds the values of some keys.
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
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestEveryTypeFromEverySource(t *testing.T) {
	want := bound{
		text: "x", secret: "s", list: []string{"c", "d"}, number: 7, size: 2048, small: 3000, time: time.Minute, on: true,
		networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
	}
	file := "text: x\nsecret: s\nin.small: 3KB\nin:\n  list: [c, d]\n  networks: [10.0.0.0/8, \"::1\"]\n  number: 7\n  size: 2048\n  " +
		"deep: {time: 1m, on: true}\n"
	variables := []string{
		"PINGMILL_TEXT=x", "PINGMILL_SECRET=s", "PINGMILL_IN_LIST=c, d", "PINGMILL_IN_NETWORKS=10.0.0.0/8,::1", "PINGMILL_IN_NUMBER=7",
		"PINGMILL_IN_SIZE=2KiB", "PINGMILL_IN_SMALL=3KB", "PINGMILL_IN_DEEP_TIME=60s", "PINGMILL_IN_DEEP_ON=1", "PINGMILL_TEST_X=1",
		"PINGMILL_CONFIG=f", "HOME=/",
	}
	args := []string{"--text=x", "--secret=s", "--list=c", "--list", "d", "--network=10.0.0.0/8,::1", "--number=7", "--size=2KiB",
		"--small=3KB", "--time=1m", "--on", "--other=1"}
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
		require.NoError(t, fs.Parse(c.args))
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
		require.NoError(t, c.s.Flags.Parse(c.args))
		v, err := some.Load(c.s)
		require.NoError(t, err)
		v.Apply(c.s.Flags)
		if b.text != c.want || v.text("text") != c.want {
			t.Errorf("%+v: %q, want %q", c.args, b.text, c.want)
		}
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := some.Load(Sources{File: write(t, "txt: a\nin: {number: 0, size: x}\n"),
		Environ: []string{"PINGMILL_TXT=a", "PINGMILL_LIST=a", "PINGMILL_IN_DEEP_ON=maybe"}})
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
	require.NoError(t, fs.Parse([]string{"--secret=wrong"}))
	if _, err := some.Load(Sources{Flags: fs}); err == nil || strings.Contains(err.Error(), "wrong") {
		t.Errorf("a bad secret: %v", err)
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
