package job

import (
	"testing"
	"time"

	"github.com/pingmill/pingmill/internal/retry"
)

func TestRetries(t *testing.T) {
	now := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	r := NewRetries(retry.Policy{First: time.Minute, Max: 10 * time.Minute})
	u, other := Unit{"a", "20180301"}, Unit{"b", "20180301"}
	if !r.Due(u, now) {
		t.Error("a unit without a failure is not due")
	}
	for n, want := range []time.Duration{1, 2, 4, 8, 10, 10} {
		times, due := r.Failed(u, now)
		if times != n+1 || due.Sub(now) != want*time.Minute {
			t.Errorf("failure %d: number %d, due after %v, want %v minutes", n+1, times, due.Sub(now), want)
		}
		if r.Due(u, due.Add(-1)) || !r.Due(u, due) || !r.Due(other, now) {
			t.Errorf("failure %d: due at the wrong time", n+1)
		}
	}
	r.Done(u)
	if times, _ := r.Failed(u, now); times != 1 {
		t.Errorf("after a success the failure is number %d", times)
	}
}
