package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Last returns the last attempt of each partition, whatever its outcome, by table and day. A [Planned] one is
// being made if [Ledger.Writing] returns true; otherwise its process died.
func (l *Ledger) Last(ctx context.Context, f Filter) ([]UnitRecord, error) {
	return l.units(ctx, `id IN (SELECT max(id) FROM units GROUP BY table_name, day) AND`+filterWhere, f.args()...)
}

// Writing reports whether a run writes the ledger now, in this process or another. It does not disturb a run,
// even if one begins at the same moment: see lockPatience.
func (l *Ledger) Writing(ctx context.Context) (bool, error) {
	if l.db == nil {
		return false, nil
	}
	if l.file != "" {
		_, is, err := l.watch.locked(l.file + ".lock")
		if err != nil {
			err = fmt.Errorf("look for the ledger's writer: %w", err)
		}
		return is, err
	}
	var file string
	if err := l.db.QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&file); err != nil {
		return false, fmt.Errorf("look for the ledger's writer: %w", err)
	}
	if _, err := os.Stat(file + ".lock"); errors.Is(err, fs.ErrNotExist) {
		return false, nil // nobody ever did
	}
	release, err := l.lock(ctx)
	if errors.Is(err, ErrInUse) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for the ledger's writer: %w", err)
	}
	release()
	return false, nil
}

// Rate sums up the work of the last tasks of a table and its duration.
type Rate struct {
	BytesIn  int64 // of input, as the plans gave it
	BytesOut int64
	Work     time.Duration // of one worker
}

// Speed describes the duration of work in past runs.
type Speed struct {
	Tables map[string]Rate // of the tables that have a history
	// Wall is the total duration of runs for each second of a worker's work: below 1 if several workers ran
	// concurrently, above 1 if planning and publishing took longer than the tasks. 0 means that there is no history.
	Wall float64
}

// speedTasks and speedRuns are the numbers of recent tasks of each table, and of recent runs, that
// [Ledger.Speed] uses.
const (
	speedTasks = 500
	speedRuns  = 20
)

// Speed sums up the last tasks that ended well, and the last runs that had some. Of a run that was killed or failed
// the time up to its last such task counts: a backfill that was interrupted has a history, too.
func (l *Ledger) Speed(ctx context.Context) (Speed, error) {
	s := Speed{Tables: map[string]Rate{}}
	tables, err := l.attemptedTables(ctx)
	if err != nil {
		return s, err
	}
	for _, table := range tables {
		if err := l.rate(ctx, table, s.Tables); err != nil {
			return s, err
		}
	}
	err = l.query(ctx, `
		SELECT coalesce(sum(wall) * 1.0 / nullif(sum(work), 0), 0) FROM (
			SELECT CASE r.outcome WHEN 'done' THEN r.ended ELSE max(a.ended) END - r.started AS wall, sum(a.ended - a.started) AS work
			FROM runs r JOIN attempts a ON a.run = r.id AND a.outcome = 'done'
			WHERE r.id IN (SELECT id FROM runs n WHERE EXISTS (SELECT 1 FROM attempts d WHERE d.run = n.id AND d.outcome = 'done') ORDER BY id DESC LIMIT ?)
			GROUP BY r.id)`,
		[]any{speedRuns}, func(rows *sql.Rows) error { return rows.Scan(&s.Wall) })
	return s, err
}

// attemptedTables returns the tables that have attempts, by skipping through the index.
func (l *Ledger) attemptedTables(ctx context.Context) (tables []string, err error) {
	err = l.query(ctx, `
		WITH RECURSIVE names (name) AS (
			SELECT min(table_name) FROM attempts
			UNION ALL SELECT (SELECT min(table_name) FROM attempts WHERE table_name > name) FROM names WHERE name IS NOT NULL)
		SELECT name FROM names WHERE name IS NOT NULL`,
		nil, func(rows *sql.Rows) error {
			var table string
			err := rows.Scan(&table)
			tables = append(tables, table)
			return err
		})
	return tables, err
}

// rate sums up the last tasks of a table. It reads attempts backwards until it has enough of them.
func (l *Ledger) rate(ctx context.Context, table string, rates map[string]Rate) error {
	return l.query(ctx, `
		SELECT sum(bytes_in), sum(bytes), sum(work) FROM (
			SELECT bytes_in, bytes, ended - started AS work FROM attempts NOT INDEXED
			WHERE table_name = ? AND outcome = 'done' AND bytes_in > 0 AND ended > started ORDER BY id DESC LIMIT ?) HAVING count(*) > 0`,
		[]any{table, speedTasks}, func(rows *sql.Rows) error {
			var r Rate
			err := rows.Scan(&r.BytesIn, &r.BytesOut, &r.Work)
			rates[table] = r
			return err
		})
}

// Estimate returns the expected duration of a run that reads the given bytes for each table; ok is false if a
// table has no history.
func (s Speed) Estimate(bytes map[string]int64) (d time.Duration, ok bool) {
	ok = s.Wall > 0
	var work float64
	for table, n := range bytes {
		r := s.Tables[table]
		if n == 0 {
			continue
		}
		if r.BytesIn == 0 {
			ok = false
			continue
		}
		work += float64(n) * float64(r.Work) / float64(r.BytesIn)
	}
	return time.Duration(work * s.Wall), ok
}
