package pgwire

import (
	"bytes"
	"context"
	_ "embed" // the system tables
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
)

//go:embed system.sql
var systemSchema string

// Object ids in the system tables.
const (
	classClass = 1259 // the oid of pg_class
	firstTable = 16384
)

// systemText is the maximum length of a catalog query in bytes.
const systemText = 64 << 10

// system runs a catalog query.
func (c *session) system(ctx context.Context, cmd command) (*answer, error) {
	if !cmd.at(0).is("select", "with", "values", "table", "(") {
		return nil, unsupported(strings.ToUpper(cmd.at(0).text) + " is not supported about the catalog")
	}
	if len(cmd.text) > systemText {
		return nil, &failure{code: "54000", message: fmt.Sprintf("a question about the catalog has more than %d bytes", systemText)}
	}
	setup, err := c.catalog()
	if err != nil {
		return nil, err
	}
	out := &bounded{most: queryservice.CatalogBytes}
	q := queryservice.CatalogQuery{SQL: toDuckDB(cmd.text), Setup: setup, Grants: systemGrants()}
	if err := c.server.Executor.Service.Catalog(ctx, c.person, q, out); errors.Is(err, queryservice.ErrCatalogResult) {
		return nil, errTooLarge
	} else if err != nil {
		return nil, err // its position would belong to the translation
	}
	grants := c.person.Grants
	return c.arrowAnswer(&stream{Reader: &out.Buffer, memory: int64(out.Len()), readable: func(context.Context, *access.Person) error {
		if !reflect.DeepEqual(grants, c.person.Grants) {
			return queryservice.ErrNotFound
		}
		return nil
	}})
}

// errTooLarge means that the result of a catalog query is too large for memory.
var errTooLarge = &failure{code: "54000", message: queryservice.ErrCatalogResult.Error()}

// bounded is a buffer with a maximum size in bytes.
type bounded struct {
	bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, errTooLarge
	}
	return b.Buffer.Write(p)
}

// sessionSchema creates the objects that depend on the session. Its argument is the person's name as a literal.
const sessionSchema = "INSERT INTO pgc.pg_roles (oid, rolname) VALUES (10, %[1]s);\nCREATE MACRO pgc.session_name() AS %[1]s;\n"

// catalog returns SQL that creates the system tables for the person's granted tables.
func (c *session) catalog() (string, error) {
	var b strings.Builder
	b.WriteString(systemSchema)
	fmt.Fprintf(&b, sessionSchema, quote(c.person.Name))
	var settings []string
	for name, v := range c.settings {
		settings = append(settings, fmt.Sprintf("(%s, %s)", quote(strings.ToLower(name)), quote(v.value)))
	}
	fmt.Fprintf(&b, "INSERT INTO pgc.pg_settings (name, setting) VALUES %s;\n", strings.Join(settings, ", "))
	for n, t := range bi.Granted(c.person, c.server.Tables) {
		oid := firstTable + n
		fmt.Fprintf(&b, "INSERT INTO pgc.pg_description VALUES (%d, %d, 0, %s);\n", oid, classClass, quote(t.Doc))
		values, docs := []string{}, []string{}
		for at, v := range t.Columns {
			f, err := columnField(v)
			if err != nil {
				return "", err
			}
			values = append(values, fmt.Sprintf("(%d, %s, %d, %d, %d, %d)", oid, quote(v.Name), f.oid, f.size, at+1, f.modifier))
			if doc := t.Table.Columns[t.Index(v.Name)].Doc; doc != "" {
				docs = append(docs, fmt.Sprintf("(%d, %d, %d, %s)", oid, classClass, at+1, quote(doc)))
			}
		}
		fmt.Fprintf(&b, "INSERT INTO pgc.pg_class (oid, relname, relnatts) VALUES (%d, %s, %d);\n", oid, quote(t.Name), len(t.Columns))
		fmt.Fprintf(&b, "INSERT INTO pgc.pg_attribute (attrelid, attname, atttypid, attlen, attnum, atttypmod) VALUES %s;\n",
			strings.Join(values, ", "))
		if len(docs) > 0 {
			fmt.Fprintf(&b, "INSERT INTO pgc.pg_description VALUES %s;\n", strings.Join(docs, ", "))
		}
	}
	return b.String(), nil
}

// columnField returns the type of a table's column in results.
func columnField(v query.Column) (field, error) {
	s, err := bi.SchemaOf([]query.Column{v})
	if err != nil {
		return field{}, err
	}
	return fieldsOf(s)[0], nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
