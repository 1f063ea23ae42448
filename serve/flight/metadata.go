package flight

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql/schema_ref"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
)

// tableType is the type of all tables.
const tableType = "TABLE"

// rows returns a stream with one batch of records. A nil value is null.
func rows(s *arrow.Schema, records [][]any) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	for _, r := range records {
		for i, v := range r {
			appendValue(b.Field(i), v)
		}
	}
	chunks := make(chan flight.StreamChunk, 1)
	chunks <- flight.StreamChunk{Data: b.NewRecordBatch()}
	close(chunks)
	return s, chunks, nil
}

// appendValue appends a value to a column of metadata.
func appendValue(b array.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.(*array.StringBuilder).Append(v)
	case []byte:
		b.(*array.BinaryBuilder).Append(v)
	case int32:
		b.(*array.Int32Builder).Append(v)
	case bool:
		b.(*array.BooleanBuilder).Append(v)
	default:
		b.AppendNull()
	}
}

// described answers a metadata request. The command itself is the ticket.
func described(desc *flight.FlightDescriptor, s *arrow.Schema) (*flight.FlightInfo, error) {
	return info(desc, desc.Cmd, s), nil
}

// maxPattern is the maximum length of a pattern in bytes. A longer pattern matches no name.
const maxPattern = 1000

// like returns a matcher for a pattern with % and _ and the escape character backslash. A nil pattern matches
// everything.
func like(pattern *string) func(string) bool {
	switch {
	case pattern == nil:
		return func(string) bool { return true }
	case len(*pattern) > maxPattern:
		return func(string) bool { return false }
	}
	var b strings.Builder
	b.WriteString("(?is)^")
	for rest := *pattern; rest != ""; {
		c := rest[:1]
		switch rest = rest[1:]; {
		case c == "%":
			b.WriteString(".*")
		case c == "_":
			b.WriteString(".")
		case c == `\` && rest != "":
			c, rest = rest[:1], rest[1:]
			fallthrough
		default:
			b.WriteString(regexp.QuoteMeta(c))
		}
	}
	re := regexp.MustCompile(b.String() + "$")
	return re.MatchString
}

// within reports whether a catalog filter matches the server's catalog.
func within(catalog *string) bool { return catalog == nil || *catalog == "" || *catalog == bi.Catalog }

// GetFlightInfoCatalogs describes the list of catalogs.
func (s *service) GetFlightInfoCatalogs(_ context.Context, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.Catalogs)
}

// DoGetCatalogs lists the only catalog.
func (s *service) DoGetCatalogs(context.Context) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.Catalogs, [][]any{{bi.Catalog}})
}

// GetFlightInfoSchemas describes the list of schemas.
func (s *service) GetFlightInfoSchemas(_ context.Context, _ flightsql.GetDBSchemas, desc *flight.FlightDescriptor) (*flight.FlightInfo,
	error) {
	return described(desc, schema_ref.DBSchemas)
}

// DoGetDBSchemas lists the only schema.
func (s *service) DoGetDBSchemas(_ context.Context, q flightsql.GetDBSchemas) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	var all [][]any
	if within(q.GetCatalog()) && like(q.GetDBSchemaFilterPattern())(bi.Schema) {
		all = [][]any{{bi.Catalog, bi.Schema}}
	}
	return rows(schema_ref.DBSchemas, all)
}

// GetFlightInfoTables describes the list of tables.
func (s *service) GetFlightInfoTables(_ context.Context, q flightsql.GetTables, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	if q.GetIncludeSchema() {
		return described(desc, schema_ref.TablesWithIncludedSchema)
	}
	return described(desc, schema_ref.Tables)
}

// DoGetTables lists the granted tables, with their columns on request.
func (s *service) DoGetTables(ctx context.Context, q flightsql.GetTables) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	shape := schema_ref.Tables
	if q.GetIncludeSchema() {
		shape = schema_ref.TablesWithIncludedSchema
	}
	if !within(q.GetCatalog()) || !like(q.GetDBSchemaFilterPattern())(bi.Schema) || len(q.GetTableTypes()) > 0 &&
		!slices.Contains(q.GetTableTypes(), tableType) {
		return rows(shape, nil)
	}
	var all [][]any
	named := like(q.GetTableNameFilterPattern())
	for _, v := range bi.Granted(access.From(ctx), s.Tables) {
		if !named(v.Name) {
			continue
		}
		row := []any{bi.Catalog, bi.Schema, v.Name, tableType}
		if q.GetIncludeSchema() {
			columns, err := tableSchema(v)
			if err != nil {
				return nil, nil, err
			}
			row = append(row, flight.SerializeSchema(columns, memory.DefaultAllocator))
		}
		all = append(all, row)
	}
	return rows(shape, all)
}

// tableSchema returns the schema of a table, with the descriptions of its columns.
func tableSchema(t bi.Table) (*arrow.Schema, error) {
	plain, err := bi.SchemaOf(t.Columns)
	if err != nil {
		return nil, err
	}
	fields := plain.Fields()
	for n, c := range t.Columns {
		b := flightsql.NewColumnMetadataBuilder().CatalogName(bi.Catalog).SchemaName(bi.Schema).TableName(t.Name).TypeName(c.Type).IsReadOnly(
			true)
		if doc := t.Table.Columns[t.Index(c.Name)].Doc; doc != "" {
			b.Remarks(doc)
		}
		fields[n].Metadata = b.Metadata()
	}
	return arrow.NewSchema(fields, nil), nil
}

// GetFlightInfoTableTypes describes the list of kinds of tables.
func (s *service) GetFlightInfoTableTypes(_ context.Context, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.TableTypes)
}

// DoGetTableTypes lists the only table type.
func (s *service) DoGetTableTypes(context.Context) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.TableTypes, [][]any{{tableType}})
}
