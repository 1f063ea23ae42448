package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Copy copies the rows of tables from one database to another of the same migrations, in one transaction of each. used is a
// condition in SQL that is true if the target has something that people made: then it is left as it is. Otherwise its rows are
// replaced. A table must follow those that it refers to.
func Copy(ctx context.Context, from, to *sql.DB, used string, names ...string) error {
	var o *sql.TxOptions // others do not write to a file meanwhile
	if IsPostgres(from) {
		o = &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead} // it reads a snapshot
	}
	source, err := from.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("copy from: %w", err)
	}
	err = Change(ctx, to, "copy", func(target *sql.Tx) error {
		var is bool
		if err := target.QueryRowContext(ctx, "SELECT "+used).Scan(&is); err != nil {
			return err
		}
		if is {
			return errors.New("the target is in use: want an empty database")
		}
		for _, name := range slices.Backward(names) {
			if _, err := target.ExecContext(ctx, "DELETE FROM "+name); err != nil {
				return err
			}
		}
		for _, name := range names {
			if err := copyTable(ctx, source, target, name, IsPostgres(from)); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
		}
		if IsPostgres(to) {
			return continueNumbers(ctx, target)
		}
		return nil
	})
	return errors.Join(err, source.Rollback())
}

func copyTable(ctx context.Context, source, target *sql.Tx, name string, postgres bool) error {
	has, err := columnsOf(ctx, source, name)
	if err != nil {
		return err
	}
	columns, err := columnsOf(ctx, target, name)
	if err != nil {
		return err
	}
	order := ""
	if !postgres || slices.Contains(has, "rowid") {
		order = " ORDER BY rowid"
	}
	// The target numbers rows by itself.
	columns = slices.DeleteFunc(columns, func(c string) bool { return c == "rowid" || !slices.Contains(has, c) })
	list := strings.Join(columns, ", ")
	rows, err := source.QueryContext(ctx, "SELECT "+list+" FROM "+name+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	insert, err := target.PrepareContext(ctx, "INSERT INTO "+name+" ("+list+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	values, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return rows.Err()
}

func columnsOf(ctx context.Context, tx *sql.Tx, name string) ([]string, error) {
	rows, err := tx.QueryContext(ctx, "SELECT * FROM "+name+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}

// continueNumbers has the numbers of new rows follow those that were copied.
func continueNumbers(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT table_name, column_name FROM information_schema.columns "+
		"WHERE table_schema = current_schema() AND is_identity = 'YES' AND column_name <> 'rowid'")
	if err != nil {
		return err
	}
	var all []string
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return errors.Join(err, rows.Close())
		}
		all = append(all, fmt.Sprintf("SELECT setval(pg_get_serial_sequence('%s', '%s'), max(%s)) FROM %s", table, column, column, table))
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, set := range all {
		if _, err := tx.ExecContext(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// CopyPlace is Copy for databases of a name in two places. They are brought to the present tables.
func CopyPlace(ctx context.Context, from, to Place, name string, migrations []string, used string, names ...string) (err error) {
	source, err := Open(ctx, from, name, migrations...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := Open(ctx, to, name, migrations...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := Copy(ctx, source, target, used, names...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
