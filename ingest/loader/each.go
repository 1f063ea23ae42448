package loader

import (
	"errors"
	"io"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// EachPing calls take for every ping of a file in one of the formats that Load reads, and counts the records that are none.
// The metadata and the body are valid until take returns.
func EachPing(in io.Reader, d *ingest.Decoder, take func(*ping.Meta, []byte) error) (bad int, err error) {
	r, err := format.Open(in)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	l := loader{decoder: d}
	var rec record
	for {
		err := r.Next(&rec.rec)
		var damaged *format.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return bad, nil
		case errors.As(err, &damaged):
			bad++
			continue
		case err != nil:
			return bad, err
		}
		var o outcome
		out := l.decodeRecord(&rec, nil, &o)
		if o.class != "" {
			bad++
		} else if err := take(&o.meta, o.body); err != nil {
			return bad, err
		}
		if out != nil {
			l.outcomes.Put(out)
		}
	}
}
