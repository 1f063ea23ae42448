package job

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Filter restricts a query of the ledger. The zero value selects everything.
type Filter struct {
	Table    string // empty: every table
	From, To string // days, both inclusive; empty: no bound
}

func (f Filter) args() []any { return []any{f.Table, f.Table, f.From, f.To, f.To} }

const filterWhere = ` (? = '' OR table_name = ?) AND day >= ? AND (? = '' OR day <= ?) `

// UnitRecord records one attempt at a unit.
type UnitRecord struct {
	Unit

	Run            int64
	Samples        string // of its tasks, as FormatSamples writes them
	Generation     string // empty when it could not be planned
	Inputs         []Input
	Result         Result
	Started, Ended time.Time // UTC; a lost one ended when the next run found it
	Outcome        Outcome
	Error          string
	Code           string // version of the code that ran
}

// AttemptRecord records one attempt at a task.
type AttemptRecord struct {
	Task

	Run            int64
	Generation     string
	Inputs         []Input
	Result         Result
	Started, Ended time.Time // UTC; Ended is zero while it runs; a lost one ended when the next run found it
	Outcome        Outcome
	Error          string
	Code           string
}

const recordColumns = ` table_name, day, run, generation, inputs, rows_in, rows_out, rejected, bytes, output, started, ended, ` +
	`outcome, error, code`

// Committed returns the last commit of each partition that has one, by table and day.
func (l *Ledger) Committed(ctx context.Context, f Filter) ([]UnitRecord, error) {
	return l.units(ctx, `id IN (SELECT max(id) FROM units WHERE outcome = 'committed' GROUP BY table_name, day) AND`+filterWhere, f.args()...)
}

// Failures returns the last attempt of each partition if it failed, was cancelled or was lost, by table and
// day. The partition may still have an older generation published.
func (l *Ledger) Failures(ctx context.Context, f Filter) ([]UnitRecord, error) {
	return l.units(ctx, `id IN (SELECT max(id) FROM units GROUP BY table_name, day) AND outcome IN ('failed', 'cancelled', 'lost') AND`+
		filterWhere, f.args()...)
}

// Attempts returns every attempt at the tasks of the units, by table and day, oldest first.
func (l *Ledger) Attempts(ctx context.Context, f Filter) ([]AttemptRecord, error) {
	return l.attempts(ctx, filterWhere, f.args()...)
}

func (l *Ledger) attempts(ctx context.Context, where string, args ...any) ([]AttemptRecord, error) {
	var recs []AttemptRecord
	statement := `SELECT lo, hi,` + recordColumns + ` FROM attempts WHERE ` + where + `ORDER BY table_name, day, id`
	err := l.query(ctx, statement, args, func(rows *sql.Rows) error {
		var a AttemptRecord
		var u UnitRecord
		if err := scanRecord(rows, &u, &a.Lo, &a.Hi); err != nil {
			return err
		}
		a.Table, a.Day = u.Table, u.Day
		a.Run, a.Generation, a.Inputs, a.Result, a.Code = u.Run, u.Generation, u.Inputs, u.Result, u.Code
		a.Started, a.Ended, a.Outcome, a.Error = u.Started, u.Ended, u.Outcome, u.Error
		recs = append(recs, a)
		return nil
	})
	return recs, err
}

func (l *Ledger) units(ctx context.Context, where string, args ...any) ([]UnitRecord, error) {
	var recs []UnitRecord
	statement := `SELECT samples,` + recordColumns + ` FROM units WHERE ` + where + `ORDER BY table_name, day`
	err := l.query(ctx, statement, args, func(rows *sql.Rows) error {
		var u UnitRecord
		if err := scanRecord(rows, &u, &u.Samples); err != nil {
			return err
		}
		recs = append(recs, u)
		return nil
	})
	return recs, err
}

// query calls scan for each row.
func (l *Ledger) query(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error {
	if l.db == nil {
		return nil
	}
	rows, err := l.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	defer func() { _ = rows.Close() }() // its error is looked at below
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("read the ledger: %w", err)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return fmt.Errorf("read the ledger: %w", err)
	}
	return nil
}

// scanRecord reads the columns given in first, then recordColumns into u.
func scanRecord(rows *sql.Rows, u *UnitRecord, first ...any) error {
	var inputs string
	var started, ended int64
	err := rows.Scan(append(first, &u.Table, &u.Day, &u.Run, &u.Generation, &inputs,
		&u.Result.RowsIn, &u.Result.RowsOut, &u.Result.Rejected, &u.Result.Bytes, &u.Result.Output,
		&started, &ended, &u.Outcome, &u.Error, &u.Code)...)
	if err != nil {
		return err
	}
	u.Started, u.Ended = ledgerTime(started), ledgerTime(ended)
	if err := json.Unmarshal([]byte(inputs), &u.Inputs); err != nil {
		return fmt.Errorf("inputs of %s: %w", u.Unit, err)
	}
	return nil
}
