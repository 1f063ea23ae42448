package etl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestReasons: what only the parts of a manifest tell.
func TestReasons(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 10, 100)
	s := sitetest.Memory(t, pings)
	mustRun(t, s, RunOptions{Tables: []string{"main_summary"}})
	st := newSteps(&s.Data)
	a, err := st.assess(t.Context(), job.Unit{Table: "main_summary", Day: sitetest.Day})
	if err != nil || !a.plan.Current {
		t.Fatal(err)
	}
	a.plan.Current = false
	for _, c := range []struct {
		want   string
		change func(*lake.Manifest)
	}{
		{"version 1 of the transforms", func(m *lake.Manifest) {
			m.Parts[1].Work = st.workWith(a.table, 1, lake.Fingerprint(a.table.Fixed()), a.source.inputs)
		}},
		{"another version of the program", func(m *lake.Manifest) { m.Parts[1].Work = "?" }},
		{"it lacks samples from 75 on", func(m *lake.Manifest) { m.Parts = m.Parts[:3] }},
		{"divided in another way", func(m *lake.Manifest) { m.Parts[0].Hi, m.Parts[1].Lo = 20, 21 }},
		{"as they arrived", func(m *lake.Manifest) { m.Parts = nil }},
	} {
		m := *a.base
		m.Parts = slices.Clone(m.Parts)
		c.change(&m)
		changed := a
		changed.base = &m
		if got := fmt.Sprint(st.reasons(t.Context(), &changed)); !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
