package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver of PostgreSQL
	_ "modernc.org/sqlite"             // the driver of SQLite

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// sqlTables are the tables that the JDBC catalog of Iceberg and pyiceberg's SQL catalog share.
var sqlTables = []string{
	`CREATE TABLE IF NOT EXISTS iceberg_tables (
		catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL, table_name VARCHAR(255) NOT NULL,
		metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000), iceberg_type VARCHAR(5),
		PRIMARY KEY (catalog_name, table_namespace, table_name))`,
	`CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (
		catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
		property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000),
		PRIMARY KEY (catalog_name, namespace, property_key))`,
}

// pointer is a catalog that knows no more than where the metadata of a table is.
type pointer interface {
	// get gives the place, and what put needs to know that nothing has changed since.
	get(ctx context.Context, n *Name) (file string, state any, err error)
	// put replaces it; the error for another one there matches ErrConflict. An empty from means that there is none yet.
	put(ctx context.Context, n *Name, from string, state any, t *Table) error
	requests() int64
	close() error
}

// pointing is the rest of such a catalog: it writes the metadata itself.
type pointing struct{ pointer }

func (c pointing) Requests() int64 { return c.requests() }

func (c pointing) Close() error { return c.close() }

// Load implements Catalog.
func (c pointing) Load(ctx context.Context, n *Name) (*Table, error) {
	t, _, err := c.load(ctx, n)
	return t, err
}

func (c pointing) load(ctx context.Context, n *Name) (*Table, any, error) {
	file, state, err := c.get(ctx, n)
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: %w", n, err)
	}
	b, err := n.Files.Read(ctx, file)
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: read %s: %w", n, file, err)
	}
	m, err := format.Parse(b)
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: read %s: %w", n, file, err)
	}
	return &Table{m, file}, state, nil
}

// Create implements Catalog.
func (c pointing) Create(ctx context.Context, n *Name, t *New, now int64) (*Table, error) {
	m, err := format.New(t.UUID, t.Location, t.Schema, t.LastColumn, t.Day, t.Properties, now)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", n, err)
	}
	out, err := c.write(ctx, n, m, "", nil)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", n, err)
	}
	return out, nil
}

// Commit implements Catalog.
func (c pointing) Commit(ctx context.Context, n *Name, base *Table, updates []format.Update, now int64) (*Table, error) {
	file, state, err := c.get(ctx, n)
	if err == nil && file != base.File {
		err = ErrConflict
	}
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", n, err)
	}
	m, err := base.Apply(updates, base.File, now)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", n, err)
	}
	out, err := c.write(ctx, n, m, base.File, state)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", n, err)
	}
	logged := map[string]bool{}
	for _, e := range m.MetadataLog {
		logged[e.File] = true
	}
	for _, e := range base.MetadataLog { // what is left over is unread, and harmless
		if !logged[e.File] {
			_ = n.Files.Delete(ctx, e.File)
		}
	}
	return out, nil
}

// write writes metadata under a new name, and has the pointer point to it.
func (c pointing) write(ctx context.Context, n *Name, m *format.Metadata, from string, state any) (*Table, error) {
	b, err := m.Encode()
	if err != nil {
		return nil, err
	}
	t := &Table{m, strings.TrimSuffix(m.Location, "/") + fmt.Sprintf("/metadata/%05d-%s.metadata.json", number(from)+1, uuid.NewString())}
	if err := n.Files.Write(ctx, t.File, b); err != nil {
		return nil, err
	}
	err = c.put(ctx, n, from, state, t)
	if errors.Is(err, ErrConflict) {
		_ = n.Files.Delete(context.WithoutCancel(ctx), t.File)
	}
	return t, err
}

// number returns the one that the name of a file of metadata begins with, -1 for none.
func number(file string) int {
	first, _, _ := strings.Cut(file[strings.LastIndexByte(file, '/')+1:], "-")
	n, err := strconv.Atoi(first)
	if err != nil {
		return -1
	}
	return n
}

// sqlPointer is a SQL catalog.
type sqlPointer struct {
	db     *sql.DB
	name   string // of the catalog; a database may have several
	dollar bool   // parameters are $1, not ?
	sent   atomic.Int64
	made   atomic.Bool // the tables are there
}

// defaultCatalog is the name of a SQL catalog that has none.
const defaultCatalog = "pingmill"

func openSQL(c Config) (Catalog, error) {
	u, err := url.Parse(c.URI)
	if err != nil {
		return nil, err
	}
	p := &sqlPointer{name: c.Warehouse}
	if p.name == "" {
		p.name = defaultCatalog
	}
	if u.Scheme == "sqlite" {
		p.db, err = sql.Open("sqlite", "file:"+sqliteFile(u)+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)")
	} else {
		p.dollar = true
		p.db, err = sql.Open("pgx", c.URI)
	}
	if err != nil {
		return nil, fmt.Errorf("open SQL catalog: %w", err)
	}
	return pointing{p}, nil
}

// sqliteFile returns the path of a database, as in a URI. A URL with an absolute path has three slashes or, as
// SQLAlchemy wants it, four.
func sqliteFile(u *url.URL) string {
	return (&url.URL{Path: path.Clean(u.Path)}).EscapedPath()
}

func (p *sqlPointer) requests() int64 { return p.sent.Load() }

func (p *sqlPointer) close() error { return p.db.Close() }

// query writes parameters as the database wants them.
func (p *sqlPointer) query(text string) string {
	if !p.dollar {
		return text
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if r == '?' {
			n++
			fmt.Fprintf(&b, "$%d", n)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (p *sqlPointer) prepare(ctx context.Context) error {
	if p.made.Load() {
		return nil
	}
	for _, text := range sqlTables {
		if _, err := p.db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	p.made.Store(true)
	return nil
}

func (p *sqlPointer) get(ctx context.Context, n *Name) (file string, state any, err error) {
	p.sent.Add(1)
	if err := p.prepare(ctx); err != nil {
		return "", nil, err
	}
	var place sql.NullString
	err = p.db.QueryRowContext(ctx,
		p.query(`SELECT metadata_location FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`),
		p.name, n.Namespace, n.Table).Scan(&place)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, ErrNoTable
	}
	if err == nil && place.String == "" {
		err = errors.New("the catalog has no place of its metadata")
	}
	return place.String, nil, err
}

func (p *sqlPointer) put(ctx context.Context, n *Name, from string, _ any, t *Table) error {
	p.sent.Add(1)
	if from == "" {
		return p.insert(ctx, n, t.File)
	}
	r, err := p.db.ExecContext(ctx, p.query(`UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?`), t.File, from, p.name, n.Namespace, n.Table, from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUncertain, err)
	}
	if rows, err := r.RowsAffected(); err != nil || rows != 1 {
		return errors.Join(ErrConflict, err)
	}
	return nil
}

// insert adds a table, and its namespace if that is not there.
func (p *sqlPointer) insert(ctx context.Context, n *Name, file string) error {
	r, err := p.db.ExecContext(ctx, p.query(`INSERT INTO iceberg_namespace_properties (catalog_name, namespace, property_key, property_value)
		VALUES (?, ?, 'exists', 'true') ON CONFLICT DO NOTHING`), p.name, n.Namespace)
	if err == nil {
		r, err = p.db.ExecContext(ctx, p.query(`INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location)
			VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`), p.name, n.Namespace, n.Table, file)
	}
	if err != nil {
		return err
	}
	if rows, err := r.RowsAffected(); err != nil || rows != 1 {
		return errors.Join(ErrConflict, err)
	}
	// Catalogs of Iceberg's Java library with views have this column; others may lack it.
	_, _ = p.db.ExecContext(ctx, p.query(
		`UPDATE iceberg_tables SET iceberg_type = 'TABLE' WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`),
		p.name, n.Namespace, n.Table)
	return nil
}
