package lake

import (
	"context"

	"github.com/pingmill/pingmill/schema"
)

// Held lists the days with replaced files that have to go, as those with rows of forgotten clients, and that exist only for the
// Retainer.
func (t *retainedFiles) Held(ctx context.Context) (days []string, err error) {
	if t.Retainer == nil {
		return nil, nil
	}
	all, err := t.Replaced(ctx)
	for _, r := range all {
		if r.Due {
			days = append(days, r.Day)
		}
	}
	return days, err
}

// SweepHeld is like Sweep, and also removes the files that the Retainer holds: its readers fail.
func (t *retainedFiles) SweepHeld(ctx context.Context, day string) error {
	other := *t
	other.Retainer = noReaders{}
	return other.Sweep(ctx, day)
}

// noReaders is the Retainer of files that nobody reads.
type noReaders struct{}

func (noReaders) Holds(context.Context, *schema.Table, string, []string) ([]string, error) {
	return nil, nil
}
func (noReaders) Release(context.Context, []string) {}
