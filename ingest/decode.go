package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
)

// Decode decodes a submission into out, whose memory is reused. After a panic the outcome is an error of class
// internal with the stack in its message.
func (d *Decoder) Decode(s *Submission, out *Outcome) {
	if err := panics.Try(func() error { d.decode(s, out); return nil }); err != nil {
		out.Meta.SetText(ping.URI, validUTF8(s.URI))
		out.Fail(ClassInternal, withoutAddress(panics.Report(err), address(s)))
	}
}

func (d *Decoder) decode(s *Submission, out *Outcome) {
	out.reset()
	s.Ahead.finish(s.Body, out)
	m := &out.Meta
	if s.Meta != nil {
		*m = *s.Meta
	}
	out.arrival(s)
	uri, err := ParseURI(s.URI)
	if err != nil {
		m.SetText(ping.URI, validUTF8(s.URI))
		out.Fail(ClassURI, err.Error())
		return
	}
	glean := d.glean.takes(uri.Namespace)
	if glean && !uri.identify() {
		m.SetText(ping.URI, validUTF8(s.URI))
		out.Fail(ClassURI, "the document id is not a UUID")
		return
	}
	setURI(m, &uri)
	if agent := s.Headers.Get(UserAgent); glean && agent != nil {
		m.SetText(ping.UserAgent, validUTF8(agent))
	}
	client := address(s)
	if m.Text(ping.GeoCountry) == nil {
		d.geo.locate(client, m)
	}
	if d.duplicate(s, out) {
		m.SetText(ping.URI, s.URI)
		return
	}
	read := d.document
	if glean {
		read = d.gleanDocument
	}
	if class, message := read(s, &uri, out); class != "" {
		m.SetText(ping.URI, s.URI)
		out.Fail(class, withoutAddress(message, client))
		return
	}
	out.Kind = Ping
}

// arrival sets the metadata from the request itself.
func (o *Outcome) arrival(s *Submission) {
	m := &o.Meta
	m.SetInt(ping.Timestamp, s.Timestamp)
	if day := s.Timestamp/int64(24*time.Hour) + 1; s.Timestamp < 0 || day != o.dayOf {
		copy(o.day[:], ping.DayOf(s.Timestamp))
		if o.dayOf = day; s.Timestamp < 0 {
			o.dayOf = 0
		}
	}
	m.SetText(ping.SubmissionDate, o.day[:])
	for _, c := range copied {
		if v := s.Headers.Get(c.header); v != nil {
			m.SetText(c.field, validUTF8(v))
		}
	}
}

// copied lists the headers that become metadata without change.
var copied = [...]struct {
	header Header
	field  ping.MetaField
}{
	{DateHeader, ping.Date},
	{DNTHeader, ping.DNT},
	{HostHeader, ping.Host},
	{PingSenderVersion, ping.XPingSenderVersion},
	{DebugID, ping.XDebugID},
	{SourceTags, ping.XSourceTags},
	{TelemetryAgent, ping.XTelemetryAgent},
}

// setURI sets the metadata from the path.
func setURI(m *ping.Meta, u *URI) {
	m.SetText(ping.SourceName, u.Namespace)
	m.SetText(ping.DocumentID, u.DocumentID)
	m.SetText(ping.DocTypeField, u.DocType)
	m.SetText(ping.AppName, u.AppName)
	m.SetText(ping.AppVersion, u.AppVersion)
	m.SetText(ping.AppUpdateChannel, u.AppUpdateChannel)
	m.SetText(ping.AppBuildID, u.AppBuildID)
	m.SetText(ping.SourceVersion, u.DocVersion)
	m.Clear(ping.NormalizedChannel)
	if u.telemetry() {
		setChannel(m)
	}
}

func (d *Decoder) duplicate(s *Submission, out *Outcome) bool {
	if d.duplicates == nil {
		return false
	}
	first, seen := d.duplicates.Seen(s.URI, s.Timestamp)
	if seen {
		out.Kind = Duplicate
		out.DuplicateDelta = int64(distance(first, s.Timestamp) / uint64(time.Minute))
	}
	return seen
}

// document unpacks, checks and reads the body. The class is empty if the body is a ping.
func (d *Decoder) document(s *Submission, u *URI, out *Outcome) (class, message string) {
	body, err := d.scan(s, out, fields.program)
	if err != nil {
		return ClassJSON, "invalid submission: " + err.Error()
	}
	version := documentVersion(&out.doc, u)
	if schema := d.schemas.find(u.Namespace, u.DocType, version); schema != nil {
		if v := schema.violation(&out.doc); v != "" {
			return ClassJSON, fmt.Sprintf("schema: %s version: %s validation error: %s", u.DocType, version, v)
		}
	}
	setDocument(&out.Meta, &out.doc, u)
	if _, err := d.requests.Clients(&out.Meta, body); err != nil {
		return ClassJSON, "invalid submission: " + err.Error()
	}
	out.Body = body
	return "", ""
}

// scan unpacks the body and scans it with a program.
func (d *Decoder) scan(s *Submission, out *Outcome, program *ping.Program) (body []byte, err error) {
	if body, err = d.unpacker.unpack(out, s); err != nil {
		return nil, err
	}
	if err = out.doc.ScanValid(program, body); errors.Is(err, ping.ErrUnbalanced) {
		err = errors.New("the body is not a JSON object")
	}
	return body, err
}

// withoutAddress removes the client's address from a message, which may contain it in a member name of the
// document.
func withoutAddress(message string, client netip.Addr) string {
	if !client.IsValid() {
		return message
	}
	return strings.ReplaceAll(message, client.String(), "(address)")
}

// validUTF8 replaces bytes that are not UTF-8 by U+FFFD. It returns b itself if it has none.
func validUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}

// documentVersion returns the version that selects the schema: the path's version if it has one, else the
// document's. A document without a version, or with one that is not a whole number, has version 1.
func documentVersion(doc *ping.Doc, u *URI) string {
	if u.DocVersion != nil {
		return wholeNumber(string(u.DocVersion))
	}
	for _, slot := range []ping.Slot{fields.version, fields.mobileVersion} {
		if v := doc.Value(slot); truthy(v) {
			text, _ := v.Text(nil)
			return wholeNumber(string(text))
		}
	}
	return "1"
}

func wholeNumber(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) {
		return "1"
	}
	return strconv.FormatInt(int64(f), 10)
}
