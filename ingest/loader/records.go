package loader

import (
	"cmp"
	"errors"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest/spool"
)

// records is the input of a load: a file's reader, or a segment of the spool. Next returns io.EOF behind the
// last record and a *format.RecordError for a damaged one, after which reading continues.
type records interface {
	Next(*format.Record) error
}

// segmentSource reads a segment as submissions.
type segmentSource struct {
	reader  spool.Records
	record  spool.Record
	damaged []*spool.DamageError // found so far
	now     int64                // the arrival of damage whose arrival is unknown
}

// Next implements records.
func (s *segmentSource) Next(r *format.Record) error {
	err := s.reader.Next(&s.record)
	var damage *spool.DamageError
	if errors.As(err, &damage) {
		s.damaged = append(s.damaged, damage)
		return &format.RecordError{Offset: damage.Offset, Reason: "spool " + damage.Error(), At: cmp.Or(damage.At, s.now)}
	}
	var foreign *spool.ForeignError
	if errors.As(err, &foreign) {
		return &format.RecordError{Offset: foreign.Offset, Reason: foreign.Error(), At: cmp.Or(foreign.At, s.now), Raw: foreign.Raw}
	}
	if err != nil {
		return err
	}
	*r = format.Record{
		Kind: format.Submission, URI: s.record.URI, Timestamp: s.record.Timestamp,
		RemoteAddr: s.record.RemoteAddr, Body: s.record.Body, Headers: r.Headers[:0],
	}
	for _, h := range s.record.Headers {
		r.Headers = append(r.Headers, format.Header(h))
	}
	return nil
}
