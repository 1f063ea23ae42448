package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// state caches the follower's knowledge of a table between comparisons. Nothing is lost with it: a
// whole comparison makes it again.
type state struct {
	Format int `json:"format"`
	// Pending are days that are to be compared.
	Pending []string `json:"pending,omitempty"`
	// Held lists days with replaced files that a snapshot still names.
	Held []string `json:"held,omitempty"`
	// Oldest is the sequence number of the oldest snapshot when they were looked at last.
	Oldest int64 `json:"oldest,omitempty"`

	Snapshot int64     `json:"snapshot,omitempty"` // that was current at the last comparison
	Synced   time.Time `json:"synced"`             // when the table was last found to be, or made, what is published
	Whole    time.Time `json:"whole"`              // when all days were last compared
	Error    string    `json:"error,omitempty"`    // why it could not be, since then
	Failing  time.Time `json:"failing,omitzero"`   // since when it cannot
}

func stateName(t *schema.Table) string { return path.Join(dir(t), "state.json") }

// readState reads the state of a table. A missing or unusable state counts as the state of a new table.
func readState(ctx context.Context, b store.Bucket, t *schema.Table) (*state, error) {
	s := new(state)
	err := readJSON(ctx, b, stateName(t), s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &state{Format: recordFormat}, nil
	case err != nil:
		return nil, err
	case s.Format != recordFormat:
		return nil, fmt.Errorf("read %s: its format is %d, this program knows %d", stateName(t), s.Format, recordFormat)
	}
	return s, nil
}

func (s *state) write(ctx context.Context, b store.Bucket, t *schema.Table) error {
	slices.Sort(s.Pending)
	slices.Sort(s.Held)
	s.Pending, s.Held = slices.Compact(s.Pending), slices.Compact(s.Held)
	return writeJSON(ctx, b, stateName(t), s)
}
