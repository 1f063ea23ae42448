package glean

import (
	"bytes"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// headOps make the columns that are no parts of the document, by name.
var headOps = map[string]func(col int) func(*row){
	"submission_timestamp": func(col int) func(*row) {
		return func(r *row) {
			if ns, ok := r.meta.Int(ping.Timestamp); ok {
				r.out.SetLong(col, floorDiv(ns, 1000))
			}
		}
	},
	"document_id": textOp(func(r *row) []byte { return r.meta.Text(ping.DocumentID) }),
	"client_id":   textOp(func(r *row) []byte { return r.id }),
	"sample_id": func(col int) func(*row) {
		return func(r *row) {
			if r.id != nil {
				r.out.SetLong(col, ping.SampleOf(r.id))
			}
		}
	},
	"normalized_app_name":   textOp(func(r *row) []byte { return appName(r.meta) }),
	"normalized_channel":    textOp(func(r *row) []byte { return normalized(r, r.channel, channel) }),
	"normalized_os":         textOp(func(r *row) []byte { return normalized(r, r.os, system) }),
	"normalized_os_version": textOp(func(r *row) []byte { return systemVersion(r.osVersion) }),
	"normalized_country_code": textOp(func(r *row) []byte {
		if c := place(r.meta, ping.GeoCountry); c != nil {
			return bytes.ToUpper(c)
		}
		return nil
	}),
	"app_version_major": versionOp(0),
	"app_version_minor": versionOp(1),
	"app_version_patch": versionOp(2),
	"submission_date":   dayOp,
	"document_type":     textOp(func(r *row) []byte { return r.meta.Text(ping.DocTypeField) }),
}

// textOp sets a column to a text, or leaves it null.
func textOp(value func(*row) []byte) func(col int) func(*row) {
	return func(col int) func(*row) {
		return func(r *row) {
			if text := value(r); text != nil {
				r.out.SetBytes(col, text)
			}
		}
	}
}

func versionOp(part int) func(col int) func(*row) {
	return func(col int) func(*row) {
		return func(r *row) {
			if numbers, n := versionNumbers(r.version); part < n {
				r.out.SetLong(col, numbers[part])
			}
		}
	}
}

// dayOp sets the day of the arrival, YYYY-MM-DD. The time decides it; without one, the day in the metadata.
func dayOp(col int) func(*row) {
	return func(r *row) {
		if ns, ok := r.meta.Int(ping.Timestamp); ok {
			r.text = column.AppendDate(r.text[:0], int32(floorDiv(ns, 86400e9)))
			r.out.SetBytes(col, r.text)
			return
		}
		if d := r.meta.Text(ping.SubmissionDate); len(d) == 8 {
			r.text = append(append(append(append(append(r.text[:0], d[:4]...), '-'), d[4:6]...), '-'), d[6:]...)
			r.out.SetBytes(col, r.text)
		}
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appName returns the name of the application, if it is Firefox.
func appName(m *ping.Meta) []byte {
	if m.Namespace() == "firefox-desktop" {
		return []byte("Firefox")
	}
	return nil
}

// normalized returns a text by a function, or nil for a text that is missing or empty.
func normalized(r *row, text []byte, by func([]byte) string) []byte {
	if len(text) == 0 {
		return nil
	}
	r.text = append(r.text[:0], by(text)...)
	return r.text
}

// place returns a part of the sender's place, or nil if it is unknown.
func place(m *ping.Meta, f ping.MetaField) []byte {
	if text := m.Text(f); string(text) != "??" && len(text) > 0 {
		return text
	}
	return nil
}

// metadataOps make the column metadata.
func metadataOps(n *column.Node) (ops []func(*row)) {
	geo, header, agent := member(n, "geo"), member(n, "header"), member(n, "user_agent")
	for _, t := range []struct {
		in    *column.Node
		name  string
		value func(*row) []byte
	}{
		{n, "document_namespace", func(r *row) []byte { return []byte(r.meta.Namespace()) }},
		{n, "document_type", metaText(ping.DocTypeField)},
		{n, "document_version", metaText(ping.SourceVersion)},
		{geo, "city", func(r *row) []byte { return place(r.meta, ping.GeoCity) }},
		{geo, "country", func(r *row) []byte { return place(r.meta, ping.GeoCountry) }},
		{geo, "subdivision1", func(r *row) []byte { return place(r.meta, ping.GeoSubdivision1) }},
		{geo, "subdivision2", func(r *row) []byte { return place(r.meta, ping.GeoSubdivision2) }},
		{header, "date", metaText(ping.Date)},
		{header, "dnt", metaText(ping.DNT)},
		{header, "x_debug_id", metaText(ping.XDebugID)},
		{header, "x_pingsender_version", metaText(ping.XPingSenderVersion)},
		{header, "x_source_tags", metaText(ping.XSourceTags)},
		{header, "x_telemetry_agent", metaText(ping.XTelemetryAgent)},
	} {
		at := member(t.in, t.name)
		ops = append(ops, func(r *row) {
			if text := t.value(r); text != nil {
				r.setText(at, text)
			}
		})
	}
	date, tags := member(header, "parsed_date"), member(header, "parsed_x_source_tags")
	browser, os, version := member(agent, "browser"), member(agent, "os"), member(agent, "version")
	return append(ops, func(r *row) {
		if micros, ok := parseDateHeader(r.meta.Text(ping.Date)); ok {
			column.StartNode(r.out, date)
			r.out.Long(date, 0, micros)
		}
		r.tags(tags)
		if text := r.meta.Text(ping.UserAgent); text != nil {
			b, o, v := userAgent(text)
			r.setName(browser, b)
			r.setName(os, o)
			r.setName(version, v)
		}
	})
}

func metaText(f ping.MetaField) func(*row) []byte {
	return func(r *row) []byte { return r.meta.Text(f) }
}

// tags writes the list of source tags.
func (r *row) tags(n *column.Node) {
	text := r.meta.Text(ping.XSourceTags)
	if text == nil {
		return
	}
	column.StartNode(r.out, n)
	i := 0
	for tag := range bytes.SplitSeq(text, []byte(",")) {
		r.out.Str(n.Elem, n.ElemRep(i, 0), bytes.TrimSpace(tag))
		i++
	}
}

// setText writes a text to a member of a struct that is present.
func (r *row) setText(n *column.Node, text []byte) {
	column.StartNode(r.out, n)
	r.out.Str(n, 0, text)
}

// setName writes a text that may be "", for null.
func (r *row) setName(n *column.Node, text string) {
	if text != "" {
		r.setText(n, []byte(text))
	}
}

// member returns a member of a struct.
func member(n *column.Node, name string) *column.Node {
	for i, f := range n.FieldNames {
		if f == name {
			return n.Fields[i]
		}
	}
	panic("table/glean: no member " + name + " of column " + glean.Metadata)
}
