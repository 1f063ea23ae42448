package format

import (
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/ping"
)

// members holds the slots of the members that identify the form of a line and make a record.
var members = func() (m struct {
	program *ping.Program

	ping, meta                                ping.Slot // a ping
	uri, timestamp, headers, remoteAddr, body ping.Slot // a submission
	attributes, payload                       [3]ping.Slot
}) {
	var p ping.PathSet
	m.ping, m.meta = p.Add("ping"), p.Add("meta")
	m.uri, m.timestamp, m.headers = p.Add("uri"), p.Add("timestamp"), p.Add("headers")
	m.remoteAddr, m.body = p.Add("remoteAddr"), p.Add("body")
	m.attributes = [3]ping.Slot{p.Add("attributeMap"), p.Add("attributes"), p.Add("message", "attributes")}
	m.payload = [3]ping.Slot{p.Add("payload"), p.Add("data"), p.Add("message", "data")}
	m.program = p.Compile()
	return m
}()

// lineParser reads records from lines, with memory used over and over.
type lineParser struct {
	doc     ping.Doc
	meta    ping.MetaReader
	members []ping.Member
	body    []byte
	attrs   attributes
}

// longLine is from where on the memory that a line took is not kept.
const longLine = 16 << 20

// parse fills a record that is empty. Its bytes point into the line where they
// can.
func (p *lineParser) parse(line []byte, rec *Record) error {
	if len(line) > longLine {
		p = &lineParser{}
	}
	// A line that is valid has valid parts. Why another one is not is said of the part that it is in.
	valid := p.doc.ScanValid(members.program, line) == nil
	if !valid {
		if err := p.doc.Scan(members.program, line); err != nil {
			if bad := ping.Validate(line); bad != nil {
				err = bad
			}
			return err
		}
	}
	if v := p.doc.Value(members.ping); v.Kind() != ping.Missing {
		return p.ping(v, valid, rec)
	}
	// Of other forms only the body can be long, and it is one string.
	if !valid {
		if err := ping.Validate(line); err != nil {
			return err
		}
	}
	for i := range members.attributes {
		v := p.doc.Value(members.attributes[i])
		if v.Kind() == ping.Object {
			return p.message(v, p.doc.Value(members.payload[i]), rec)
		}
	}
	if p.has(members.uri) || p.has(members.body) {
		return p.submission(rec)
	}
	return errors.New("neither a ping nor a submission nor a message")
}

func (p *lineParser) has(s ping.Slot) bool { return p.doc.Value(s).Kind() != ping.Missing }

// ping reads {"meta":{…},"ping":{…}}. Unless the whole is valid its parts are looked at:
// so a document may be nested as deep here as anywhere.
func (p *lineParser) ping(v ping.Value, valid bool, rec *Record) error {
	if v.Kind() != ping.Object {
		return errors.New("the ping is not an object")
	}
	if !valid {
		if err := ping.Validate(v.Raw()); err != nil {
			return fmt.Errorf("ping: %w", err)
		}
	}
	rec.Kind, rec.Body, rec.Document = Ping, v.Raw(), v
	return p.readMeta(valid, rec)
}

func (p *lineParser) readMeta(valid bool, rec *Record) error {
	v := p.doc.Value(members.meta)
	switch v.Kind() {
	case ping.Missing, ping.Null:
		return nil
	case ping.Object:
		if !valid {
			if err := ping.Validate(v.Raw()); err != nil {
				return fmt.Errorf("meta: %w", err)
			}
		}
		return p.meta.Read(&rec.Meta, v.Raw())
	}
	return errors.New("meta is not an object")
}

// submission reads {"uri","timestamp","headers":{},"remoteAddr","body":base64,
// "meta":{}}. Texts and headers that are no strings are absent; the timestamp
// may be in meta.
func (p *lineParser) submission(rec *Record) error {
	rec.Kind = Submission
	if err := p.readMeta(true, rec); err != nil {
		return err
	}
	rec.URI, _ = p.doc.Value(members.uri).Str(nil)
	rec.RemoteAddr, _ = p.doc.Value(members.remoteAddr).Str(nil)
	p.members = p.doc.Value(members.headers).Members(p.members[:0])
	for _, m := range p.members {
		if text, ok := m.Value.Str(nil); ok {
			rec.Headers = append(rec.Headers, Header{m.Key, text})
		}
	}
	v := p.doc.Value(members.timestamp)
	ns, ok := v.Integer64()
	if !ok && v.Kind() == ping.Missing {
		ns, ok = rec.Meta.Int(ping.Timestamp)
	}
	if !ok {
		return errors.New("the timestamp is missing or no integer of 64 bits")
	}
	rec.Timestamp = ns
	return p.readBody(p.doc.Value(members.body), "body", rec)
}

// readBody decodes a base64 string.
func (p *lineParser) readBody(v ping.Value, name string, rec *Record) error {
	if k := v.Kind(); k == ping.Missing || k == ping.Null {
		return nil
	}
	text, ok := v.Str(nil)
	if !ok {
		return fmt.Errorf("the %s is not a string", name)
	}
	body, err := AppendBase64(p.body[:0], text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.body, rec.Body = body, body
	return nil
}
