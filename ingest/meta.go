package ingest

import (
	"math"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/ping/glean"
)

// fields holds the slots of the members of a document that become metadata.
var fields = func() (f struct {
	program                                              *ping.Program
	version, mobileVersion, creationDate, osVersion, tel ping.Slot
	clientID                                             ping.Slot
	texts                                                []textField
}) {
	var p ping.PathSet
	f.version = p.Add("version")
	f.mobileVersion = p.Add("v")
	f.clientID = p.Add("clientId")
	f.creationDate = p.Add("creationDate")
	f.osVersion = p.Add("environment", "system", "os", "version")
	f.tel = p.Add("environment", "settings", "telemetryEnabled")
	f.texts = []textField{
		{ping.DocTypeField, p.Add("type")},
		{ping.SourceVersion, f.version},
		{ping.ClientID, f.clientID},
		{ping.AppName, p.Add("application", "name")},
		{ping.AppVersion, p.Add("application", "version")},
		{ping.AppBuildID, p.Add("application", "buildId")},
		{ping.AppUpdateChannel, p.Add("application", "channel")},
		{ping.AppVendor, p.Add("application", "vendor")},
		{ping.Reason, p.Add("payload", "info", "reason")},
		{ping.OS, p.Add("environment", "system", "os", "name")},
		{ping.ActiveExperimentID, p.Add("environment", "addons", "activeExperiment", "id")},
	}
	f.program = p.Compile()
	return f
}()

// textField is a metadata text and the slot of its member, which is read by rule S.
type textField struct {
	field ping.MetaField
	slot  ping.Slot
}

// truthy reports whether a version member is valid: null, false and a missing member are not.
func truthy(v ping.Value) bool {
	switch v.Kind() {
	case ping.Missing, ping.Null:
		return false
	case ping.Bool:
		b, _ := v.Bool()
		return b
	}
	return true
}

// setDocument sets the metadata from the document. A telemetry document with a version overrides the path, even
// for a member that it lacks. A document without a version, such as a mobile ping with its "v", or of another
// namespace, only adds members.
func setDocument(m *ping.Meta, doc *ping.Doc, u *URI) {
	switch {
	case !u.telemetry():
		setText(m, ping.ClientID, doc.Value(fields.clientID))
	case truthy(doc.Value(fields.version)):
		for _, t := range fields.texts {
			setText(m, t.field, doc.Value(t.slot))
		}
		setVersioned(m, doc)
	default:
		if v := doc.Value(fields.mobileVersion); truthy(v) {
			setText(m, ping.SourceVersion, v)
		}
		setText(m, ping.ClientID, doc.Value(fields.clientID))
	}
	m.Clear(ping.SampleID)
	if id, ok := doc.Value(fields.clientID).Str(nil); ok {
		m.SetInt(ping.SampleID, ping.SampleOf(id))
	}
}

// setVersioned sets the fields of a document with a version that are not plain texts.
func setVersioned(m *ping.Meta, doc *ping.Doc) {
	m.Clear(ping.TelemetryEnabled)
	if v := doc.Value(fields.tel); v.Kind() == ping.Bool {
		m.SetText(ping.TelemetryEnabled, v.Raw())
	}
	m.Clear(ping.NormalizedOSVersion)
	if v, ok := doc.Value(fields.osVersion).Text(nil); ok && len(v) <= maxField {
		m.SetText(ping.NormalizedOSVersion, NormalizedOSVersion(v))
	}
	m.Clear(ping.CreationTimestamp)
	if v, ok := doc.Value(fields.creationDate).Str(nil); ok {
		if ns, ok := CreationTimestamp(v); ok {
			m.SetInt(ping.CreationTimestamp, ns)
		}
	}
	setChannel(m)
}

// gleanFields holds the slots of the members of a Glean ping that become metadata.
var gleanFields = func() (f struct {
	program                        *ping.Program
	pingInfo, clientInfo, clientID ping.Slot
	osVersion, endTime             ping.Slot
	texts                          []textField
}) {
	var p ping.PathSet
	f.pingInfo, f.clientInfo = p.Add("ping_info"), p.Add("client_info")
	f.clientID = p.Add("client_info", "client_id")
	f.osVersion = p.Add("client_info", "os_version")
	f.endTime = p.Add("ping_info", "end_time")
	f.texts = []textField{
		{ping.AppVersion, p.Add("client_info", "app_display_version")},
		{ping.AppBuildID, p.Add("client_info", "app_build")},
		{ping.AppUpdateChannel, p.Add("client_info", "app_channel")},
		{ping.OS, p.Add("client_info", "os")},
		{ping.Reason, p.Add("ping_info", "reason")},
	}
	f.program = p.Compile()
	return f
}()

// setGlean sets the metadata from the document of a Glean ping.
func setGlean(m *ping.Meta, doc *ping.Doc, u *URI) {
	for _, t := range gleanFields.texts {
		m.SetText(t.field, shortText(doc.Value(t.slot)))
	}
	m.Clear(ping.AppName)
	if string(u.Namespace) == firefoxDesktop {
		m.SetText(ping.AppName, firefoxText)
	}
	m.Clear(ping.NormalizedChannel)
	if m.Has(ping.AppUpdateChannel) {
		setChannel(m)
	}
	m.SetText(ping.NormalizedOSVersion, NormalizedOSVersion(shortText(doc.Value(gleanFields.osVersion))))
	m.Clear(ping.CreationTimestamp)
	if end, ok := glean.Time(shortText(doc.Value(gleanFields.endTime))); ok && end > math.MinInt64/1000 && end < math.MaxInt64/1000 {
		m.SetInt(ping.CreationTimestamp, end*1000)
	}
	m.Clear(ping.ClientID)
	m.Clear(ping.SampleID)
	if id, ok := doc.Value(gleanFields.clientID).Str(nil); ok && isUUID(id) {
		id = lowered(id)
		m.SetText(ping.ClientID, id)
		m.SetInt(ping.SampleID, ping.SampleOf(id))
	}
}

// shortText returns a string that becomes metadata, nil if it is empty, longer than maxField or something else.
func shortText(v ping.Value) []byte {
	if text, ok := v.Str(nil); ok && len(text) > 0 && len(text) <= maxField {
		return text
	}
	return nil
}

// maxField is the size in bytes of the longest text of a document that becomes metadata. Longer texts are
// treated like values of a wrong type. Client ids are not bounded, because requests to forget a client use
// them.
const maxField = 64 << 10

// setText sets a text by rule S, or clears it.
func setText(m *ping.Meta, f ping.MetaField, v ping.Value) {
	text, ok := v.Text(nil)
	if !ok || len(text) > maxField && f != ping.ClientID {
		text = nil
	}
	m.SetText(f, text)
}

func setChannel(m *ping.Meta) {
	m.SetText(ping.NormalizedChannel, channelTexts[NormalizedChannel(m.Text(ping.AppUpdateChannel))])
}

// Texts of metadata that many pings share. They are read-only.
var (
	firefoxText  = []byte("Firefox")
	channelTexts = func() map[string][]byte {
		texts := map[string][]byte{}
		for _, c := range normalizedChannels {
			texts[c] = []byte(c)
		}
		return texts
	}()
)
