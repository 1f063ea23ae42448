package job_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// daysOf notes in which order units are planned. Some are skipped or fail.
type daysOf struct {
	mu      sync.Mutex
	planned []string
	skip    map[string]bool
	fail    map[string]bool
}

func (d *daysOf) Plan(_ context.Context, u job.Unit) (job.Plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.planned = append(d.planned, u.String())
	switch {
	case d.fail[u.String()]:
		return job.Plan{}, errors.New("broken")
	case d.skip[u.String()]:
		return job.Plan{Missing: "no pings"}, nil
	}
	return job.Plan{Generation: "g", Current: true}, nil
}

func (*daysOf) Done(context.Context, job.Unit, job.Plan, job.Task) (job.Result, bool) {
	return job.Result{}, false
}
func (*daysOf) Do(context.Context, job.Unit, job.Plan, job.Task) (job.Result, error) {
	return job.Result{}, nil
}
func (*daysOf) Commit(context.Context, job.Unit, job.Plan, []job.Result) (job.Result, error) {
	return job.Result{}, nil
}

// TestChain: days of a chained table follow each other, over days that are skipped, and not over one that failed.
func TestChain(t *testing.T) {
	g, err := job.New([]job.Node{{Name: "daily"}, {Name: "seen", Needs: []string{"daily"}, Chained: true}})
	require.NoError(t, err)
	require.True(t, g.Chained("seen"))
	units, err := g.Units([]string{"daily", "seen"}, days(t, "20180101", "20180108"))
	require.NoError(t, err)
	_, ledger, _ := setup(t, "20180101")
	d := &daysOf{skip: map[string]bool{"daily 20180103": true, "daily 20180104": true, "seen 20180105": true},
		fail: map[string]bool{"seen 20180107": true}}
	report, err := job.Run(t.Context(), g, units, d, ledger, options())
	require.ErrorContains(t, err, "broken")
	seen := slices.DeleteFunc(slices.Clone(d.planned), func(u string) bool { return u[:4] != "seen" })
	require.Equal(t, []string{"seen 20180101", "seen 20180102", "seen 20180105", "seen 20180106", "seen 20180107"}, seen)
	reasons := map[string]string{}
	for _, u := range report.Units {
		reasons[u.Unit.String()] = u.Reason
	}
	require.Equal(t, "it needs daily 20180104, which was skipped", reasons["seen 20180104"])
	require.Equal(t, "no pings", reasons["seen 20180105"])
	require.Equal(t, "it needs seen 20180107, which failed", reasons["seen 20180108"])
}
