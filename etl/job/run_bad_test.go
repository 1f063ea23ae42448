package job_test

import (
	"context"
	"testing"

	"github.com/pingmill/pingmill/etl/job"
)

func TestBadCalls(t *testing.T) {
	f, l, units := setup(t, "20180101")
	unit := job.Unit{Table: "main_summary", Day: "20180101"}
	for want, units := range map[string][]job.Unit{
		"run: main_summary 20180101 is given twice":                                           {unit, unit},
		`run: read day "20180230": there is no such date`:                                     {{Table: "main_summary", Day: "20180230"}},
		`run: unknown table "x": there are main_summary, crash_summary, clients_daily, churn`: {{Table: "x", Day: "20180101"}},
	} {
		if _, err := job.Run(t.Context(), f.graph, units, f, l, options()); err == nil || err.Error() != want {
			t.Errorf("error %v; want %s", err, want)
		}
	}
	if _, err := job.Run(t.Context(), f.graph, units, f, l, job.Options{}); err == nil {
		t.Error("no clock: no error")
	}
	if report, err := job.Run(t.Context(), f.graph, nil, f, l, options()); err != nil || !report.Unchanged() {
		t.Errorf("no units: %s, %v", report, err)
	}
	report := mustRun(t, f, l, units, job.Options{Now: clock()}) // as many workers as cores
	if report.Count(job.Committed) != 4 {
		t.Errorf("%s", report)
	}
}

// TestBadPlans: plans that would lose or repeat rows are refused.
func TestBadPlans(t *testing.T) {
	u := job.Unit{Table: "main_summary", Day: "20180101"}
	for want, p := range map[string]job.Plan{
		"the plan has no generation": {},
		"the plan has a task of another unit: addons 20180101 samples 7": {Generation: "g",
			Tasks: []job.Task{{Table: "addons", Day: u.Day, Lo: 7, Hi: 7}}},
		"the plan has a bad task: samples 5 to 4: not a range within 0 to 100": {Generation: "g",
			Tasks: []job.Task{{Table: u.Table, Day: u.Day, Lo: 5, Hi: 4}}},
		"the plan has sample 5 in two tasks": {Generation: "g", Tasks: []job.Task{
			{Table: u.Table, Day: u.Day, Lo: 0, Hi: 5}, {Table: u.Table, Day: u.Day, Lo: 5, Hi: 9}}},
	} {
		f, l, _ := setup(t, "20180101")
		_, err := job.Run(t.Context(), f.graph, []job.Unit{u}, fixedPlan{f, p}, l, options())
		if err == nil || err.Error() != "plan main_summary 20180101: "+want {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}

// fixedPlan is the pipeline with one plan for everything.
type fixedPlan struct {
	*files

	plan job.Plan
}

func (f fixedPlan) Plan(context.Context, job.Unit) (job.Plan, error) { return f.plan, nil }

// TestNoTasks: an empty day is committed empty.
func TestNoTasks(t *testing.T) {
	f, l, _ := setup(t, "20180101")
	f.samples = nil
	report := mustRun(t, f, l, []job.Unit{{Table: "main_summary", Day: "20180101"}}, options())
	if report.Count(job.Committed) != 1 || len(tables(t, f.dir)) != 1 {
		t.Errorf("%s", report)
	}
}
