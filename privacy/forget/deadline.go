package forget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Deadline is the time after a request by which no row of its clients may be left in the files.
type Deadline time.Duration

// Due returns when the rows of a request must be removed; zero for no request.
func (d Deadline) Due(requested time.Time) time.Time {
	if requested.IsZero() {
		return requested
	}
	return requested.Add(time.Duration(d))
}

// Used returns the part of the deadline that has passed since a request, 1 at the deadline; 0 for no request.
func (d Deadline) Used(requested, now time.Time) float64 {
	if requested.IsZero() || d <= 0 {
		return 0
	}
	return float64(now.Sub(requested)) / float64(d)
}

// Urgent is the part of the deadline after which removals no longer wait for their interval, and Danger the part after which an
// operator has to look.
const (
	Urgent = 0.75
	Danger = 0.9
)

// Trouble returns a line if the rows of a request may not be removed in time. It returns none to users that may not read the
// requests.
func (r *Registry) Trouble(ctx context.Context, d Deadline, now time.Time) ([]string, error) {
	requests, err := r.Pending(ctx)
	var damaged *store.StateError // status names it without this
	if errors.Is(err, fs.ErrPermission) || errors.As(err, &damaged) {
		return nil, nil
	}
	oldest := Oldest(requests)
	if err != nil || d.Used(oldest, now) < Danger {
		return nil, err
	}
	return []string{fmt.Sprintf("the rows of a client that asked to be forgotten must be removed by %s (deletion.deadline) and are not: "+
		"see why in the log and in pingmill delete --status, or remove them with pingmill delete --now", day(d.Due(oldest)))}, nil
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
