package intake

import (
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// docFields are the members of a document from which the metadata of a decoded
// ping is completed where it is silent.
var docFields = func() (f struct {
	program *ping.Program
	texts   []docField
}) {
	var p ping.PathSet
	f.texts = []docField{
		{ping.DocTypeField, p.Add("type")},
		{ping.SourceVersion, p.Add("version")},
		{ping.ClientID, p.Add("clientId")},
		{ping.DocumentID, p.Add("id")},
		{ping.AppName, p.Add("application", "name")},
		{ping.AppVersion, p.Add("application", "version")},
		{ping.AppBuildID, p.Add("application", "buildId")},
		{ping.AppUpdateChannel, p.Add("application", "channel")},
	}
	f.program = p.Compile()
	return f
}()

type docField struct {
	field ping.MetaField
	slot  ping.Slot
}

// decodePing checks the document of a ping that was decoded before, and
// completes its metadata.
func decodePing(rec *format.Record, o *outcome) {
	o.meta, o.body = rec.Meta, rec.Body
	var doc ping.Doc
	if err := doc.ScanValid(docFields.program, rec.Body); err != nil {
		o.class, o.message = "json", "invalid submission: "+err.Error()
		return
	}
	complete(&o.meta, &doc)
	if _, err := forget.Clients(&o.meta, o.body); err != nil {
		o.class, o.message = "json", "invalid submission: "+err.Error()
	}
}

func complete(m *ping.Meta, doc *ping.Doc) {
	for _, f := range docFields.texts {
		if m.Text(f.field) == nil {
			if t, ok := doc.Value(f.slot).Text(nil); ok {
				m.SetText(f.field, t)
			}
		}
	}
	if m.Text(ping.SubmissionDate) == nil {
		if day := m.Day(); day != "" {
			m.SetString(ping.SubmissionDate, string(day))
		}
	}
	if _, ok := m.Int(ping.SampleID); !ok && m.Text(ping.ClientID) != nil {
		m.SetInt(ping.SampleID, ping.SampleOf(m.Text(ping.ClientID)))
	}
	if m.Text(ping.NormalizedChannel) == nil {
		m.SetString(ping.NormalizedChannel, ingest.NormalizedChannel(m.Text(ping.AppUpdateChannel)))
	}
}
