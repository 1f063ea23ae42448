// Package catalog is a client of the catalogs that store the current metadata of Iceberg tables: a REST
// catalog, AWS Glue, or tables of a SQL database.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// The kinds of catalogs.
const (
	None = "none"
	SQL  = "sql"
	REST = "rest"
	Glue = "glue"
)

// Kinds returns all kinds.
func Kinds() []string { return []string{None, SQL, REST, Glue} }

var (
	// ErrNoTable means that the catalog does not have the table.
	ErrNoTable = errors.New("the catalog does not have the table")
	// ErrConflict means that somebody else has changed the table: it is to be loaded again.
	ErrConflict = errors.New("the table has changed meanwhile")
	// ErrUncertain means that it is not known whether a change was made: it is to be loaded again.
	ErrUncertain = errors.New("it is not known whether the catalog has made the change")
)

// Name names a table.
type Name struct {
	Namespace string // levels are divided by dots
	Table     string
	Files     Files // of the table's metadata
}

func (n *Name) String() string { return n.Namespace + "." + n.Table }

// levels returns the levels of the namespace.
func (n *Name) levels() []string { return strings.Split(n.Namespace, ".") }

// Files reads and writes metadata by location, a URL, for catalogs that only hold a pointer to it.
type Files interface {
	Read(ctx context.Context, location string) ([]byte, error)
	Write(ctx context.Context, location string, b []byte) error
	Delete(ctx context.Context, location string) error
}

// Table is a table as it is at a moment.
type Table struct {
	*format.Metadata

	File string // location of the metadata
}

// New describes a table to create.
type New struct {
	UUID       string
	Location   string
	Schema     *format.Schema
	LastColumn int    // highest id of a column
	Day        string // the column that it is partitioned by; empty: none
	Properties map[string]string
}

// Catalog holds the current metadata of tables.
type Catalog interface {
	// Load gives the current state. The error for a missing table matches ErrNoTable.
	Load(ctx context.Context, n *Name) (*Table, error)
	// Create makes a table without rows, and its namespace. The ids of its columns may be others than those of c.
	Create(ctx context.Context, n *Name, c *New, now int64) (*Table, error)
	// Commit makes all the changes or none, if the table is still base; else the error matches ErrConflict.
	// now is in milliseconds.
	Commit(ctx context.Context, n *Name, base *Table, updates []format.Update, now int64) (*Table, error)
	// Requests counts the requests to the catalog.
	Requests() int64
	Close() error
}

// Config defines which catalog there is.
type Config struct {
	Kind       string // one of Kinds
	URI        string
	Warehouse  string // of a REST catalog; the name of a SQL catalog
	Token      string // of a REST catalog
	Credential string // of a REST catalog, ID:SECRET for OAuth 2
	Program    string // version of this program, as it is named to servers
}

// sqlSchemes lists the URL schemes of databases that can be a catalog.
var sqlSchemes = []string{"sqlite", "postgres", "postgresql"}

// Check validates the configuration.
func (c *Config) Check() error {
	u, err := url.Parse(c.URI)
	switch {
	case c.Kind == None || c.Kind == "":
		return nil
	case !slices.Contains(Kinds(), c.Kind):
		return fmt.Errorf("there is no catalog %q: want one of %s", c.Kind, strings.Join(Kinds(), ", "))
	case err != nil:
		return errors.New("the URI of the catalog is none") // the error has all of it
	case u.User != nil && (c.Kind != SQL || hasPassword(u)):
		return errors.New("the URI of the catalog has a password or a user: give them by the environment")
	case c.Kind == SQL && !slices.Contains(sqlSchemes, u.Scheme):
		return fmt.Errorf("the URI of a SQL catalog begins with sqlite:/// or postgres://, not with %q", u.Scheme)
	case c.Kind == SQL && u.Scheme == "sqlite" && (u.Host != "" || strings.Trim(u.Path, "/") == ""):
		return errors.New("the URI of a SQLite catalog is sqlite:// and an absolute path, as sqlite:///var/lib/pingmill/catalog.db")
	case c.Kind == REST && u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the URI of a REST catalog begins with https:// or http://, not with %q", u.Scheme)
	}
	return nil
}

func hasPassword(u *url.URL) bool { _, has := u.User.Password(); return has }

// Open opens a catalog. Nothing is asked of it yet.
func Open(ctx context.Context, c Config) (Catalog, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch c.Kind {
	case SQL:
		return openSQL(c)
	case REST:
		return openREST(ctx, c)
	case Glue:
		return openGlue(ctx, c)
	}
	return nil, fmt.Errorf("there is no catalog %q", c.Kind)
}
