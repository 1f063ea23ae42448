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

// handle is what a ticket and a prepared statement consist of.
type handle struct {
	ID string `json:"id"` // by which the query is cancelled
	bi.Request
}

// dialectHeader is the header of a call that chooses the dialect: presto or duckdb.
const dialectHeader = "dialect"

// question is what a call asks.
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

// readHandle reads what newHandle wrote, which somebody may have changed: its question is asked as any other.
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

// info describes a result that the ticket gives.
func info(desc *flight.FlightDescriptor, ticket []byte, schema *arrow.Schema) *flight.FlightInfo {
	i := &flight.FlightInfo{
		Endpoint: []*flight.FlightEndpoint{{Ticket: &flight.Ticket{Ticket: ticket}}}, FlightDescriptor: desc, TotalRecords: -1, TotalBytes: -1,
	}
	if schema != nil {
		i.Schema = flight.SerializeSchema(schema, memory.DefaultAllocator)
	}
	return i
}

// GetFlightInfoStatement gives the ticket of a query. Its schema is in the result: to know it before would be a run of its own.
func (s *service) GetFlightInfoStatement(ctx context.Context, q flightsql.StatementQuery, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
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

// GetSchemaStatement says which columns a query gives without running it.
func (s *service) GetSchemaStatement(ctx context.Context, q flightsql.StatementQuery, _ *flight.FlightDescriptor) (*flight.SchemaResult, error) {
	asked, err := question(ctx, q.GetQuery())
	if err != nil {
		return nil, err
	}
	return s.schemaResult(ctx, asked)
}

func (s *service) schemaResult(ctx context.Context, q bi.Request) (*flight.SchemaResult, error) {
	schema, err := s.plan(ctx, q)
	if err != nil {
		return nil, err
	}
	return &flight.SchemaResult{Schema: flight.SerializeSchema(schema, memory.DefaultAllocator)}, nil
}

// plan is the schema of the result that a question would have.
func (s *service) plan(ctx context.Context, q bi.Request) (*arrow.Schema, error) {
	schema, err := s.Executor.Schema(ctx, access.From(ctx), q)
	return schema, s.problem(ctx, err)
}

// DoGetStatement runs the query of a ticket.
func (s *service) DoGetStatement(ctx context.Context, ticket flightsql.StatementQueryTicket) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return s.run(ctx, ticket.GetStatementHandle())
}

// CreatePreparedStatement judges a query, and says which columns it gives.
func (s *service) CreatePreparedStatement(ctx context.Context, q flightsql.ActionCreatePreparedStatementRequest) (r flightsql.ActionCreatePreparedStatementResult, err error) {
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

// ClosePreparedStatement has nothing to do: the handle is all there is.
func (s *service) ClosePreparedStatement(context.Context, flightsql.ActionClosePreparedStatementRequest) error {
	return nil
}

// GetFlightInfoPreparedStatement gives a ticket of a prepared query, one for each run.
func (s *service) GetFlightInfoPreparedStatement(_ context.Context, q flightsql.PreparedStatementQuery, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
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

// GetSchemaPreparedStatement says which columns a prepared query gives.
func (s *service) GetSchemaPreparedStatement(ctx context.Context, q flightsql.PreparedStatementQuery, _ *flight.FlightDescriptor) (*flight.SchemaResult, error) {
	h, err := readHandle(q.GetPreparedStatementHandle())
	if err != nil {
		return nil, err
	}
	return s.schemaResult(ctx, h.Request)
}

// DoGetPreparedStatement runs a prepared query.
func (s *service) DoGetPreparedStatement(ctx context.Context, q flightsql.PreparedStatementQuery) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return s.run(ctx, q.GetPreparedStatementHandle())
}

// DoPutPreparedStatementQuery would bind parameters.
func (s *service) DoPutPreparedStatementQuery(context.Context, flightsql.PreparedStatementQuery, flight.MessageReader, flight.MetadataWriter) ([]byte, error) {
	return nil, status.Error(codes.Unimplemented, "queries have no parameters here: write the values into the text")
}
