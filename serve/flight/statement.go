package flight

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/query"
)

// handle is the content of a ticket or of a prepared statement's handle.
type handle struct {
	ID string `json:"id"` // for cancelling the query
	bi.Request
}

// dialectHeader is the header that chooses the dialect of a call: presto or duckdb.
const dialectHeader = "dialect"

// question returns the request for a statement in the dialect of the call.
func question(ctx context.Context, sql string) (q bi.Request, err error) {
	q.SQL = sql
	for _, name := range metadata.ValueFromIncomingContext(ctx, dialectHeader) {
		if q.Dialect, err = query.ParseDialect(name); err != nil {
			return q, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	return q, nil
}

func newHandle(ctx context.Context, sql string) ([]byte, error) {
	q, err := question(ctx, sql)
	if err != nil {
		return nil, err
	}
	return json.Marshal(handle{rand.Text(), q})
}

// readHandle parses the output of newHandle. A client may have changed it, so the query is checked like any other.
func readHandle(text []byte) (h handle, err error) {
	if err := json.Unmarshal(text, &h); err != nil || h.ID == "" {
		return h, status.Error(codes.InvalidArgument, "the ticket is none of this server")
	}
	if h.Dialect != "" {
		if _, err := query.ParseDialect(string(h.Dialect)); err != nil {
			return h, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	return h, nil
}

// info describes the result of a ticket.
func info(desc *flight.FlightDescriptor, ticket []byte, schema *arrow.Schema) *flight.FlightInfo {
	i := &flight.FlightInfo{
		Endpoint: []*flight.FlightEndpoint{{Ticket: &flight.Ticket{Ticket: ticket}}}, FlightDescriptor: desc, TotalRecords: -1, TotalBytes: -1,
	}
	if schema != nil {
		i.Schema = flight.SerializeSchema(schema, memory.DefaultAllocator)
	}
	return i
}

// GetFlightInfoStatement returns the ticket of a query, without a schema: it would cost an extra run, and the result
// has it.
func (s *service) GetFlightInfoStatement(ctx context.Context, q flightsql.StatementQuery,
	desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	h, err := newHandle(ctx, q.GetQuery())
	if err != nil {
		return nil, err
	}
	ticket, err := flightsql.CreateStatementQueryTicket(h)
	if err != nil {
		return nil, err
	}
	return info(desc, ticket, nil), nil
}

// GetSchemaStatement returns the schema of a query's result without running the query.
func (s *service) GetSchemaStatement(ctx context.Context, q flightsql.StatementQuery, _ *flight.FlightDescriptor) (*flight.SchemaResult,
	error) {
	request, err := question(ctx, q.GetQuery())
	if err != nil {
		return nil, err
	}
	return s.schemaResult(ctx, request)
}

func (s *service) schemaResult(ctx context.Context, q bi.Request) (*flight.SchemaResult, error) {
	schema, err := s.plan(ctx, q)
	if err != nil {
		return nil, err
	}
	return &flight.SchemaResult{Schema: flight.SerializeSchema(schema, memory.DefaultAllocator)}, nil
}

// plan returns the schema of a query's result.
func (s *service) plan(ctx context.Context, q bi.Request) (*arrow.Schema, error) {
	schema, err := s.Executor.Schema(ctx, access.From(ctx), q)
	return schema, s.problem(ctx, err)
}

// DoGetStatement runs the query of a ticket.
func (s *service) DoGetStatement(ctx context.Context, ticket flightsql.StatementQueryTicket) (*arrow.Schema, <-chan flight.StreamChunk,
	error) {
	return s.run(ctx, ticket.GetStatementHandle())
}

// CreatePreparedStatement checks a query and returns its schema.
func (s *service) CreatePreparedStatement(ctx context.Context,
	q flightsql.ActionCreatePreparedStatementRequest) (r flightsql.ActionCreatePreparedStatementResult, err error) {
	if r.Handle, err = newHandle(ctx, q.GetQuery()); err != nil {
		return r, err
	}
	h, err := readHandle(r.Handle)
	if err != nil {
		return r, err
	}
	update := false
	r.IsUpdate = &update
	r.DatasetSchema, err = s.plan(ctx, h.Request)
	return r, err
}

// ClosePreparedStatement does nothing, because the server keeps no prepared statements.
func (s *service) ClosePreparedStatement(context.Context, flightsql.ActionClosePreparedStatementRequest) error {
	return nil
}

// GetFlightInfoPreparedStatement returns a new ticket for each run of a prepared query.
func (s *service) GetFlightInfoPreparedStatement(_ context.Context, q flightsql.PreparedStatementQuery,
	desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	h, err := readHandle(q.GetPreparedStatementHandle())
	if err != nil {
		return nil, err
	}
	h.ID = rand.Text()
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	ticket, err := flightsql.CreateStatementQueryTicket(text)
	if err != nil {
		return nil, err
	}
	return info(desc, ticket, nil), nil
}

// GetSchemaPreparedStatement returns the schema of a prepared query's result.
func (s *service) GetSchemaPreparedStatement(ctx context.Context, q flightsql.PreparedStatementQuery,
	_ *flight.FlightDescriptor) (*flight.SchemaResult, error) {
	h, err := readHandle(q.GetPreparedStatementHandle())
	if err != nil {
		return nil, err
	}
	return s.schemaResult(ctx, h.Request)
}

// DoGetPreparedStatement runs a prepared query.
func (s *service) DoGetPreparedStatement(ctx context.Context, q flightsql.PreparedStatementQuery) (*arrow.Schema, <-chan flight.StreamChunk,
	error) {
	return s.run(ctx, q.GetPreparedStatementHandle())
}

// DoPutPreparedStatementQuery refuses to bind parameters.
func (s *service) DoPutPreparedStatementQuery(context.Context, flightsql.PreparedStatementQuery, flight.MessageReader,
	flight.MetadataWriter) ([]byte, error) {
	return nil, status.Error(codes.Unimplemented, "queries have no parameters here: write the values into the text")
}
