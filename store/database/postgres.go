package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Limits of connections to PostgreSQL. The timeouts of the server free the lock of a process that vanished in a transaction.
const (
	maxConnections = 8 // of one of four databases
	maxIdle        = 2
	idleTime       = 5 * time.Minute
	connectTime    = 5 * time.Second
	lockTime       = "10s" // as busy_timeout of SQLite
)

// schemaOf returns the schema of a database. The prefix keeps it apart from what else is there.
func schemaOf(name string) string { return "pingmill_" + name }

// openPostgres returns a pool of connections. It does not connect yet.
func openPostgres(url, schema string) (*sql.DB, error) {
	c, err := pgx.ParseConfig(url) // its errors hide the password
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"search_path": schema, "application_name": "pingmill", "lock_timeout": lockTime, "idle_in_transaction_session_timeout": lockTime,
	} {
		c.RuntimeParams[name] = value
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTime
	}
	// A request must not wait for hours for a server that vanished.
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}
	c.DialFunc = dialer.DialContext
	db := sql.OpenDB(connector{stdlib.GetConnector(*c), schema})
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxIdle)
	db.SetConnMaxIdleTime(idleTime)
	return db, nil
}

// Look connects to PostgreSQL without changing anything, and returns the time of the server.
func Look(ctx context.Context, url string) (now time.Time, err error) {
	db, err := openPostgres(url, schemaOf("access"))
	if err != nil {
		return now, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, err
}

// IsPostgres reports whether a database is one of PostgreSQL.
func IsPostgres(db *sql.DB) bool {
	_, is := db.Driver().(connector)
	return is
}

// connector opens connections that take SQLite's statements.
type connector struct {
	driver.Connector
	schema string
}

func (c connector) Driver() driver.Driver { return c }

// Open makes a connector its own driver.
func (c connector) Open(string) (driver.Conn, error) { return c.Connect(context.Background()) }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	return &conn{inner.(*stdlib.Conn), int64(crc32.ChecksumIEEE([]byte(c.schema)))}, nil
}

// conn translates statements. Its transactions write one after the other, as those of SQLite do: their checks see all that
// was written before.
type conn struct {
	*stdlib.Conn
	lock int64 // of writing transactions of the schema
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, statement(query))
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, statement(query), args)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, statement(query), args)
}

func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, o)
	if err != nil || o.ReadOnly {
		return tx, err
	}
	if _, err := c.Conn.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", c.lock), nil); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// CheckNamedValue converts a value to one that both databases store. PostgreSQL has no texts with zero bytes or bytes that are no
// UTF-8, and its booleans are no numbers.
func (c *conn) CheckNamedValue(v *driver.NamedValue) (err error) {
	if v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value); err != nil {
		return err
	}
	switch x := v.Value.(type) {
	case bool:
		v.Value = int64(0)
		if x {
			v.Value = int64(1)
		}
	case string:
		v.Value = strings.ReplaceAll(strings.ToValidUTF8(x, "\uFFFD"), "\x00", "\uFFFD")
	}
	return nil
}

var (
	parameter = lazy.Regexp(`\?([0-9]*)`)
	lowered   = lazy.Regexp(`lower\((\?[0-9]*)\)`)
)

// statement translates a statement. A ? has the number after the largest one before it, as in SQLite.
func statement(query string) string {
	query = strings.ReplaceAll(query, "instr(", "strpos(")
	query = lowered().ReplaceAllString(query, `lower($1 COLLATE "C")`) // SQLite's lower changes only ASCII letters
	largest := 0
	return parameter().ReplaceAllStringFunc(query, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil {
			n = largest + 1
		}
		largest = max(largest, n)
		return "$" + strconv.Itoa(n)
	})
}

var (
	ownLine = lazy.Regexp(`(?m)^.*-- postgres: `)
	// types have the same values and order. Texts are compared by their bytes.
	types = strings.NewReplacer("INTEGER PRIMARY KEY AUTOINCREMENT", identity, "INTEGER PRIMARY KEY", identity, "INTEGER", "BIGINT",
		"BLOB", "BYTEA", "REAL", "DOUBLE PRECISION", "TEXT", `TEXT COLLATE "C"`, ") STRICT;", ");")
)

const identity = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"

// tables translates a migration.
func tables(migration string) string {
	return types.Replace(ownLine().ReplaceAllString(migration, ""))
}

// createSchema creates the schema of a database unless it exists.
func createSchema(ctx context.Context, db *sql.DB, tx *sql.Tx) error {
	schema := db.Driver().(connector).schema
	var is bool
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = ?)", schema).Scan(&is)
	if err != nil || is {
		return err
	}
	_, err = tx.ExecContext(ctx, "CREATE SCHEMA "+schema+"; CREATE TABLE migrations (version BIGINT PRIMARY KEY)")
	return err
}

// IsTaken reports whether a write failed because a value that must be unique exists already.
func IsTaken(err error) bool {
	var s *sqlite.Error
	var p *pgconn.PgError
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || errors.As(err, &p) && p.Code == "23505"
}
