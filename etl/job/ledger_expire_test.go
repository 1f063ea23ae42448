package job_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// TestExpire: old runs are removed, but the states of partitions stay; a later run finds everything current.
func TestExpire(t *testing.T) {
	f, l, units := setup(t, "20180101", "20180102")
	o := options()
	mustRun(t, f, l, units, o)
	o.Force = true
	for range 3 {
		mustRun(t, f, l, units, o)
	}
	if n, err := l.Expire(t.Context(), time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC)); n != 0 || err != nil {
		t.Errorf("of before the first run: %d rows, %v", n, err)
	}
	last, err := l.Last(t.Context(), job.Filter{})
	require.NoError(t, err)
	release, err := l.Hold(t.Context())
	require.NoError(t, err)
	if _, err := job.Run(t.Context(), f.graph, units, f, l, o); !errors.Is(err, job.ErrInUse) {
		t.Errorf("a run beside it: %v", err)
	}
	n, err := l.Expire(t.Context(), time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC))
	release()
	attempts, errA := l.Attempts(t.Context(), job.Filter{})
	if err != nil || errA != nil || n < int64(3*len(units)+3) || len(attempts) != 0 {
		t.Errorf("%d rows went, %d attempts are left, %v, %v", n, len(attempts), err, errA)
	}
	after, err := l.Last(t.Context(), job.Filter{})
	if err != nil || len(after) != len(last) {
		t.Fatalf("%d of %d partitions are left, %v", len(after), len(last), err)
	}
	for i := range after {
		if after[i].Unit != last[i].Unit || after[i].Run != last[i].Run || after[i].Outcome != job.Committed {
			t.Errorf("%v, before %v", after[i], last[i])
		}
	}
	r, err := job.Run(t.Context(), f.graph, units, f, l, options())
	if err != nil || !r.Unchanged() {
		t.Errorf("a later run: %v, %v", r, err)
	}
	if again, err := l.Expire(t.Context(), time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil || again != 1 {
		t.Errorf("once more: %d rows, %v", again, err) // the run that found everything current
	}
}
