package saved

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/store/database"
)

// lease is the time for which a server holds a schedule that it runs, unless it renews the lease.
const lease = 2 * time.Minute

// due is a schedule whose lease this server holds.
type due struct {
	query    Query
	schedule Schedule
	secret   string
	planned  time.Time
	failures int
	held     bool
	before   *float64
	rows     *int64 // of the last run that succeeded; nil if there is none
	holder   string

	attachment *alert.Attachment // of the run; nil if none is wanted
}

// waitingSchedule is a schedule that is due and not leased.
type waitingSchedule struct{ query, owner string }

// waiting returns the schedules that are due: first the longest waiting one of each owner, then the second one of each,
// and so on.
func (s *Store) waiting(ctx context.Context) (all []waitingSchedule, err error) {
	now := s.now().UnixMilli()
	rows, err := s.db.QueryContext(ctx, `SELECT query, owner FROM schedules JOIN queries ON id = query
		WHERE paused = '' AND next <= ? AND next > 0 AND held_until <= ?
		ORDER BY row_number() OVER (PARTITION BY owner ORDER BY next), next LIMIT 1000`, now, now)
	if err != nil {
		return nil, fmt.Errorf("schedules: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var w waitingSchedule
		if err := rows.Scan(&w.query, &w.owner); err != nil {
			return nil, fmt.Errorf("schedules: %w", err)
		}
		all = append(all, w)
	}
	return all, rows.Err()
}

// take acquires the lease of a due schedule for a holder. It returns nil if another server was faster.
func (s *Store) take(ctx context.Context, id, holder string) (d *due, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		now := s.now()
		r, err := tx.ExecContext(ctx, "UPDATE schedules SET holder = ?, held_until = ? WHERE query = ? AND paused = '' AND next <= ? AND "+
			"next > 0 AND held_until <= ?",
			holder, now.Add(lease).UnixMilli(), id, now.UnixMilli(), now.UnixMilli())
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return err
		}
		d = &due{holder: holder}
		var doc []byte
		var next int64
		if err := tx.QueryRowContext(ctx, "SELECT doc, secret, next, failures, held, last_value FROM schedules WHERE query = ?", id).Scan(&doc,
			&d.secret, &next, &d.failures, &d.held, &d.before); err != nil {
			return err
		}
		d.planned = database.Time(next)
		if d.rows, err = lastRows(ctx, tx, id); err != nil {
			return err
		}
		if err := json.Unmarshal(doc, &d.schedule); err != nil {
			return err
		}
		q, err := read(ctx, tx, id)
		if err == nil {
			d.query = *q
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("take schedule %s: %w", id, err)
	}
	return d, nil
}

// lastRows returns the rows of the last run of a query that succeeded, nil if there is none.
func lastRows(ctx context.Context, tx *sql.Tx, id string) (*int64, error) {
	all, err := runs(ctx, tx, id)
	for _, r := range all {
		if r.State == runDone {
			return &r.Rows, nil
		}
	}
	return nil, err
}

// renewInterval separates two renewals of a lease. A run whose schedule was changed is cancelled within this time.
const renewInterval = 20 * time.Second

// renew extends a lease. held is false if another holder has it or the schedule was changed.
func (s *Store) renew(ctx context.Context, d *due) (held bool, err error) {
	r, err := s.db.ExecContext(ctx, "UPDATE schedules SET held_until = ? WHERE query = ? AND holder = ?", s.now().Add(lease).UnixMilli(),
		d.query.ID, d.holder)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// release frees the lease; the schedule stays due.
func (s *Store) release(ctx context.Context, d *due) error {
	_, err := s.db.ExecContext(ctx, "UPDATE schedules SET holder = '', held_until = 0 WHERE query = ? AND holder = ?", d.query.ID, d.holder)
	return err
}

// finish stores a run and schedules the next one after now, so that missed times cause only one run. It stores nothing
// if the schedule was changed or removed meanwhile.
func (s *Store) finish(ctx context.Context, d *due, r ScheduleRun, paused string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		now := s.now()
		next, err := d.schedule.next(now)
		if err != nil {
			return err
		}
		if every, err := time.ParseDuration(d.schedule.Every); err == nil && now.Sub(d.planned) < every {
			next = d.planned.Add(every) // so that intervals do not grow by the time that runs take
		}
		failures, value := 0, r.Value
		if r.State == runFailed {
			failures = d.failures + 1
		}
		if value == nil {
			value = d.before
		}
		done, err := tx.ExecContext(ctx, "UPDATE schedules SET next = ?, paused = ?, failures = ?, held = ?, last_value = ?, holder = '', "+
			"held_until = 0 WHERE query = ? AND holder = ?",
			database.Milliseconds(next), paused, failures, d.holds(&r), value, d.query.ID, d.holder)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err
		}
		doc, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO runs (query, doc) VALUES (?, ?)", d.query.ID, string(doc)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM runs WHERE query = ?1 AND id <= (SELECT id FROM runs WHERE query = ?1 ORDER BY id DESC "+
			"LIMIT 1 OFFSET ?2)", d.query.ID, maxRuns)
		return err
	})
}
