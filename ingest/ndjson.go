package ingest

import (
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ping"
)

// line holds the members of a submission line.
var line = func() (l struct {
	program                                         *ping.Program
	uri, timestamp, headers, remoteAddr, body, meta ping.Slot
}) {
	var p ping.PathSet
	l.uri, l.timestamp, l.headers = p.Add("uri"), p.Add("timestamp"), p.Add("headers")
	l.remoteAddr, l.body, l.meta = p.Add("remoteAddr"), p.Add("body"), p.Add("meta")
	l.program = p.Compile()
	return l
}()

// ParseSubmission reads a submission from one line of JSON:
//
//	{"uri":"/submit/…","timestamp":1530403200000000000,"headers":{"Date":"…"},
//	 "remoteAddr":"…","body":"<base64>","meta":{"geoCountry":"CA"}}
//
// The timestamp is in ns; it may be in meta instead. A missing or null member is absent, and so are texts and
// headers that are not strings; other members are ignored. The submission may point into the line and is valid
// until the next parse into it.
func ParseSubmission(b []byte, s *Submission) error {
	s.Reset()
	d := &s.doc
	if err := d.ScanValid(line.program, b); err != nil {
		var broken *ping.SyntaxError
		if errors.As(err, &broken) {
			return err
		}
		return fmt.Errorf("read submission: %w", err)
	}
	s.URI, _ = d.Value(line.uri).Str(nil)
	s.RemoteAddr, _ = d.Value(line.remoteAddr).Str(nil)
	s.parseHeaders(d.Value(line.headers))
	if err := s.parseMeta(d.Value(line.meta)); err != nil {
		return err
	}
	if err := s.parseTimestamp(d.Value(line.timestamp)); err != nil {
		return err
	}
	return s.parseBody(d.Value(line.body))
}

func (s *Submission) parseHeaders(v ping.Value) {
	s.members = v.Members(s.members[:0])
	for _, m := range s.members {
		if h, ok := HeaderByName(string(m.Key)); ok {
			text, _ := m.Value.Str(nil)
			s.Headers.Set(h, text)
		}
	}
}

func (s *Submission) parseMeta(v ping.Value) error {
	switch v.Kind() {
	case ping.Missing, ping.Null:
		return nil
	case ping.Object:
		s.Meta = &s.preset
		return s.reader.Read(s.Meta, v.Raw())
	}
	return errors.New("read submission: meta is not an object")
}

func (s *Submission) parseTimestamp(v ping.Value) error {
	ns, ok := v.Integer64()
	if !ok && s.Meta != nil && v.Kind() == ping.Missing {
		ns, ok = s.Meta.Int(ping.Timestamp)
	}
	if !ok {
		return errors.New("read submission: the timestamp is missing or no integer of 64 bits")
	}
	s.Timestamp = ns
	return nil
}

func (s *Submission) parseBody(v ping.Value) error {
	if k := v.Kind(); k == ping.Missing || k == ping.Null {
		return nil
	}
	text, ok := v.Str(nil)
	if !ok {
		return errors.New("read submission: the body is not a string")
	}
	body, err := format.AppendBase64(s.body[:0], text)
	if err != nil {
		return fmt.Errorf("read submission: body: %w", err)
	}
	s.Body, s.body = body, body
	return nil
}

// DecodeLine parses a submission line into s and decodes it. A line that cannot be parsed becomes an error
// outcome.
func (d *Decoder) DecodeLine(b []byte, s *Submission, out *Outcome) {
	if err := ParseSubmission(b, s); err != nil {
		out.reset()
		out.Fail(ClassJSON, "invalid submission: "+err.Error())
		return
	}
	d.Decode(s, out)
}
