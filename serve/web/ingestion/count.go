package ingestion

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

const (
	keepMinutes = 3 * 24 * time.Hour   // for counts by minute
	keepHours   = 400 * 24 * time.Hour // for counts by hour, after the archive has deleted the load
	keepLag     = 40 * 24 * time.Hour
	minute      = 60
	hour        = 3600
	// maxKinds is the maximum number of kinds counted separately in one file, because clients choose the names.
	maxKinds  = 100
	otherKind = "other"
	maxFailed = 10 // loads that cannot be counted, such as those whose record is damaged, before a pass ends
)

// left is the number of loads that are not counted yet.
type left struct{ loads atomic.Int64 }

// Count counts new loads, newest first, and deletes expired counts. A load that it cannot count keeps no other one from
// being counted.
func (i *Ingestion) Count(ctx context.Context) error {
	names, err := archive.Loads(store.Polling(ctx), i.Archive, "")
	if err != nil {
		return err
	}
	counted, err := i.counted(ctx)
	if err != nil {
		return err
	}
	if err := i.forget(ctx, names, counted); err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return counted[n] })
	i.left.loads.Store(int64(len(names)))
	var failed []error
	for _, name := range slices.Backward(names) {
		if err := i.countLoad(ctx, name); err != nil {
			failed = append(failed, fmt.Errorf("count load %s: %w", name, err))
			if ctx.Err() != nil || len(failed) == maxFailed {
				break
			}
			continue
		}
		i.left.loads.Add(-1)
	}
	if len(failed) == 0 {
		failed = append(failed, i.look(ctx))
	}
	return errors.Join(append(failed, i.expire(ctx))...)
}

func (i *Ingestion) counted(ctx context.Context) (map[string]bool, error) {
	rows, err := i.db.QueryContext(ctx, `SELECT name FROM loads`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		all[name] = true
	}
	return all, rows.Err()
}

// forget deletes the counts of loads that are not in the archive any more, if they arrived more than keepHours ago.
func (i *Ingestion) forget(ctx context.Context, names []string, counted map[string]bool) error {
	there := map[string]bool{}
	for _, n := range names {
		there[n] = true
	}
	before := i.Now().Add(-keepHours).Unix()
	for name := range counted {
		if there[name] {
			continue
		}
		if _, err := i.db.ExecContext(ctx, `DELETE FROM files WHERE load = ? AND last < ?`, name, before); err != nil {
			return err
		}
		if _, err := i.db.ExecContext(ctx, `DELETE FROM loads WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE load = ?1)`,
			name); err != nil {
			return err
		}
	}
	return nil
}

func (i *Ingestion) expire(ctx context.Context) error {
	now := i.Now()
	for _, d := range []struct {
		statement string
		keep      time.Duration
	}{
		{`DELETE FROM counts WHERE width = 60 AND start < ?`, keepMinutes},
		{`DELETE FROM tagged WHERE at < ?`, keepTagged},
		{`DELETE FROM lag WHERE at < ?`, keepLag},
		{`DELETE FROM backlog WHERE at < ?`, keepLag},
	} {
		if _, err := i.db.ExecContext(ctx, d.statement, now.Add(-d.keep).Unix()); err != nil {
			return err
		}
	}
	return nil
}

// countLoad counts the files of a load in one transaction. It skips a load whose record is missing, and retries it
// next time.
func (i *Ingestion) countLoad(ctx context.Context, name string) error {
	load, ok, err := archive.Loaded(ctx, i.Archive, name)
	if err != nil || !ok {
		return err
	}
	tx, err := i.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	for _, f := range load.Files {
		if err := i.countFile(ctx, tx, name, f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	replaced := slices.Clone(load.Replaces)
	for _, f := range load.Undid {
		replaced = append(replaced, f.Name)
	}
	for _, f := range replaced {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO gone VALUES (?)`, f); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM files WHERE name = ?`, f); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO loads VALUES (?)`, name); err != nil {
		return err
	}
	return tx.Commit()
}

// kindOf is the key by which submissions are counted.
type kindOf struct{ class, namespace, docType string }

// bucket is an interval of time; width and start are in seconds.
type bucket struct{ width, start int64 }

// counting counts the rows of one file.
type counting struct {
	kinds  map[kindOf]bool
	counts map[bucket]map[kindOf]int64
	last   int64 // arrival in seconds
	tagged []taggedPing
}

func (i *Ingestion) countFile(ctx context.Context, tx *sql.Tx, load string, f archive.LoadFile) error {
	var replaced bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM gone WHERE name = ?)`, f.Name).Scan(&replaced); err != nil || replaced {
		return err
	}
	c, err := i.readFile(ctx, f)
	if err != nil {
		return err
	}
	encoded := ""
	if !f.IsPings() {
		b, err := json.Marshal(f)
		if err != nil {
			return err
		}
		encoded = string(b)
	}
	r, err := tx.ExecContext(ctx, `INSERT INTO files (name, load, last, error) VALUES (?, ?, ?, ?)`, f.Name, load, c.last, encoded)
	if err != nil {
		return err
	}
	id, err := r.LastInsertId()
	if err != nil {
		return err
	}
	if err := insertTagged(ctx, tx, id, c.tagged); err != nil {
		return err
	}
	for b, kinds := range c.counts {
		for k, n := range kinds {
			if _, err := tx.ExecContext(ctx, `INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?)`, b.width, b.start, id, k.class, k.namespace,
				k.docType, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFile counts the rows of a file. If it cannot be read, the count of its record is added at the beginning of the
// day.
func (i *Ingestion) readFile(ctx context.Context, f archive.LoadFile) (*counting, error) {
	c := &counting{kinds: map[kindOf]bool{}, counts: map[bucket]map[kindOf]int64{}}
	since := i.Now().Add(-keepMinutes).Unix()
	for r, err := range archive.LoadRows(ctx, i.Archive, f, false) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				i.Log.Warn("counting what arrived: a file cannot be read, so only the number of its rows is known", "file", f.Name, "error", err)
			}
			return i.unread(f), nil
		}
		ns, ok := r.Arrival()
		if !ok {
			ns = dayStart(f.Day)
		}
		at := ns / int64(time.Second)
		c.tag(r, at)
		c.add(at, since, kindOf{r.Class, r.Meta.Namespace(), string(r.Meta.Text(ping.DocTypeField))}, 1)
	}
	return c, nil
}

func (i *Ingestion) unread(f archive.LoadFile) *counting {
	c := &counting{kinds: map[kindOf]bool{}, counts: map[bucket]map[kindOf]int64{}}
	k := kindOf{docType: f.DocType}
	if !f.IsPings() {
		k.class = "unknown"
	}
	c.add(dayStart(f.Day)/int64(time.Second), 0, k, f.Rows)
	return c
}

// dayStart returns the beginning of a day in nanoseconds, 0 if the day is unknown.
func dayStart(day string) int64 {
	t, err := time.Parse("20060102", day)
	if err != nil {
		return 0
	}
	return t.UnixNano()
}

// add counts n submissions that arrived at a time. It counts by minute only if that is after since.
func (c *counting) add(at, since int64, k kindOf, n int64) {
	if !c.kinds[k] && len(c.kinds) >= maxKinds {
		k.namespace, k.docType = otherKind, otherKind
	}
	c.kinds[k] = true
	c.last = max(c.last, at)
	for _, width := range []int64{minute, hour} {
		if width == minute && at < since {
			continue
		}
		b := bucket{width, at - at%width}
		if c.counts[b] == nil {
			c.counts[b] = map[kindOf]int64{}
		}
		c.counts[b][k] += n
	}
}
