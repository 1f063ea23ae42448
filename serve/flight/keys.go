package flight

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql/schema_ref"
)

// Tables have no keys, and none refers to another. Tools ask all the same.

// GetFlightInfoPrimaryKeys describes an empty list.
func (s *service) GetFlightInfoPrimaryKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.PrimaryKeys)
}

// DoGetPrimaryKeys gives an empty list.
func (s *service) DoGetPrimaryKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.PrimaryKeys, nil)
}

// GetFlightInfoExportedKeys describes an empty list.
func (s *service) GetFlightInfoExportedKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.ExportedKeys)
}

// DoGetExportedKeys gives an empty list.
func (s *service) DoGetExportedKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.ExportedKeys, nil)
}

// GetFlightInfoImportedKeys describes an empty list.
func (s *service) GetFlightInfoImportedKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.ImportedKeys)
}

// DoGetImportedKeys gives an empty list.
func (s *service) DoGetImportedKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.ImportedKeys, nil)
}

// GetFlightInfoCrossReference describes an empty list.
func (s *service) GetFlightInfoCrossReference(_ context.Context, _ flightsql.CrossTableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.CrossReference)
}

// DoGetCrossReference gives an empty list.
func (s *service) DoGetCrossReference(context.Context, flightsql.CrossTableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.CrossReference, nil)
}
