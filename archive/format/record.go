package format

import (
	"fmt"

	"github.com/pingmill/pingmill/ping"
)

// Kind is the kind of a record.
type Kind uint8

// The kinds of records.
const (
	Ping       Kind = iota // decoded before: metadata and document
	Submission             // what a client sent; yet to be decoded
)

// Record is a record that Reader.Next reads. Its bytes are valid until the next call.
type Record struct {
	Kind   Kind
	Offset int64 // of the record in the file, after decompression

	// Meta is a ping's metadata. For a submission it is the metadata known beforehand, often empty.
	Meta ping.Meta

	// Body is a ping's document, one JSON object. For a submission it is the body as received, gzipped or not.
	Body []byte

	// Document is the ping's document if it was scanned already, else missing.
	Document ping.Value

	// The following fields are set for submissions only. A nil text is absent.
	URI        []byte
	Timestamp  int64 // arrival at the server, ns since epoch
	RemoteAddr []byte
	Headers    []Header
}

// Header is a request header of a submission.
type Header struct{ Name, Value []byte }

// reset empties the record and keeps its memory.
func (r *Record) reset(offset int64) {
	*r = Record{Offset: offset, Headers: r.Headers[:0]}
}

// RecordError reports a damaged record. Reading goes on with the next one.
type RecordError struct {
	Offset int64 // of the record in the file, after decompression
	Reason string
	Raw    []byte // the record, or its beginning; valid until the next call of Next
	At     int64  // about when it arrived, ns since epoch; 0: not known
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("record at byte %d: %s", e.Offset, e.Reason)
}
