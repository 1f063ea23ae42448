package job

import (
	"context"
	"database/sql"
	"time"
)

// RunRecord records a run.
type RunRecord struct {
	ID             int64
	Started, Ended time.Time // UTC; Ended is zero while it runs, or if its process died and no run has found that yet
	Outcome        Outcome
	Error          string
	Force          bool
	PID            int
	Host, Code     string
	Units          []UnitRecord // that it began, in their order
}

// Runs returns the last runs before a run number, newest first; 0 begins with the last run.
func (l *Ledger) Runs(ctx context.Context, before int64, most int) ([]RunRecord, error) {
	return l.runs(ctx, `id IN (SELECT id FROM runs WHERE ? = 0 OR id < ? ORDER BY id DESC LIMIT ?)`, before, before, most)
}

// OneRun returns the run of a number; ok is false if there is none.
func (l *Ledger) OneRun(ctx context.Context, run int64) (r RunRecord, ok bool, err error) {
	all, err := l.runs(ctx, `id = ?`, run)
	if err != nil || len(all) == 0 {
		return r, false, err
	}
	return all[0], true, nil
}

func (l *Ledger) runs(ctx context.Context, where string, args ...any) (all []RunRecord, err error) {
	at := map[int64]int{}
	err = l.query(ctx, `SELECT id, started, ended, outcome, error, force, pid, host, code FROM runs WHERE `+where+` ORDER BY id DESC`, args,
		func(rows *sql.Rows) error {
			var r RunRecord
			var started, ended int64
			err := rows.Scan(&r.ID, &started, &ended, &r.Outcome, &r.Error, &r.Force, &r.PID, &r.Host, &r.Code)
			r.Started, r.Ended = ledgerTime(started), ledgerTime(ended)
			at[r.ID] = len(all)
			all = append(all, r)
			return err
		})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	units, err := l.units(ctx, `run IN (SELECT id FROM runs WHERE `+where+`) `, args...)
	for _, u := range units {
		r := &all[at[u.Run]]
		r.Units = append(r.Units, u)
	}
	return all, err
}

// AttemptsOf returns every attempt of a run at the tasks of a unit, oldest first.
func (l *Ledger) AttemptsOf(ctx context.Context, run int64, u Unit) ([]AttemptRecord, error) {
	return l.attempts(ctx, `run = ? AND table_name = ? AND day = ? `, run, u.Table, u.Day)
}

// TasksEnded returns the number of successful tasks for each unit of a run.
func (l *Ledger) TasksEnded(ctx context.Context, run int64) (map[Unit]int, error) {
	ended := map[Unit]int{}
	statement := `SELECT table_name, day, count(DISTINCT lo) FROM attempts WHERE run = ? AND outcome = 'done' GROUP BY 1, 2`
	err := l.query(ctx, statement, []any{run}, func(rows *sql.Rows) error {
		var u Unit
		var n int
		err := rows.Scan(&u.Table, &u.Day, &n)
		ended[u] = n
		return err
	})
	return ended, err
}
