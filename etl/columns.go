package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"sync"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// columnsDir contains, in a bucket without folders, an object for each list of columns of published partitions, named
// by its fingerprint. Reading all manifests instead would take more requests as the lake grows.
const columnsDir = "_columns"

// allColumns is the name of an object that exists once the lists of all partitions are written. It is missing
// after files were copied to the bucket.
const allColumns = "complete"

const columnsFormat = 1

// columnList is the content of such an object.
type columnList struct {
	Format  int          `json:"format"`
	Columns []columnType `json:"columns"`
}

type columnType struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	NotNull bool   `json:"notNull,omitempty"`
}

// columnLists caches the column lists of a table. They only save requests: if one cannot be written, a
// warning is logged and the manifests are read instead.
type columnLists struct {
	lt  *lake.Table
	dir string
	log *slog.Logger

	mu     sync.Mutex
	known  map[string]bool // by fingerprint, and allColumns
	listed bool            // known is complete
	whole  bool            // the lists of all partitions exist, whether allColumns exists or not
}

func openColumns(ctx context.Context, lt *lake.Table, log *slog.Logger) *columnLists {
	l := &columnLists{lt: lt, dir: path.Join(columnsDir, lt.Schema.Prefix()), log: log, known: map[string]bool{}, listed: true}
	for e, err := range lt.Bucket().List(ctx, l.dir+"/") {
		if err != nil {
			l.warn("list columns", err)
			l.known, l.listed = map[string]bool{}, false
			break
		}
		l.known[path.Base(e.Name)] = true
	}
	l.whole = l.known[allColumns]
	return l
}

func (l *columnLists) warn(what string, err error) {
	l.log.Warn("which columns partitions have is asked of all manifests", "table", l.lt.Schema.Name, "error", fmt.Errorf("%s: %w", what, err))
}

func (l *columnLists) read(ctx context.Context, fingerprint string) ([]schema.Column, error) {
	data, err := store.ReadFile(ctx, l.lt.Bucket(), path.Join(l.dir, fingerprint))
	if err != nil {
		return nil, err
	}
	var list columnList
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	if list.Format != columnsFormat {
		return nil, fmt.Errorf("its format is %d, this program knows %d", list.Format, columnsFormat)
	}
	cols := make([]schema.Column, len(list.Columns))
	for i, c := range list.Columns {
		t, err := schema.ParseType(c.Type)
		if err != nil {
			return nil, err
		}
		cols[i] = schema.Column{Name: c.Name, Type: t, NotNull: c.NotNull}
	}
	return cols, nil
}

// add writes a list of columns.
func (l *columnLists) add(ctx context.Context, fingerprint string, cols []schema.Column) error {
	if l.known[fingerprint] {
		return nil
	}
	list := columnList{Format: columnsFormat}
	for _, c := range cols {
		list.Columns = append(list.Columns, columnType{c.Name, c.Type.String(), c.NotNull})
	}
	data, err := json.Marshal(list)
	if err == nil {
		err = store.WriteFile(ctx, l.lt.Bucket(), path.Join(l.dir, fingerprint), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep columns of %s: %w", l.lt.Schema.Name, err)
	}
	l.known[fingerprint] = true
	return nil
}

// keep writes the present columns before the first partition with them is published. After an error, readers
// that trust the lists would miss such a partition.
func (l *columnLists) keep(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.add(ctx, lake.Fingerprint(l.lt.Schema.Columns), l.lt.Schema.Columns); err != nil {
		l.warn("write a list", err)
		return l.distrust(ctx, err)
	}
	if l.whole {
		if err := l.add(ctx, allColumns, nil); err != nil {
			l.warn("write that the lists are complete", err)
		}
	}
	return nil
}

// distrust deletes the completeness marker after a list could not be written.
func (l *columnLists) distrust(ctx context.Context, because error) error {
	if l.listed && !l.known[allColumns] {
		return nil
	}
	if err := l.lt.Bucket().Delete(ctx, path.Join(l.dir, allColumns)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(because, fmt.Errorf("take back that the lists are complete: %w", err))
	}
	delete(l.known, allColumns)
	l.listed = true
	return nil
}

// check compares the column lists with the table, like checkPartitions. A conflict must be confirmed by the partitions,
// since the partitions with that list may be removed.
func (l *columnLists) check(ctx context.Context) error {
	for fingerprint := range l.known {
		if fingerprint == allColumns || fingerprint == lake.Fingerprint(l.lt.Schema.Columns) {
			continue
		}
		cols, err := l.read(ctx, fingerprint)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || len(schema.Retypings(schema.Diff(cols, l.lt.Schema.Columns))) > 0 {
			_, err := checkPartitions(ctx, l.lt, nil)
			return err
		}
	}
	return nil
}

// checkColumns is checkPartitions for a bucket without folders. keep means that partitions with the present
// columns will be published. For a table without partitions it writes nothing; the returned lists are written
// before the first publication.
func checkColumns(ctx context.Context, lt *lake.Table, keep bool, log *slog.Logger) (*columnLists, error) {
	l := openColumns(ctx, lt, log)
	if l.whole {
		if err := l.check(ctx); err != nil || !keep {
			return l, err
		}
	} else {
		found, complete := 0, true
		seen, err := checkPartitions(ctx, lt, func(fingerprint string, cols []schema.Column) {
			found++
			if !keep || cols == nil {
				return
			}
			if err := l.add(ctx, fingerprint, cols); err != nil {
				l.warn("write a list", err)
				complete = false
			}
		})
		if err != nil {
			return l, err
		}
		l.whole = seen && complete
		if !keep || found == 0 {
			return l, nil
		}
	}
	if err := l.keep(ctx); err != nil {
		l.warn("it is tried again when a partition is published", err)
	}
	return l, nil
}
