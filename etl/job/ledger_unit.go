package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// planned enters a unit that is to be run.
func (r *ledgerRun) planned(u Unit, p Plan) (unit int64, err error) {
	return r.addUnit(u, p, Planned, Result{}, nil)
}

// planFailed enters a unit that could not be planned.
func (r *ledgerRun) planFailed(u Unit, cause error) error {
	_, err := r.addUnit(u, Plan{}, Failed, Result{}, cause)
	return err
}

// addUnit enters a unit that starts now and, unless it is planned, has ended now.
func (r *ledgerRun) addUnit(u Unit, p Plan, outcome Outcome, res Result, cause error) (int64, error) {
	inputs, err := inputsJSON(p.Inputs)
	if err != nil {
		return 0, err
	}
	started := r.now().UnixNano()
	ended := started
	if outcome == Planned {
		ended = 0
	}
	id, err := insert(r.exec(`
		INSERT INTO units (run, table_name, day, samples, generation, inputs, rows_in, rows_out, rejected, bytes, output,
			started, ended, outcome, error, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.id, u.Table, u.Day, p.samples(), p.Generation, inputs, res.RowsIn, res.RowsOut, res.Rejected, res.Bytes, res.Output,
		started, ended, outcome, errorText(cause), r.code))
	if err != nil {
		return 0, fmt.Errorf("record %s as %s: %w", u, outcome, err)
	}
	return id, nil
}

// unitEnded closes a planned unit.
func (r *ledgerRun) unitEnded(unit int64, outcome Outcome, res Result, cause error) error {
	_, err := r.exec(`
		UPDATE units SET outcome = ?, rows_in = ?, rows_out = ?, rejected = ?, bytes = ?, output = ?, error = ?, ended = ? WHERE id = ?`,
		outcome, res.RowsIn, res.RowsOut, res.Rejected, res.Bytes, res.Output, errorText(cause), r.now().UnixNano(), unit)
	if err != nil {
		return fmt.Errorf("record the unit as %s: %w", outcome, err)
	}
	return nil
}

// isCurrent reports whether a unit whose plan is current needs no work. Without force that is so, and the ledger is
// mended if it does not say the same: a process may have died between publishing and recording, or the inputs may be
// the same again as before a failure. With force it is so only if the run being continued made it.
func (r *ledgerRun) isCurrent(ctx context.Context, u Unit, p Plan) (bool, error) {
	var run int64
	var samples, generation string
	var outcome Outcome
	err := r.db.QueryRowContext(ctx, `
		SELECT run, samples, generation, outcome FROM units WHERE table_name = ? AND day = ? ORDER BY id DESC LIMIT 1`, u.Table, u.Day).
		Scan(&run, &samples, &generation, &outcome)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("look up %s in the ledger: %w", u, err)
	}
	known := outcome == Committed && generation == p.Generation
	if r.force {
		return known && run >= r.since && samples == p.samples(), nil
	}
	if known {
		return true, nil
	}
	_, err = r.addUnit(u, p, Committed, p.Published, nil)
	return err == nil, err
}

// started enters an attempt at a task.
func (r *ledgerRun) started(unit int64, p Plan, t Task) (attempt int64, err error) {
	return r.addAttempt(unit, p, t, Running, Result{})
}

// found enters a task whose outputs exist although no record of it does.
func (r *ledgerRun) found(unit int64, p Plan, t Task, res Result) error {
	_, err := r.addAttempt(unit, p, t, Done, res)
	return err
}

// addAttempt enters an attempt that starts now and, unless it is running, has ended now.
func (r *ledgerRun) addAttempt(unit int64, p Plan, t Task, outcome Outcome, res Result) (int64, error) {
	inputs, err := inputsJSON(p.Inputs)
	if err != nil {
		return 0, err
	}
	started := r.now().UnixNano()
	ended := started
	if outcome == Running {
		ended = 0
	}
	id, err := insert(r.exec(`
		INSERT INTO attempts (run, unit, table_name, day, lo, hi, generation, inputs, rows_in, rows_out, rejected, bytes, output,
			started, ended, outcome, code, bytes_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.id, unit, t.Table, t.Day, t.Lo, t.Hi, p.Generation, inputs, res.RowsIn, res.RowsOut, res.Rejected, res.Bytes, res.Output,
		started, ended, outcome, r.code, t.Bytes))
	if err != nil {
		return 0, fmt.Errorf("record %s as %s: %w", t, outcome, err)
	}
	return id, nil
}

// ended closes an attempt.
func (r *ledgerRun) ended(attempt int64, outcome Outcome, res Result, cause error) error {
	_, err := r.exec(`
		UPDATE attempts SET outcome = ?, rows_in = ?, rows_out = ?, rejected = ?, bytes = ?, output = ?, error = ?, ended = ? WHERE id = ?`,
		outcome, res.RowsIn, res.RowsOut, res.Rejected, res.Bytes, res.Output, attemptText(cause), r.now().UnixNano(), attempt)
	if err != nil {
		return fmt.Errorf("record the task as %s: %w", outcome, err)
	}
	return nil
}

// done returns the results of the tasks that are recorded as done for the generation, by a run that is trusted.
func (r *ledgerRun) done(ctx context.Context, u Unit, generation string) (map[Samples]Result, error) {
	done := make(map[Samples]Result)
	err := r.query(ctx, `
		SELECT lo, hi, rows_in, rows_out, rejected, bytes, output FROM attempts
		WHERE table_name = ? AND day = ? AND generation = ? AND outcome = 'done' AND run >= ? ORDER BY id`,
		[]any{u.Table, u.Day, generation, r.since},
		func(rows *sql.Rows) error {
			var s Samples
			var res Result
			err := rows.Scan(&s.Lo, &s.Hi, &res.RowsIn, &res.RowsOut, &res.Rejected, &res.Bytes, &res.Output)
			done[s] = res
			return err
		})
	return done, err
}
