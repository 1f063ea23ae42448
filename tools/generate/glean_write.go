package generate

import (
	"strconv"
	"time"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// gleanWriter writes one Glean ping.
type gleanWriter struct {
	*writer
	r random.Source
}

// gleanSystems are the names of operating systems in Glean pings, by the name in telemetry.
var gleanSystems = map[string]string{windows: "Windows"}

func gleanOf(w *writer) gleanWriter {
	return gleanWriter{w, random.New(w.g.config.Seed, random.ForGlean, w.client.number, uint64(w.entry.serial))}
}

// write writes the document, the path and the headers.
func (w gleanWriter) write() {
	w.hardware = w.g.hardware(&w.client)
	t := &w.doc
	t.B = t.B[:0]
	t.Begin()
	if w.entry.kind != gleanUsage {
		w.writeClientInfo(t)
	}
	w.writeValues(t)
	if w.entry.kind != gleanUsage {
		w.writePingInfo(t)
	}
	t.Close()
	t.B = t.B[:len(t.B)-1] // the comma

	b := append(w.uri[:0], "/submit/"+w.client.application()+"/"+string(w.entry.kind.docType())+"/1/"...)
	b = random.AppendUUID(b, w.g.config.Seed, random.ForDocumentID, w.client.number, uint64(w.entry.serial))
	w.uri, w.sub.URI = b, b
	w.writeHeaders()
	w.sub.Headers = append(w.sub.Headers, Header{"X-Telemetry-Agent", "Glean/67.3.2 (Rust on " + w.system() + ")"})
}

// id appends the client's id in Glean, that of a request being the id of a profile that sends nothing else.
func (w gleanWriter) id(dst []byte) []byte {
	n := uint64(0)
	if w.entry.kind == gleanRequest {
		n = 1
	}
	return random.AppendUUID(dst, w.g.config.Seed, random.ForGleanID, w.client.number, n)
}

func (w gleanWriter) system() string {
	if name, ok := gleanSystems[w.hardware.os.name]; ok {
		return name
	}
	return w.hardware.os.name
}

func (w gleanWriter) writeClientInfo(t *jsontext.Text) {
	arch := "x86_64"
	if w.bits == 32 {
		arch = "x86"
	}
	t.Open("client_info")
	t.Put("app_build", w.build.id, "app_channel", w.client.channel.name, "app_display_version", w.build.display, "architecture", arch)
	t.Word("client_id", w.id(nil))
	t.Key("first_run_date")
	t.B = jsontext.AppendTime(t.B, int64(w.client.created)*daySec*second, `"2006-01-02+00:00",`)
	t.Put("locale", w.client.locale, "os", w.system(), "os_version", w.hardware.os.version, "telemetry_sdk_build", "67.3.2")
	t.PutIf(w.hardware.os.build > 0, "windows_build_number", w.hardware.os.build)
	t.Close()
}

func (w gleanWriter) writePingInfo(t *jsontext.Text) {
	t.Open("ping_info")
	t.Key("end_time")
	t.B = append(append(t.B, '"'), w.endTime()...)
	t.Raw(`",`)
	t.PutIf(w.reason() != "", "reason", w.reason())
	t.Put("seq", int(w.entry.serial&(1<<27-1)))
	t.Key("start_time")
	t.B = append(append(append(t.B, '"'), w.local(w.entry.subsessionStart*second)...), '"', ',')
	t.Close()
}

// local returns a time as the client's clock shows it, with its offset.
func (w gleanWriter) local(ns int64) string {
	zone := time.FixedZone("", w.client.offset()*minute)
	return time.Unix(0, w.clock(ns)).In(zone).Format("2006-01-02T15:04:05.000-07:00")
}

func (w gleanWriter) endTime() string { return w.local(w.entry.made) }

// reason returns the reason of the ping, "" if its type has none.
func (w gleanWriter) reason() string {
	switch w.entry.kind {
	case gleanBaseline:
		if w.entry.reason == startup {
			return "active"
		}
		return "inactive"
	case gleanEvents:
		return "inactive"
	case gleanMetrics:
		return "today"
	case gleanCrash:
		return "crash"
	case gleanRequest:
		return "at_init"
	}
	return ""
}

// writeValues writes the metrics and events of the ping.
func (w gleanWriter) writeValues(t *jsontext.Text) {
	seconds := int(w.entry.made/second - w.entry.subsessionStart)
	t.Open("metrics")
	switch w.entry.kind {
	case gleanBaseline:
		t.Object("counter", "browser.engagement.active_ticks", seconds/7, "browser.engagement.uri_count", w.r.Span(1, 400))
		t.PutIf(w.reason() == "inactive", "timespan",
			jsontext.Members{"glean.baseline.duration", jsontext.Members{"time_unit", "second", "value", max(seconds, 0)}})
	case gleanMetrics:
		t.Object("boolean", "browser.shell.default_browser", w.r.Percent(60), "policies.is_enterprise", w.r.Percent(5))
		t.Object("quantity", "browser.tabs.open", w.r.Span(1, 60), "memory.total", w.hardware.memory)
		t.Object("labeled_counter", "browser.searchbar.used", jsontext.Members{"urlbar", w.r.Span(1, 40), "searchbar", w.r.Below(4)})
		t.Object("string", "search.engine.default", random.Pick(&w.r, []string{"google-b-e", "ddg", "bing"}))
		w.writeDistributions(t)
	case gleanUsage:
		t.Object("counter", "browser.engagement.active_ticks", seconds/7, "browser.engagement.uri_count", w.r.Span(1, 400))
		t.Object("string", "usage.app_build", w.build.id, "usage.app_channel", w.client.channel.name, "usage.app_display_version",
			w.build.display,
			"usage.os", w.system(), "usage.os_version", w.hardware.os.version, "usage.reason", "active")
		t.Open("uuid")
		t.UUID("usage.profile_id", w.g.config.Seed, random.ForGleanID, w.client.number, 2)
		t.Close()
	case gleanCrash:
		t.Object("boolean", "crash.startup", w.r.Percent(10))
		t.Put("datetime", jsontext.Members{"crash.time", w.local(w.entry.made)})
		t.Object("string", "crash.process_type", processNames[w.entry.process], "crash.app_build", w.build.id)
	}
	if k := w.entry.kind; k != gleanUsage && k != gleanRequest {
		t.Open("uuid")
		t.Word("legacy.telemetry.client_id", w.client.id[:])
		t.Close()
	}
	t.Close()
	if w.entry.kind == gleanEvents {
		w.writeGleanEvents(t)
	}
}

// writeDistributions writes a distribution of each type.
func (w gleanWriter) writeDistributions(t *jsontext.Text) {
	sum, buckets := 0, jsontext.Members{}
	for at := 1 << w.r.Between(10, 20); len(buckets) < 2*w.r.Between(2, 20); at += at/8 + 1 {
		n := w.r.Below(30)
		sum += n * at
		buckets = append(buckets, strconv.Itoa(at), n)
	}
	t.Object("timing_distribution", "perf.page_load", jsontext.Members{"sum", sum, "values", buckets})
	t.Object("memory_distribution", "memory.content", jsontext.Members{"sum", sum, "values", buckets})
	t.Object("custom_distribution", "networking.requests", jsontext.Members{"sum", 12, "values", jsontext.Members{"1", 2, "5", 2}})
}

// writeGleanEvents writes the events of an events ping.
func (w gleanWriter) writeGleanEvents(t *jsontext.Text) {
	t.OpenList("events")
	at := 0
	for range w.r.Span(1, 40) {
		t.Begin()
		t.Put("timestamp", at, "category", random.Pick(&w.r, []string{"nav", "urlbar", "addons.manager"}), "name",
			random.Pick(&w.r, []string{"open", "engagement", "abandonment"}))
		t.PutIf(w.r.Percent(70), "extra",
			jsontext.Members{"glean_timestamp", strconv.FormatInt(w.clock(w.entry.made)/1_000_000, 10), "results", strconv.Itoa(w.r.Below(12))})
		t.Close()
		at += w.r.Span(10, 100_000)
	}
	t.CloseList()
}

// setMeta sets what ingestion adds to the submission.
func (w gleanWriter) setMeta() {
	m := &w.sub.Meta
	set := m.SetString
	set(ping.DocumentID, string(random.AppendUUID(nil, w.g.config.Seed, random.ForDocumentID, w.client.number, uint64(w.entry.serial))))
	m.SetInt(ping.Timestamp, w.sub.Timestamp)
	set(ping.SubmissionDate, string(w.day()))
	set(ping.DocTypeField, string(w.entry.kind.docType()))
	set(ping.SourceName, w.client.application())
	set(ping.SourceVersion, w.version)
	if w.app != "" {
		set(ping.AppName, w.app)
	}
	if w.entry.kind != gleanUsage {
		id := w.id(nil)
		m.SetText(ping.ClientID, id)
		m.SetInt(ping.SampleID, ping.SampleOf(id))
		set(ping.AppVersion, w.build.display)
		set(ping.AppBuildID, w.build.id)
		set(ping.AppUpdateChannel, w.client.channel.name)
		set(ping.NormalizedChannel, normalizedChannel(w.client.channel.name))
		set(ping.OS, w.system())
		if v := w.hardware.os.normalized(); v != "" {
			set(ping.NormalizedOSVersion, v)
		}
		if reason := w.reason(); reason != "" {
			set(ping.Reason, reason)
		}
		ms := second / 1000
		m.SetInt(ping.CreationTimestamp, w.clock(w.entry.made)/ms*ms)
	}
	w.setPlaceMeta(set)
	for _, h := range headerFields {
		if v, ok := w.sub.Header(h.name); ok {
			set(h.field, v)
		}
	}
}
