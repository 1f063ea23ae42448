package archive

import (
	"fmt"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// clean makes the metadata of a ping what the archive keeps, or explains why it cannot keep it as a ping.
func clean(r *rowfile.Record) (day []byte, why string) {
	rowfile.Pings.Clean(r)
	if day, why = fit(&r.Meta); why == "" {
		r.Meta.SetText(ping.SubmissionDate, day)
	}
	return day, why
}

// The reason with which pings are kept that the archive cannot keep as pings.
const (
	unfitClass   = "internal"
	unfitMessage = "archive: "
)

// Unfit returns the class and message with which Append would store a ping as a rejected submission; the class
// is empty for a ping that it accepts.
func Unfit(m *ping.Meta) (class, message string) {
	r := rowfile.Record{Meta: *m}
	rowfile.Pings.Clean(&r)
	if _, why := fit(&r.Meta); why != "" {
		return unfitClass, unfitMessage + why
	}
	return "", ""
}

// fit finds the day of a ping, or explains why the archive cannot keep it as one.
func fit(m *ping.Meta) (day []byte, why string) {
	if day, why = dayOf(m); why != "" {
		return nil, why
	}
	switch n := len(docTypeOf(m)); {
	case n == 0:
		return nil, "no document type"
	case n > maxDocType:
		return nil, fmt.Sprintf("document type, with its namespace if that is not telemetry, longer than %d bytes", maxDocType)
	}
	return day, ""
}

// docTypeOf returns the document type under which a ping is stored. Other namespaces have document types of
// their own, separate from telemetry's.
func docTypeOf(m *ping.Meta) []byte {
	if m.Namespace() == ping.Telemetry {
		return m.Text(ping.DocTypeField)
	}
	return []byte(m.Kind())
}

// dayOf finds the day of a row, or explains why there is none.
func dayOf(m *ping.Meta) (day []byte, why string) {
	if d := m.Text(ping.SubmissionDate); d != nil {
		if !naming.ValidDay(d) {
			return nil, fmt.Sprintf("submission date %.20q is not a day", d)
		}
		return d, ""
	}
	if ns, ok := m.Int(ping.Timestamp); ok {
		return []byte(ping.DayOf(ns)), ""
	}
	return nil, "neither submission date nor timestamp"
}
