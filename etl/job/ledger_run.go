package job

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
)

// ledgerRun is the writing side of a ledger during one run. Its methods take no context: what has happened is
// recorded also when the run is being cancelled.
type ledgerRun struct {
	*Ledger

	id      int64
	since   int64 // runs from this one on are believed about what is done
	force   bool
	code    string
	now     func() time.Time
	release func() // gives up the lock
}

// begin locks the ledger, marks unfinished rows of dead processes as lost, and records the run.
//
// A forced run that was cancelled or lost is continued if the same units and code are requested again: it
// trusts the work of the run that it continues, and nothing older.
func (l *Ledger) begin(ctx context.Context, units []Unit, o Options) (*ledgerRun, error) {
	release, err := l.lock(ctx)
	if err != nil {
		return nil, err
	}
	r := &ledgerRun{Ledger: l, force: o.Force, code: o.Code, now: o.Now, release: release}
	if err := r.enter(context.WithoutCancel(ctx), fingerprintOf(units, o.Code)); err != nil {
		release()
		return nil, fmt.Errorf("enter the run in the ledger: %w", err)
	}
	return r, nil
}

// fingerprintOf returns a hash that is equal for runs of the same units by the same code.
func fingerprintOf(units []Unit, code string) string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.String()
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(code + "\n" + strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:])
}

func (r *ledgerRun) enter(ctx context.Context, fingerprint string) error {
	r.write.Lock()
	defer r.write.Unlock()
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	now := r.now().UnixNano()
	for _, statement := range []string{
		`UPDATE attempts SET outcome = 'lost', ended = ? WHERE outcome = 'running'`,
		`UPDATE units SET outcome = 'lost', ended = ? WHERE outcome = 'planned'`,
		`UPDATE runs SET outcome = 'lost', ended = ? WHERE outcome = 'running'`,
	} {
		if _, err := tx.ExecContext(ctx, statement, now); err != nil {
			return err
		}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host" // only for people to read
	}
	r.id, err = insert(tx.ExecContext(ctx, `
		INSERT INTO runs (started, outcome, fingerprint, force, since, pid, host, code) VALUES (?, 'running', ?, ?, 0, ?, ?, ?)`,
		now, fingerprint, r.force, os.Getpid(), host, r.code))
	if err != nil {
		return err
	}
	if r.since, err = r.findSince(ctx, tx, fingerprint); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE runs SET since = ? WHERE id = ?`, r.since, r.id); err != nil {
		return err
	}
	return tx.Commit()
}

func (r *ledgerRun) findSince(ctx context.Context, tx *sql.Tx, fingerprint string) (int64, error) {
	if !r.force {
		return 0, nil
	}
	var since int64
	var outcome Outcome
	err := tx.QueryRowContext(ctx, `SELECT since, outcome FROM runs WHERE fingerprint = ? AND force AND id < ? ORDER BY id DESC LIMIT 1`,
		fingerprint, r.id).
		Scan(&since, &outcome)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	if outcome == Cancelled || outcome == Lost {
		return since, nil
	}
	return r.id, nil
}

// end closes the run. The lock is held until release.
func (r *ledgerRun) end(outcome Outcome, runErr error) error {
	_, err := r.exec(`UPDATE runs SET outcome = ?, error = ?, ended = ? WHERE id = ?`, outcome, errorText(runErr), r.now().UnixNano(), r.id)
	if err != nil {
		return fmt.Errorf("record the end of the run: %w", err)
	}
	return nil
}

// insert returns the id of a row just inserted.
func insert(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// attemptText returns the text of an error, with the stack of a panic.
func attemptText(err error) string {
	if err == nil {
		return ""
	}
	return panics.Report(err)
}

func inputsJSON(inputs []Input) (string, error) {
	if len(inputs) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(inputs)
	return string(b), err
}

// ledgerTime returns the time of a column; 0 is the zero time.
func ledgerTime(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
