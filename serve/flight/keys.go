package flight

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql/schema_ref"
)

// Tables have no primary or foreign keys, but tools request the lists.

// GetFlightInfoPrimaryKeys describes an empty list.
func (s *service) GetFlightInfoPrimaryKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo,
	error) {
	return described(desc, schema_ref.PrimaryKeys)
}

// DoGetPrimaryKeys returns an empty list.
func (s *service) DoGetPrimaryKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.PrimaryKeys, nil)
}

// GetFlightInfoExportedKeys describes an empty list.
func (s *service) GetFlightInfoExportedKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo,
	error) {
	return described(desc, schema_ref.ExportedKeys)
}

// DoGetExportedKeys returns an empty list.
func (s *service) DoGetExportedKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.ExportedKeys, nil)
}

// GetFlightInfoImportedKeys describes an empty list.
func (s *service) GetFlightInfoImportedKeys(_ context.Context, _ flightsql.TableRef, desc *flight.FlightDescriptor) (*flight.FlightInfo,
	error) {
	return described(desc, schema_ref.ImportedKeys)
}

// DoGetImportedKeys returns an empty list.
func (s *service) DoGetImportedKeys(context.Context, flightsql.TableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.ImportedKeys, nil)
}

// GetFlightInfoCrossReference describes an empty list.
func (s *service) GetFlightInfoCrossReference(_ context.Context, _ flightsql.CrossTableRef,
	desc *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return described(desc, schema_ref.CrossReference)
}

// DoGetCrossReference returns an empty list.
func (s *service) DoGetCrossReference(context.Context, flightsql.CrossTableRef) (*arrow.Schema, <-chan flight.StreamChunk, error) {
	return rows(schema_ref.CrossReference, nil)
}
