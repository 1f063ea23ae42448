package doctor

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// patient returns an installation, in a folder that may be missing, with settings that nothing is wrong with.
func patient(t *testing.T, data string) *Patient {
	t.Helper()
	v, err := config.All.Load(config.Sources{})
	require.NoError(t, err)
	roots, err := site.Roots{}.Below(data)
	require.NoError(t, err)
	c := &service.Config{Data: data, Parts: []string{service.PartEdge, service.PartWeb}, Listen: "127.0.0.1:0"}
	c.Private = "127.0.0.1:1"
	return &Patient{
		Values: v, Service: c, Roots: roots, Program: "v9 (commit c)",
		Check:  func(ctx context.Context) error { return c.Check(ctx) },
		Exists: func(context.Context) (bool, error) { return site.Exists(data) },
		Read: func(ctx context.Context) (*site.Site, error) {
			p := sitetest.Probes(t)
			s, err := site.Read(ctx, data, set(p))
			return s, err
		},
		Options: Options{Now: time.Now, Unit: "pingmill", BackupAge: time.Hour},
	}
}

// found returns the findings of a check.
func found(t *testing.T, p *Patient, check string) (all []Finding) {
	t.Helper()
	i := slices.IndexFunc(checks, func(c struct {
		name string
		data bool
		do   func(*Patient, context.Context) []Finding
	}) bool {
		return c.name == check
	})
	return checks[i].do(p, t.Context())
}

// has requires a finding with a state and a part of its text, and advice unless it is OK.
func has(t *testing.T, all []Finding, state State, part string) {
	t.Helper()
	for _, f := range all {
		if f.State == state && strings.Contains(f.Text, part) {
			require.Equal(t, state == OK, f.Do == "", f.Text)
			return
		}
	}
	t.Errorf("no %s with %q in %+v", state, part, all)
}

// TestExamine: a new installation has no failure, and a configuration that cannot be used leaves the checks of the machine.
func TestExamine(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	for range 2 { // before the first start, and after it
		p := patient(t, data)
		all, err := Examine(t.Context(), p)
		require.NoError(t, err)
		require.NoError(t, Failed(all), "%+v", all)
		has(t, all, OK, "usable")
		has(t, all, Warn, "no service listens at 127.0.0.1:1")
		for _, c := range checks {
			if c.name != "status" || p.opened != nil {
				require.True(t, slices.ContainsFunc(all, func(f Finding) bool { return f.Check == c.name }), c.name)
			}
		}
		s, err := sitetest.Open(data)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	entries, err := filepath.Glob(filepath.Join(data, ".doctor*"))
	require.NoError(t, err)
	require.Empty(t, entries)

	p := &Patient{Refused: context.Canceled, File: "f.yaml", Options: Options{Now: time.Now, Unit: "pingmill"}}
	all, err := Examine(t.Context(), p)
	require.NoError(t, err)
	has(t, all, Fail, "f.yaml: context canceled")
	require.ErrorContains(t, Failed(all), "1 of ")
}

// TestPrint: each finding is a line with its advice below it, whatever is in its text.
func TestPrint(t *testing.T) {
	r := NewReport("v9", time.Now(), []Finding{{"disk", OK, "free\x1b[2J", ""}, {"clock", Warn, "a\nb", "do"}, {"geo", Fail, "no", "do it"}})
	var b strings.Builder
	require.NoError(t, r.Text(&b))
	require.Equal(t, 6, strings.Count(b.String(), "\n"), b.String())
	require.Contains(t, b.String(), "warn  clock          a b\n                     → do\nFAIL  geo ")
	require.Contains(t, b.String(), "1 ok, 1 warning, 1 failed\n")
	require.NotContains(t, b.String(), "\x1b")
	b.Reset()
	require.NoError(t, r.JSON(&b))
	require.Contains(t, b.String(), `"failed": 1`)
	require.Contains(t, b.String(), `"do": "do it"`)
}
