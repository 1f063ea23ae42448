package generate

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// setMeta sets what ingestion adds to the submission. The texts are in w.ids or
// never change.
func (w *writer) setMeta() {
	m, ids := &w.sub.Meta, w.ids[:0]
	set := func(f ping.MetaField, text string) {
		n := len(ids)
		ids = append(ids, text...)
		m.SetText(f, ids[n:len(ids):len(ids)])
	}
	n := len(ids)
	ids = random.AppendUUID(ids, w.g.config.Seed, random.ForDocumentID, w.client.number, uint64(w.entry.serial))
	m.SetText(ping.DocumentID, ids[n:len(ids):len(ids)])
	m.SetInt(ping.Timestamp, w.sub.Timestamp)
	set(ping.SubmissionDate, string(w.day()))
	set(ping.DocTypeField, string(w.docType))
	set(ping.SourceName, "telemetry")
	set(ping.SourceVersion, w.version)
	if !w.client.null {
		m.SetText(ping.ClientID, w.client.id[:])
		m.SetInt(ping.SampleID, ping.SampleOf(w.client.id[:]))
	}
	set(ping.AppName, w.app)
	set(ping.AppVersion, w.build.version)
	set(ping.AppUpdateChannel, w.client.channel.name)
	set(ping.AppBuildID, w.build.id)
	set(ping.AppVendor, vendor)
	set(ping.NormalizedChannel, normalizedChannel(w.client.channel.name))
	w.setDocumentMeta(set)
	w.setPlaceMeta(set)
	for _, h := range headerFields {
		if v, ok := w.sub.Header(h.name); ok {
			set(h.field, v)
		}
	}
}

// headerFields are the headers that ingestion keeps.
var headerFields = []struct {
	name  string
	field ping.MetaField
}{
	{"Date", ping.Date}, {"Host", ping.Host}, {"DNT", ping.DNT}, {"X-PingSender-Version", ping.XPingSenderVersion},
	{"X-Telemetry-Agent", ping.XTelemetryAgent},
}

// setDocumentMeta sets what is read from inside the document.
func (w *writer) setDocumentMeta(set func(ping.MetaField, string)) {
	m := &w.sub.Meta
	if w.entry.kind == mainPing {
		set(ping.Reason, reasonNames[w.entry.reason])
	}
	if !w.build.current() {
		set(ping.TelemetryEnabled, strconv.FormatBool(w.software.telemetry))
	}
	if id := w.software.experiment; id != "" && !w.build.current() {
		set(ping.ActiveExperimentID, id)
	}
	set(ping.OS, w.hardware.os.name)
	if v := w.hardware.os.normalized(); v != "" {
		set(ping.NormalizedOSVersion, v)
	}
	ms := second / 1000
	m.SetInt(ping.CreationTimestamp, w.clock(w.entry.made)/ms*ms)
}

// setPlaceMeta sets the location as found in a geo database.
func (w *writer) setPlaceMeta(set func(ping.MetaField, string)) {
	p := &places[w.client.place].value
	set(ping.GeoCountry, orUnknown(p.country))
	set(ping.GeoCity, orUnknown(p.city))
	if p.subdivision1 != "" {
		set(ping.GeoSubdivision1, p.subdivision1)
	}
	if p.subdivision2 != "" {
		set(ping.GeoSubdivision2, p.subdivision2)
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "??"
	}
	return s
}

// normalizedChannel returns the channel of a name of the package's list.
func normalizedChannel(name string) string {
	switch {
	case name == "release", name == "esr", name == "aurora", name == "nightly":
		return name
	case strings.HasPrefix(name, "beta"):
		return "beta"
	case strings.HasPrefix(name, "nightly-cck-"):
		return "nightly"
	}
	return "Other"
}
