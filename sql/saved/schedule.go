package saved

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/sql/saved/timing"
	"github.com/pingmill/pingmill/store/database"
)

// Schedule defines when a query runs by itself, and the notifications of its results.
type Schedule struct {
	Every      string         `json:"every" minLength:"1" maxLength:"200" doc:"cron text of five fields, such as 0 7 * * 1-5, or an interval, such as 6h"`
	Timezone   string         `json:"timezone,omitempty" maxLength:"100" doc:"of the cron text, such as Europe/Berlin; default: UTC"`
	Parameters map[string]any `json:"parameters,omitempty" doc:"values; days may be relative: yesterday, last 7 days"`
	Condition  *Condition     `json:"condition,omitempty" doc:"none: every run notifies"`
	Repeat     bool           `json:"repeat,omitempty" doc:"tell every run for which the condition holds, not only the first one of a row"`
	Notify     []alert.Target `json:"notify,omitempty" maxItems:"10" nullable:"false"`
	Rows       bool           `json:"rows,omitempty" doc:"attach the rows of the result to mails; not those of restricted tables, nor if the owner may read only some columns or rows of a table"`
}

// Scheduled is a schedule with its state.
type Scheduled struct {
	Schedule
	Next     time.Time `json:"next,omitzero"`
	Paused   string    `json:"paused,omitempty" doc:"why it runs no more; saving it again starts it"`
	Failures int       `json:"failures" doc:"runs that failed, one after the other, up to now"`
	Holds    bool      `json:"holds" doc:"the condition held at the last run"`
	Secret   string    `json:"secret,omitempty" doc:"that webhooks are signed with; for its owner only"`
}

// ScheduleRun is one run of a schedule.
type ScheduleRun struct {
	Planned    time.Time  `json:"planned"`
	Started    time.Time  `json:"started"`
	Ended      time.Time  `json:"ended"`
	State      string     `json:"state" enum:"done,failed"`
	Query      string     `json:"query,omitempty" doc:"id of the query that ran"`
	Rows       int64      `json:"rows"`
	Value      *float64   `json:"value,omitempty" doc:"that the condition looked at"`
	Error      string     `json:"error,omitempty"`
	Holds      bool       `json:"holds" doc:"the condition held"`
	Notified   []Notified `json:"notified" nullable:"false"`
	Attached   string     `json:"attached,omitempty" doc:"the rows that mails have, or why they have none"`
	NotBecause string     `json:"notBecause,omitempty" doc:"why nobody was notified"`
}

// Notified records a notification: its target, and the error if it failed.
type Notified struct {
	alert.Target
	Event alert.Event `json:"event"`
	Error string      `json:"error,omitempty"`
}

// ErrOwner means that a person tried to schedule another person's query: it would run with the owner's grants.
var ErrOwner = errors.New("only the owner of a query schedules it, since it runs with their grants: fork it to have your own")

// ErrNoSchedule means the query has no schedule, or the person may not see it.
var ErrNoSchedule = errors.New("the query has no schedule")

// clean returns an error if the schedule cannot be stored: usually an *InvalidError, or the error of params.Expand.
func (sc *Schedule) clean(q *Query, sender *alert.Sender, now time.Time) error {
	if _, err := timing.Parse(sc.Every, sc.Timezone); err != nil {
		return invalid("%s", err)
	}
	if err := sc.Condition.check(); err != nil {
		return err
	}
	if len(sc.Notify) > 10 {
		return invalid("at most 10 targets")
	}
	if sc.Rows && !sender.Mail.Rows {
		return invalid("mails have no rows here: mail.rows of the configuration is off")
	}
	for _, t := range sc.Notify {
		if err := sender.Check(t); err != nil {
			return invalid("%s", err)
		}
	}
	_, err := params.Expand(params.Input{SQL: q.SQL, Dialect: q.Dialect, Declared: q.Parameters, Values: sc.Parameters, Today: now,
		Newest: now})
	return err
}

// SetSchedule creates or replaces the schedule of one of the person's own queries, and starts it.
func (s *Store) SetSchedule(ctx context.Context, p *access.Person, id string, sc Schedule, sender *alert.Sender) (*Scheduled, error) {
	err := s.change(ctx, func(tx *sql.Tx) error {
		q, err := s.get(ctx, tx, p, id)
		if err != nil {
			return err
		}
		if q.Builtin {
			return ErrBuiltin
		}
		if q.Owner != p.ID {
			return ErrOwner
		}
		if err := sc.clean(q, sender, s.now()); err != nil {
			return err
		}
		next, err := sc.next(s.now())
		if err != nil {
			return err
		}
		doc, err := json.Marshal(sc)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO schedules VALUES (?, ?, ?, '', 0, 0, NULL, ?, '', 0)
			ON CONFLICT (query) DO UPDATE SET doc = excluded.doc, paused = '', failures = 0, held = 0, last_value = NULL, next = excluded.next, holder = '', held_until = 0`,
			id, string(doc), strings.ToLower(rand.Text()), database.Milliseconds(next))
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Schedule(ctx, p, id)
}

// next returns the first time after the given one at which the schedule is due.
func (sc *Schedule) next(after time.Time) (time.Time, error) {
	spec, err := timing.Parse(sc.Every, sc.Timezone)
	if err != nil {
		return time.Time{}, err
	}
	return spec.Next(after), nil
}

// Schedule returns the schedule of a query that a person may see. The owner gets all of it, administrators all but its
// secret, others ErrNoSchedule.
func (s *Store) Schedule(ctx context.Context, p *access.Person, id string) (*Scheduled, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	if q.Owner != p.ID && !p.May(access.Administer) {
		return nil, ErrNoSchedule
	}
	var sc Scheduled
	var doc []byte
	var next int64
	err = s.db.QueryRowContext(ctx, "SELECT doc, secret, paused, failures, held, next FROM schedules WHERE query = ?", id).Scan(&doc,
		&sc.Secret, &sc.Paused, &sc.Failures, &sc.Holds, &next)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNoSchedule
	}
	if err == nil {
		err = json.Unmarshal(doc, &sc.Schedule)
	}
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	if sc.Next = database.Time(next); sc.Paused != "" {
		sc.Next = time.Time{}
	}
	if q.Owner != p.ID {
		sc.Secret = ""
	}
	return &sc, nil
}

// RemoveSchedule deletes the schedule of a query. Its stored runs remain.
func (s *Store) RemoveSchedule(ctx context.Context, p *access.Person, id string) error {
	if _, err := s.Schedule(ctx, p, id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "DELETE FROM schedules WHERE query = ?", id)
	return err
}

// maxRuns limits the stored runs of a query.
const maxRuns = 100

// Runs returns the last runs of a query, newest first, to its owner and to administrators.
func (s *Store) Runs(ctx context.Context, p *access.Person, id string) ([]ScheduleRun, error) {
	q, err := s.Get(ctx, p, id)
	if err != nil {
		return nil, err
	}
	if q.Owner != p.ID && !p.May(access.Administer) {
		return []ScheduleRun{}, nil
	}
	return runs(ctx, s.db, id)
}

// runs returns the last runs of a query, newest first.
func runs(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, id string) (list []ScheduleRun, err error) {
	rows, err := db.QueryContext(ctx, "SELECT doc FROM runs WHERE query = ? ORDER BY id DESC", id)
	if err != nil {
		return nil, fmt.Errorf("runs: %w", err)
	}
	defer rows.Close()
	for list = []ScheduleRun{}; rows.Next(); {
		var doc []byte
		var r ScheduleRun
		if err := rows.Scan(&doc); err != nil {
			return nil, fmt.Errorf("runs: %w", err)
		}
		if err := json.Unmarshal(doc, &r); err != nil {
			return nil, fmt.Errorf("runs: %w", err)
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
