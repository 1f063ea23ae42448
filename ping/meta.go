package ping

import (
	"bytes"
	"hash/crc32"
	"strconv"
	"time"
)

// DocType is a document type: main, crash, new-profile, update, …
type DocType string

// Day is a UTC day written YYYYMMDD.
type Day string

// MetaField names one member of the ingestion metadata.
type MetaField uint8

// The metadata fields, in the column order of the archive.
const (
	DocumentID MetaField = iota
	DocTypeField
	ClientID
	SampleID
	SubmissionDate
	Timestamp // arrival at the server, ns since epoch
	AppName
	AppVersion
	AppUpdateChannel
	AppBuildID
	AppVendor
	NormalizedChannel
	NormalizedOSVersion
	OS
	GeoCountry
	GeoCity
	GeoSubdivision1
	GeoSubdivision2
	Date // HTTP Date header of the client
	Host
	DNT
	XPingSenderVersion
	Reason
	TelemetryEnabled
	ActiveExperimentID
	CreationTimestamp // creationDate, ns since epoch
	SourceName
	SourceVersion
	URI
	XDebugID        // the tag by which a developer finds pings of a test; from here on see archive/rowfile
	XSourceTags     // a list of tags, see Automated
	XTelemetryAgent // which SDK sent the ping
	UserAgent       // the browser or SDK that sent it; of Glean pings only
	NumMetaFields
)

var metaNames = [NumMetaFields]string{
	"documentId", "docType", "clientId", "sampleId", "submissionDate", "timestamp",
	"appName", "appVersion", "appUpdateChannel", "appBuildId", "appVendor",
	"normalizedChannel", "normalizedOSVersion", "os",
	"geoCountry", "geoCity", "geoSubdivision1", "geoSubdivision2",
	"Date", "Host", "DNT", "xPingSenderVersion",
	"reason", "telemetryEnabled", "activeExperimentId",
	"creationTimestamp", "sourceName", "sourceVersion", "uri",
	"xDebugId", "xSourceTags", "xTelemetryAgent", "userAgent",
}

// metaAliases holds other spellings that ParseJSON accepts.
var metaAliases = map[string]MetaField{"X-PingSender-Version": XPingSenderVersion}

// Name returns the JSON key of the field.
func (f MetaField) Name() string { return metaNames[f] }

// IsInt reports whether the field is a 64-bit integer; all others are text.
func (f MetaField) IsInt() bool {
	return f == SampleID || f == Timestamp || f == CreationTimestamp
}

// MetaFieldByName returns the field with this JSON key or other spelling.
func MetaFieldByName(name string) (MetaField, bool) {
	for f, n := range metaNames {
		if n == name {
			return MetaField(f), true
		}
	}
	f, ok := metaAliases[name]
	return f, ok
}

// Meta is the metadata that ingestion adds to a ping. The zero value has no members. A nil text is absent; an
// empty text is the empty string.
type Meta struct {
	text [NumMetaFields][]byte
	ints [3]int64
	has  [3]bool
}

func intSlot(f MetaField) int {
	switch f {
	case SampleID:
		return 0
	case Timestamp:
		return 1
	}
	return 2
}

// Text returns a text member, or nil if it is absent.
func (m *Meta) Text(f MetaField) []byte { return m.text[f] }

// SetText sets a text member to b without a copy. A nil b clears it.
func (m *Meta) SetText(f MetaField, b []byte) { m.text[f] = b }

// SetString sets a text member.
func (m *Meta) SetString(f MetaField, s string) { m.text[f] = append([]byte{}, s...) }

// Int returns an integer member.
func (m *Meta) Int(f MetaField) (v int64, ok bool) {
	s := intSlot(f)
	return m.ints[s], m.has[s]
}

// SetInt sets an integer member.
func (m *Meta) SetInt(f MetaField, v int64) {
	s := intSlot(f)
	m.ints[s], m.has[s] = v, true
}

// Has reports whether a member is present.
func (m *Meta) Has(f MetaField) bool {
	if f.IsInt() {
		return m.has[intSlot(f)]
	}
	return m.text[f] != nil
}

// Clear makes a member absent.
func (m *Meta) Clear(f MetaField) {
	if f.IsInt() {
		s := intSlot(f)
		m.ints[s], m.has[s] = 0, false
		return
	}
	m.text[f] = nil
}

// Reset makes all members absent.
func (m *Meta) Reset() { *m = Meta{} }

// Telemetry is the namespace of the browser's own pings.
const Telemetry = "telemetry"

// Namespace returns the namespace in the path of the ping's submission. It returns Telemetry if the namespace
// is not known, as for pings that were decoded elsewhere.
func (m *Meta) Namespace() string {
	if n := m.text[SourceName]; len(n) > 0 && string(n) != Telemetry {
		return string(n)
	}
	return Telemetry
}

// Kind returns the kind under which the ping is stored: the document type of a telemetry ping,
// "<namespace>/<document type>" of others. It is "" without a document type.
func (m *Meta) Kind() DocType { return KindOf(m.Namespace(), string(m.text[DocTypeField])) }

// KindOf returns the kind of pings with this namespace and document type.
func KindOf(namespace, docType string) DocType {
	if namespace != Telemetry && docType != "" {
		return DocType(namespace + "/" + docType)
	}
	return DocType(docType)
}

// automation is the source tag of pings from tests that a machine runs.
const automation = "automation"

// Automated reports whether the ping has the source tag automation. Such a ping is kept in the archive, and no table
// has a row of it.
func (m *Meta) Automated() bool {
	for tag := range bytes.SplitSeq(m.text[XSourceTags], []byte(",")) {
		if string(bytes.TrimSpace(tag)) == automation {
			return true
		}
	}
	return false
}

// Day returns the submission day: the member if present, else the day of the timestamp, else "".
func (m *Meta) Day() Day {
	if d := m.Text(SubmissionDate); d != nil {
		return Day(d)
	}
	if ns, ok := m.Int(Timestamp); ok {
		return DayOf(ns)
	}
	return ""
}

// metaSlot pairs a member of a scanned metadata object with its field.
type metaSlot struct {
	slot  Slot
	field MetaField
}

var metaProgram, metaSlots = func() (*Program, []metaSlot) {
	var p PathSet
	var slots []metaSlot
	for f, n := range metaNames {
		slots = append(slots, metaSlot{p.Add(n), MetaField(f)})
	}
	for n, f := range metaAliases {
		slots = append(slots, metaSlot{p.Add(n), f})
	}
	return p.Compile(), slots
}()

// ParseJSON reads an object with the members of Meta. Rule S applies to texts and rule L to integers, so 4.0 is
// sample 4 and a value of a wrong type is absent. It ignores unknown members. The texts point into b if
// possible.
func (m *Meta) ParseJSON(b []byte) error {
	var d Doc
	return m.parse(&d, b)
}

// MetaReader reads metadata objects one after the other without allocating for their index.
type MetaReader struct{ doc Doc }

// Read works like Meta.ParseJSON and reuses the reader's memory.
func (r *MetaReader) Read(m *Meta, b []byte) error { return m.parse(&r.doc, b) }

func (m *Meta) parse(d *Doc, b []byte) error {
	if err := d.Scan(metaProgram, b); err != nil {
		return err
	}
	m.Reset()
	for _, s := range metaSlots {
		v := d.Value(s.slot)
		if v.Kind() == Missing {
			continue
		}
		if s.field.IsInt() {
			if n, ok := v.Int64(); ok {
				m.SetInt(s.field, n)
			}
		} else if t, ok := metaText(s.field, v); ok && m.text[s.field] == nil {
			m.SetText(s.field, t)
		}
	}
	return nil
}

// metaText applies rule S, except to telemetryEnabled, which may be a boolean.
func metaText(f MetaField, v Value) ([]byte, bool) {
	if _, ok := v.Bool(); ok && f == TelemetryEnabled {
		return v.Raw(), true
	}
	return v.Text(nil)
}

// AppendJSON appends the present members as an object.
func (m *Meta) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for f := MetaField(0); f < NumMetaFields; f++ {
		n, ok := int64(0), m.text[f] != nil
		if f.IsInt() {
			n, ok = m.Int(f)
		}
		if !ok {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), metaNames[f]...), '"', ':')
		if f.IsInt() {
			dst = strconv.AppendInt(dst, n, 10)
		} else {
			dst = AppendQuoted(dst, m.text[f])
		}
	}
	return append(dst, '}')
}

// SampleOf returns crc32(client id) % 100, the sample of a client.
func SampleOf(clientID []byte) int64 { return int64(crc32.ChecksumIEEE(clientID) % 100) }

// DayOf returns the UTC day of a time in ns since epoch.
func DayOf(ns int64) Day {
	return Day(time.Unix(0, ns).UTC().Format("20060102"))
}
