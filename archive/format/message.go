package format

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pingmill/pingmill/ping"
)

// attributes holds the relevant attributes of a Pub/Sub message, with the names that today's public pipelines
// use.
type attributes map[string][]byte

// attributeMeta names the attributes of a decoded message that are metadata.
var attributeMeta = map[string]ping.MetaField{
	"document_id":           ping.DocumentID,
	"document_type":         ping.DocTypeField,
	"document_namespace":    ping.SourceName,
	"document_version":      ping.SourceVersion,
	"client_id":             ping.ClientID,
	"app_name":              ping.AppName,
	"app_version":           ping.AppVersion,
	"app_update_channel":    ping.AppUpdateChannel,
	"app_build_id":          ping.AppBuildID,
	"normalized_channel":    ping.NormalizedChannel,
	"normalized_os_version": ping.NormalizedOSVersion,
	"os":                    ping.OS,
	"geo_country":           ping.GeoCountry,
	"geo_city":              ping.GeoCity,
	"geo_subdivision1":      ping.GeoSubdivision1,
	"geo_subdivision2":      ping.GeoSubdivision2,
	"date":                  ping.Date,
	"host":                  ping.Host,
	"dnt":                   ping.DNT,
	"x_pingsender_version":  ping.XPingSenderVersion,
	"x_debug_id":            ping.XDebugID,
	"x_source_tags":         ping.XSourceTags,
	"x_telemetry_agent":     ping.XTelemetryAgent,
}

// attributeHeaders names the attributes that are request headers.
var attributeHeaders = []struct{ attribute, header string }{
	{"date", "Date"}, {"dnt", "DNT"}, {"host", "Host"}, {"user_agent", "User-Agent"},
	{"x_forwarded_for", "X-Forwarded-For"}, {"x_pingsender_version", "X-PingSender-Version"},
	{"x_debug_id", "X-Debug-ID"}, {"x_source_tags", "X-Source-Tags"}, {"x_telemetry_agent", "X-Telemetry-Agent"},
}

// message reads a Pub/Sub message: {"attributeMap":{…},"payload":base64}, or
// with the names of the service itself. It is always a submission: a message
// that was decoded elsewhere goes through decoding again, so that all metadata
// is made by the same rules; what only the other decoder could know, such as
// the country, comes with it.
func (p *lineParser) message(attrs, payload ping.Value, rec *Record) error {
	rec.Kind = Submission
	p.members = attrs.Members(p.members[:0])
	if p.attrs == nil {
		p.attrs = attributes{}
	}
	a := p.attrs
	clear(a)
	for _, m := range p.members {
		if v, ok := m.Value.Str(nil); ok {
			a[string(m.Key)] = v
		}
	}
	if err := a.time(rec); err != nil {
		return err
	}
	if err := a.uri(rec); err != nil {
		return err
	}
	rec.RemoteAddr = a["remote_addr"]
	for _, h := range attributeHeaders {
		if v := a[h.attribute]; v != nil {
			rec.Headers = append(rec.Headers, Header{[]byte(h.header), v})
		}
	}
	for name, field := range attributeMeta {
		if v := a[name]; v != nil {
			rec.Meta.SetText(field, v)
		}
	}
	return p.readBody(payload, "payload", rec)
}

func (a attributes) time(rec *Record) error {
	v := a["submission_timestamp"]
	if v == nil {
		return errors.New("the message has no submission_timestamp")
	}
	t, err := time.Parse(time.RFC3339Nano, string(v))
	if err != nil || t.Year() < 1678 || t.Year() > 2261 {
		return fmt.Errorf("submission_timestamp %.40q is no time of RFC 3339", v)
	}
	rec.Timestamp = t.UnixNano()
	return nil
}

// uri sets the request's URI, or builds one from what a decoder took from it.
func (a attributes) uri(rec *Record) error {
	if rec.URI = a["uri"]; rec.URI != nil {
		return nil
	}
	long := a.segments("document_id", "document_type", "app_name", "app_version", "app_update_channel", "app_build_id")
	if long != nil && string(a["document_namespace"]) == "telemetry" {
		rec.URI = append([]byte("/submit/telemetry"), long...)
		return nil
	}
	version := a.segments("document_version")
	if version == nil {
		version = []byte("/1")
	}
	kind, id := a.segments("document_namespace", "document_type"), a.segments("document_id")
	if kind == nil || id == nil {
		return errors.New("the message has neither a uri nor a document's namespace, type and id")
	}
	rec.URI = slices.Concat([]byte("/submit"), kind, version, id)
	return nil
}

// segments joins attributes to a path, or is nil if one cannot be part of it.
func (a attributes) segments(names ...string) []byte {
	var path []byte
	for _, n := range names {
		v := a[n]
		if len(v) == 0 || bytes.IndexByte(v, '/') >= 0 {
			return nil
		}
		path = append(append(path, '/'), v...)
	}
	return path
}
