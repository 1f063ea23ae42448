package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto/scalar"
)

// prepareViews creates the views that do not exist yet.
func (db *DB) prepareViews(ctx context.Context, conn *duckdb.Conn, views []int) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for _, i := range views {
		if db.made[i] {
			continue
		}
		if err := db.makeView(ctx, conn, db.views[i]); err != nil {
			return err
		}
		db.made[i] = true
	}
	return nil
}

// named returns the views that a query names, or all readable views if it queries the catalog. Any token that equals a
// table's name counts: an unnecessary view costs only milliseconds.
func (db *DB) named(sql string) []int {
	seen, all := db.words(sql)
	for i, v := range db.views {
		if all && v.Err == nil {
			seen[i] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// spelled returns the views whose names occur in a query.
func (db *DB) spelled(sql string) []int {
	seen, _ := db.words(sql)
	return slices.Sorted(maps.Keys(seen))
}

// words returns the views whose names occur in a query, and whether it queries the catalog.
func (db *DB) words(sql string) (seen map[int]bool, catalog bool) {
	seen = map[int]bool{}
	path := "" // to the word
	for _, t := range lexer.Tokens(DuckDB, sql) {
		word := strings.ToLower(t.Name(sql))
		if t.Kind != lexer.Word && t.Kind != lexer.Quoted {
			if path += "."; word != "." {
				path = ""
			}
			continue
		}
		for _, name := range []string{word, path + word} {
			if i, ok := db.names[name]; ok {
				seen[i] = true
			}
		}
		path = word
		catalog = catalog || catalogWord(word)
	}
	return seen, catalog
}

// catalogWord reports whether a word refers to the list of tables.
func catalogWord(w string) bool {
	switch w {
	case "show", "information_schema", "pg_catalog", "sqlite_master", "show_tables", "show_tables_expanded":
		return true
	}
	return strings.HasPrefix(w, "duckdb_") || strings.HasPrefix(w, "pg_")
}

// makeView creates a view and its aliases.
func (db *DB) makeView(ctx context.Context, conn *duckdb.Conn, v View) error {
	if v.Err != nil {
		return &Error{Kind: "IO Error", Message: v.Err.Error(), Table: v.Name, cause: v.Err}
	}
	if base, ok := db.names[strings.ToLower(v.From)]; v.From != "" && ok && !db.made[base] {
		if err := db.makeView(ctx, conn, db.views[base]); err != nil {
			return err
		}
		db.made[base] = true
	}
	v, err := db.standIn(v)
	if err != nil {
		return err
	}
	if err := makes(ctx, conn, v.Create(db.hiding, db.tag(v))); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("run query: %w", context.Cause(ctx))
		}
		r, _ := reportOf(err)
		return &Error{Kind: r.Type + " Error", Message: r.Message, Table: v.Name, cause: err}
	}
	for _, a := range v.Aliases {
		name, in := quoteName(a), ""
		if schema, table, ok := strings.Cut(a, "."); ok {
			name, in = quoteName(schema)+"."+quoteName(table), "CREATE SCHEMA IF NOT EXISTS "+quoteName(schema)+"; "
		}
		if err := makes(ctx, conn, in+"CREATE OR REPLACE VIEW "+name+" AS FROM "+quoteName(v.Name)); err != nil {
			return fmt.Errorf("name table %s also %s: %w", v.Name, a, err)
		}
	}
	return nil
}

// tableOf returns the table whose file a message names.
func (db *DB) tableOf(message string) string {
	for _, v := range db.views {
		for _, f := range v.Files {
			if strings.Contains(message, f) {
				return v.Name
			}
		}
	}
	return ""
}

// tableHint returns a hint for the name of a table that does not exist.
func (db *DB) tableHint(name string) string {
	names, best, least := make([]string, 0, len(db.views)), "", int64(4)
	for _, v := range db.views {
		names = append(names, v.Name)
		for _, n := range append([]string{v.Name}, v.Aliases...) {
			if d := scalar.Levenshtein([]byte(strings.ToLower(name)), []byte(strings.ToLower(n))); d < least {
				best, least = n, d
			}
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	if len(names) == 0 {
		return "there are no tables"
	}
	return "the tables are " + strings.Join(names, ", ")
}
