package lake

import (
	"io"

	"github.com/pingmill/pingmill/lake/pq"
	"github.com/pingmill/pingmill/schema"
)

// createdBy has the form "program version number", which some readers parse.
// The number counts changes in how files are encoded.
const createdBy = "pingmill version 1"

func newEncoder(w io.Writer, cols []schema.Column, o WriterOptions) (*pq.Writer, error) {
	return pq.NewWriter(w, cols, pq.Options{PageRows: o.PageRows, Bloom: o.Bloom, CreatedBy: createdBy})
}
