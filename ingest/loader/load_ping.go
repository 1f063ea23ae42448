package loader

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
)

// docFields are the members of a document from which the metadata of a decoded
// ping is completed where it is silent.
var docFields = func() (f struct {
	program  *ping.Program
	texts    []docField
	clientID ping.Slot
	gleanID  ping.Slot // that of Glean
}) {
	var p ping.PathSet
	f.clientID = p.Add("clientId")
	f.gleanID = p.Add("client_info", "client_id")
	f.texts = []docField{
		{ping.DocTypeField, p.Add("type")},
		{ping.SourceVersion, p.Add("version")},
		{ping.ClientID, f.clientID},
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
	if why := contradiction(&o.meta, &doc); why != "" {
		o.class, o.message = ingest.ClassInternal, "metadata: "+why
		return
	}
	if _, err := (forget.Rules{}).Clients(&o.meta, o.body); err != nil {
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
	if id, ok := doc.Value(docFields.gleanID).Str(nil); ok && len(id) > 0 && m.Text(ping.ClientID) == nil && m.Namespace() != ping.Telemetry {
		m.SetText(ping.ClientID, bytes.ToLower(id))
	}
	if m.Text(ping.SubmissionDate) == nil {
		if day := m.Day(); day != "" {
			m.SetString(ping.SubmissionDate, string(day))
		}
	}
	if id := m.Text(ping.ClientID); !utf8.Valid(id) { // as the archive keeps it
		m.SetText(ping.ClientID, bytes.ToValidUTF8(id, []byte("\uFFFD")))
	}
	if _, ok := m.Int(ping.SampleID); !ok && m.Text(ping.ClientID) != nil {
		m.SetInt(ping.SampleID, ping.SampleOf(m.Text(ping.ClientID)))
	}
	if m.Text(ping.NormalizedChannel) == nil {
		m.SetString(ping.NormalizedChannel, ingest.NormalizedChannel(m.Text(ping.AppUpdateChannel)))
	}
}

// contradiction returns the members of a ping's metadata that contradict each other, "" if none do. A client
// with rows in two samples has two rows in tables with one row per client, which fail their checks as long as
// the archive has them. A removal finds a client's pings by the clientId of the metadata, and its rows of some
// tables by the one of the document.
func contradiction(m *ping.Meta, doc *ping.Doc) string {
	id := m.Text(ping.ClientID)
	sample, sampled := m.Int(ping.SampleID)
	if sampled && id == nil {
		return fmt.Sprintf("there is a sampleId, %d, and no clientId", sample)
	}
	if fits := ping.SampleOf(id); sampled && sample != fits {
		return fmt.Sprintf("the sampleId is %d, and the clientId is of sample %d", sample, fits)
	}
	own, ok := doc.Value(docFields.clientID).Str(nil)
	if !ok && m.Namespace() != ping.Telemetry {
		own, ok = doc.Value(docFields.gleanID).Str(nil)
	}
	if ok && !bytes.EqualFold(own, id) {
		return "the clientId is not that of the document"
	}
	return ""
}
