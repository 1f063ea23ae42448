package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pingmill/pingmill/site"
)

// Status holds the state of a table's Iceberg table as of the last comparison.
type Status struct {
	Table    string    `json:"table"`
	Snapshot int64     `json:"snapshot"`          // that is current
	Synced   time.Time `json:"synced"`            // when it was last what is published
	Pending  []string  `json:"pending,omitempty"` // days that are to be compared
	Failing  time.Time `json:"failing,omitzero"`  // since when it could not be made that
	Error    string    `json:"error,omitempty"`   // why
}

// Behind reports whether the table is known not to be what is published.
func (s *Status) Behind() bool { return s.Error != "" || len(s.Pending) > 0 }

// ReadStatus reads how the tables of an installation stand that have Iceberg tables. It asks no catalog.
// Tables that this user may not read are left out, and the error, which is fs.ErrPermission, names them.
func ReadStatus(ctx context.Context, d *site.Data) (all []Status, err error) {
	var denied []error
	for _, t := range d.Tables {
		s, err := readState(ctx, d.Roots[t.Root], t)
		if errors.Is(err, fs.ErrPermission) {
			denied = append(denied, fmt.Errorf("status of the Iceberg table of %s: %w", t.Name, err))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("status of Iceberg tables: %w", err)
		}
		if s.Synced.IsZero() && s.Error == "" {
			continue
		}
		all = append(all, Status{t.Name, s.Snapshot, s.Synced, s.Pending, s.Failing, s.Error})
	}
	return all, errors.Join(denied...)
}
