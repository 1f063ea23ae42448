package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/sql/presto"
)

// Options limit the resources of queries. The zero value is DuckDB's choice: all
// cores, 80 % of the memory, and a directory of its own for data that does not fit.
type Options struct {
	Threads     int
	MemoryLimit string // such as 4GB
	TempDir     string // for results and sorts that do not fit in memory; created if missing
	// Hidden, if not nil, reports whether views with a client column omit the rows of a client id. It must be safe for
	// concurrent use.
	Hidden func(id string) bool
	// Verify, if not nil, checks the files of views before they are read, because DuckDB does not verify the checksums of
	// pages. Its error is returned by the query. The scans may include more than the query reads.
	Verify func(ctx context.Context, scans []Scan) error
	// DoubleLiterals makes numbers with a point doubles in Presto's SQL, where they are decimals.
	DoubleLiterals bool
}

// DB runs queries over the views it was granted. It is safe for concurrent use.
type DB struct {
	connector *duckdb.Connector
	views     []View
	names     map[string]int // lower case name or alias: index in views
	tempDir   string
	ownTemp   bool

	mu         sync.Mutex
	made       map[int]bool    // views that exist in DuckDB
	registered map[string]bool // functions in Go that exist in DuckDB, by name
	ready      *duckdb.Conn    // reserved for the first query, if not nil
	catalog    *presto.Catalog // the views for Presto's SQL, created on first use

	doubles bool // numbers with a point are doubles in Presto's SQL
	hiding  bool // some clients are hidden
	verify  func(context.Context, []Scan) error
	lost    map[string]string // empty files that replace missing files: their original paths
	lostDir string            // folder of the empty files and tags
}

// settings has what DuckDB is started with, where a setting costs nothing: errors with places, no downloads of extensions, no cache of
// what was read of files, which would hold 4 KiB for each column of each file. No setting changes how the parser reads a text, because
// the gate's trees do not depend on settings; these need trees with everything that the parser knows.
var settings = map[string]string{
	"errors_as_json": "true", "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
	"enable_external_file_cache": "false", "storage_compatibility_version": "latest",
	"allow_community_extensions": "false", "allow_persistent_secrets": "false",
}

// session is the setting that no start takes.
const session = `SET GLOBAL TimeZone = 'UTC'`

// Open starts DuckDB with views. It reads no file: a view is created when a query first names it.
func Open(ctx context.Context, views []View, opts Options) (*DB, error) {
	db, err := Start(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := db.Grant(ctx, views, opts); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// Start starts DuckDB without views. It takes most of the time that Open takes.
func Start(ctx context.Context, opts Options) (*DB, error) {
	db := &DB{names: map[string]int{}, tempDir: opts.TempDir, made: map[int]bool{}, registered: map[string]bool{},
		lost: map[string]string{}}
	if err := db.open(ctx, opts); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("open query database: %w", err)
	}
	return db, nil
}

// Grant sets the views for queries. It must be called once, before the first query. It uses only Hidden, Verify and
// DoubleLiterals of opts.
func (db *DB) Grant(ctx context.Context, views []View, opts Options) error {
	db.views, db.hiding, db.verify, db.doubles = views, opts.Hidden != nil, opts.Verify, opts.DoubleLiterals
	for i, v := range views {
		for _, name := range append([]string{v.Name}, v.Aliases...) {
			key := strings.ToLower(name)
			if other, taken := db.names[key]; taken {
				return fmt.Errorf("open query database: %s is the name of two tables, %s and %s", name, views[other].Name, v.Name)
			}
			db.names[key] = i
		}
	}
	if db.hiding {
		if err := db.hide(ctx, opts.Hidden); err != nil {
			return fmt.Errorf("open query database: %w", err)
		}
	}
	return nil
}

func (db *DB) open(ctx context.Context, opts Options) (err error) {
	if db.tempDir == "" {
		if db.tempDir, err = os.MkdirTemp("", "pingmill-query-"); err != nil {
			return err
		}
		db.ownTemp = true
	} else if err = os.MkdirAll(db.tempDir, 0o700); err != nil {
		return err
	}
	set := url.Values{"temp_directory": {db.tempDir}}
	for name, value := range settings {
		set.Set(name, value)
	}
	if opts.Threads > 0 {
		set.Set("threads", strconv.Itoa(opts.Threads))
	}
	if opts.MemoryLimit != "" {
		set.Set("memory_limit", opts.MemoryLimit)
	}
	if db.connector, err = duckdb.NewConnector("?"+set.Encode(), nil); err != nil {
		return err
	}
	conn, err := db.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := handle(conn); err != nil {
		return err
	}
	return run(ctx, conn, session)
}

// connect opens a connection with its own settings and temporary tables.
func (db *DB) connect(ctx context.Context) (*duckdb.Conn, error) {
	c, err := db.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return c.(*duckdb.Conn), nil
}

func run(ctx context.Context, conn driver.ExecerContext, sql string) error {
	_, err := conn.ExecContext(ctx, sql, nil)
	return err
}

// Close closes DuckDB and removes the temporary directory that Open created. All Rows must be closed before.
func (db *DB) Close() error {
	var err error
	if db.connector != nil {
		err = db.connector.Close()
	}
	if db.lostDir != "" {
		err = errors.Join(err, os.RemoveAll(db.lostDir))
	}
	if db.ownTemp {
		if e := os.RemoveAll(db.tempDir); err == nil {
			err = e
		}
	}
	return err
}
