package format

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/ping"
)

// message turns the message of a frame into a record.
//
// A message with a request's content is a submission, either of the edge or one that a decoder refused. Any
// other message is a ping. Its fields are metadata, except for the document in "submission" (or else in the
// payload) and for sections of the document that were split off into separate fields, such as
// "environment.system".
func (h *hekaReader) message(b []byte, rec *Record) error {
	if err := h.decode(b); err != nil {
		return err
	}
	m := &h.msg
	content, uri := m.field("content"), m.field("uri")
	if uri == nil {
		uri = m.field("Path")
	}
	if content != nil && uri != nil {
		return m.submission(rec, uri, content)
	}
	return m.ping(rec, &h.doc)
}

// field finds a field that has a value.
func (m *message) field(name string) *field {
	for i := range m.fields {
		if f := &m.fields[i]; f.has && string(f.name) == name {
			return f
		}
	}
	return nil
}

func (m *message) submission(rec *Record, uri, content *field) error {
	rec.Kind = Submission
	rec.URI, rec.Body, rec.Timestamp = uri.text, content.text, m.timestamp
	if a := m.field("remote_addr"); a != nil {
		rec.RemoteAddr = a.text
	}
	for i := range m.fields {
		f := &m.fields[i]
		if isHeader(f) {
			rec.Headers = append(rec.Headers, Header{f.name, f.text})
		}
		f.setMeta(&rec.Meta)
	}
	return nil
}

// isHeader reports whether a field is a request header: their names begin with
// a capital letter.
func isHeader(f *field) bool {
	n := string(f.name)
	return f.text != nil && n != "" && 'A' <= n[0] && n[0] <= 'Z' && n != "Path" && !strings.HasPrefix(n, "DecodeError")
}

func (m *message) ping(rec *Record, doc *assembler) error {
	rec.Kind = Ping
	doc.reset()
	for i := range m.fields {
		f := &m.fields[i]
		if !f.has || string(f.name) == "submission" {
			continue
		}
		if bytes.IndexByte(f.name, '.') >= 0 {
			doc.section(f)
		} else {
			f.setMeta(&rec.Meta)
		}
	}
	rec.Meta.SetInt(ping.Timestamp, m.timestamp)
	base := m.payload
	if f := m.field("submission"); f != nil {
		base = f.text
	}
	switch {
	case doc.overfull:
		return errors.New("the message has too many sections")
	case len(base) == 0 && len(doc.root.children) == 0:
		return fmt.Errorf("the message of type %.40q holds no document", m.typ)
	}
	body, err := doc.document(base)
	rec.Body = body
	return err
}

// setMeta sets the member of the metadata that the field is named after, if
// there is one.
func (f *field) setMeta(m *ping.Meta) {
	to, ok := ping.MetaFieldByName(string(f.name))
	if !ok || !f.has {
		return
	}
	if to.IsInt() {
		if n, ok := f.integer(); ok {
			m.SetInt(to, n)
		}
		return
	}
	m.SetText(to, f.string())
}

// integer reads a number; the pipelines store all of them as doubles. A
// fraction is cut.
func (f *field) integer() (int64, bool) {
	switch f.typ {
	case intValue:
		return f.int, true
	case doubleValue:
		d := math.Trunc(f.number)
		return int64(d), d >= -1<<63 && d < 1<<63
	case textValue, bytesValue:
		n, err := strconv.ParseInt(string(f.text), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// string returns the value as text.
func (f *field) string() []byte {
	switch f.typ {
	case intValue:
		return strconv.AppendInt(nil, f.int, 10)
	case doubleValue:
		if n, ok := f.integer(); ok && float64(n) == f.number {
			return strconv.AppendInt(nil, n, 10)
		}
		return strconv.AppendFloat(nil, f.number, 'g', -1, 64)
	case boolValue:
		return strconv.AppendBool(nil, f.int != 0)
	}
	if f.text == nil {
		return []byte{}
	}
	return f.text
}

// json returns the value as JSON: texts that hold an object or an array are that, as are bytes that hold any JSON.
func (f *field) json(dst []byte) []byte {
	switch f.typ {
	case intValue, boolValue:
		return append(dst, f.string()...)
	case doubleValue:
		if math.IsNaN(f.number) || math.IsInf(f.number, 0) {
			return append(dst, "null"...)
		}
		return append(dst, f.string()...)
	}
	t := bytes.TrimSpace(f.text)
	structured := len(t) > 0 && (t[0] == '{' || t[0] == '[')
	if (structured || f.typ == bytesValue) && ping.Validate(t) == nil {
		return append(dst, t...)
	}
	return ping.AppendQuoted(dst, f.text)
}
