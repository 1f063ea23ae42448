package etl

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestTaskElsewhere writes the tasks of a partition down and does them where nothing of the installation is known but
// its buckets and probe definitions. The run then finds them done, and publishes the same files as another that did all itself.
func TestTaskElsewhere(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 3, 400)
	alone, s := sitetest.Memory(t, pings), sitetest.Memory(t, pings)
	o := RunOptions{Tables: []string{"addons"}}
	mustRun(t, alone, o)
	for _, name := range []string{"main_summary", "addons"} {
		steps := newSteps(&s.Data).working(s.Locks(), nil)
		p, err := steps.Plan(t.Context(), job.Unit{Table: name, Day: sitetest.Day})
		require.NoError(t, err)
		steps.locks.UnlockAll()
		if len(p.Tasks) != 4 {
			t.Fatalf("%s: %d tasks", name, len(p.Tasks))
		}
		for _, task := range p.Tasks {
			text, err := json.Marshal(steps.describe(p, task))
			require.NoError(t, err)
			var read Task
			require.NoError(t, json.Unmarshal(text, &read))
			probes := sitetest.Probes(t)
			elsewhere := Worker{Archive: s.Archive, Roots: s.Roots, Tables: schema.NewSet(probes).Tables, Probes: probes}
			if _, err := elsewhere.Do(t.Context(), read); err != nil {
				t.Fatal(err)
			}
		}
		done := 0
		mustRun(t, s, RunOptions{Tables: []string{name}, Now: time.Now, Progress: func(e job.Event) {
			if e.Kind == job.TaskStarted {
				t.Errorf("%v is done once more", e.Task)
			}
			if e.Kind == job.UnitEnded && e.Outcome == job.Committed {
				done++
			}
		}})
		if done != 1 {
			t.Errorf("%s: %d units were published", name, done)
		}
	}
	sitetest.SameContents(t, sitetest.Contents(t, s), sitetest.Contents(t, alone))
}
