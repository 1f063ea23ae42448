package flight

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql/schema_ref"
)

// registerInfo registers the server's capabilities.
func (s *service) registerInfo() error {
	for id, v := range map[flightsql.SqlInfo]any{
		flightsql.SqlInfoFlightSqlServerName:               "pingmill",
		flightsql.SqlInfoFlightSqlServerVersion:            s.Version,
		flightsql.SqlInfoFlightSqlServerArrowVersion:       arrow.PkgVersion,
		flightsql.SqlInfoFlightSqlServerReadOnly:           true,
		flightsql.SqlInfoFlightSqlServerSql:                true,
		flightsql.SqlInfoFlightSqlServerSubstrait:          false,
		flightsql.SqlInfoFlightSqlServerTransaction:        int32(flightsql.SqlTransactionNone),
		flightsql.SqlInfoFlightSqlServerCancel:             true,
		flightsql.SqlInfoFlightSqlServerBulkIngestion:      false,
		flightsql.SqlInfoFlightSqlServerStatementTimeout:   int32(0),
		flightsql.SqlInfoFlightSqlServerTransactionTimeout: int32(0),
		flightsql.SqlInfoDDLCatalog:                        false,
		flightsql.SqlInfoDDLSchema:                         false,
		flightsql.SqlInfoDDLTable:                          false,
		flightsql.SqlInfoIdentifierCase:                    int64(flightsql.SqlCaseSensitivityCaseInsensitive),
		flightsql.SqlInfoIdentifierQuoteChar:               `"`,
		flightsql.SqlInfoQuotedIdentifierCase:              int64(flightsql.SqlCaseSensitivityCaseInsensitive),
		flightsql.SqlInfoAllTablesAreASelectable:           true,
		flightsql.SqlInfoNullOrdering:                      int64(flightsql.SqlNullOrderingSortAtEnd),
		flightsql.SqlInfoKeywords:                          []string{},
		flightsql.SqlInfoSearchStringEscape:                `\`,
		flightsql.SqlInfoSupportsColumnAliasing:            true,
		flightsql.SqlInfoSchemaTerm:                        "schema",
		flightsql.SqlInfoCatalogTerm:                       "catalog",
		flightsql.SqlInfoCatalogAtStart:                    true,
		flightsql.SqlInfoTransactionsSupported:             false,
		flightsql.SqlInfoSelectForUpdateSupported:          false,
		flightsql.SqlInfoStoredProceduresSupported:         false,
		flightsql.SqlInfoNamedParametersSupported:          false,
		flightsql.SqlInfoBatchUpdatesSupported:             false,
		flightsql.SqlInfoSavePointsSupported:               false,
	} {
		if err := s.RegisterSqlInfo(id, v); err != nil {
			return err
		}
	}
	return nil
}

// xdbcType describes a type to tools.
type xdbcType struct {
	name           string
	code           int32 // the type code of XDBC
	size           any   // digits or characters; nil: no practical limit
	prefix, suffix any   // of literals
	params         any
	radix          any
	scale          any // the maximum
}

// xdbcTypes lists the scalar types of result columns.
var xdbcTypes = []xdbcType{
	{name: "VARCHAR", code: 12, prefix: "'", suffix: "'"},
	{name: "BOOLEAN", code: -7, size: int32(1)},
	{name: "TINYINT", code: -6, size: int32(3), radix: int32(10)},
	{name: "SMALLINT", code: 5, size: int32(5), radix: int32(10)},
	{name: "INTEGER", code: 4, size: int32(10), radix: int32(10)},
	{name: "BIGINT", code: -5, size: int32(19), radix: int32(10)},
	{name: "FLOAT", code: 7, size: int32(24), radix: int32(2)},
	{name: "DOUBLE", code: 8, size: int32(53), radix: int32(2)},
	{name: "DECIMAL", code: 3, size: int32(38), radix: int32(10), scale: int32(38)},
	{name: "DATE", code: 91, size: int32(10), prefix: "DATE '", suffix: "'"},
	{name: "TIME", code: 92, size: int32(15), prefix: "TIME '", suffix: "'"},
	{name: "TIMESTAMP", code: 93, size: int32(26), prefix: "TIMESTAMP '", suffix: "'"},
	{name: "VARBINARY", code: -3, prefix: "X'", suffix: "'"},
}

// record returns the type as a row of CommandGetXdbcTypeInfo.
func (t xdbcType) record() []any {
	return []any{
		t.name, t.code, t.size, t.prefix, t.suffix, t.params, int32(1), true, int32(3), radixed(t.radix), false, false, t.name,
		zero(t.scale), t.scale, t.code, nil, t.radix, nil,
	}
}

// radixed returns the value for "is unsigned": false for numbers, null for other types.
func radixed(radix any) any {
	if radix == nil {
		return nil
	}
	return false
}

func zero(scale any) any {
	if scale == nil {
		return nil
	}
	return int32(0)
}

// GetFlightInfoXdbcTypeInfo describes the list of types.
func (s *service) GetFlightInfoXdbcTypeInfo(_ context.Context, _ flightsql.GetXdbcTypeInfo,
	desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.XdbcTypeInfo)
}

// DoGetXdbcTypeInfo lists all types, or the types with a code.
func (s *service) DoGetXdbcTypeInfo(_ context.Context, q flightsql.GetXdbcTypeInfo) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	var all [][]any
	for _, t := range xdbcTypes {
		if code := q.GetDataType(); code == nil || *code == t.code {
			all = append(all, t.record())
		}
	}
	return rows(schema_ref.XdbcTypeInfo, all)
}
