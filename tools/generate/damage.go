package generate

import (
	"bytes"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// damage is one way in which a submission is not as it should be.
type damage struct {
	name   string
	weight int
	class  string // of the error that ingestion makes of it; empty: it is accepted
	only   string // names of the types it happens to, all when empty

	// What is other than usual before the document is written.
	app     string
	docType ping.DocType
	version string

	edit func(*writer, *random.Source) // what happens to it after that
}

// damages are all of them; the first is none.
var damages = append([]damage{{}}, append(rejectedDamages, acceptedDamages...)...)

// rejectedDamages make ingestion reject a submission.
var rejectedDamages = []damage{
	{name: "bracket missing", weight: 4, class: "json", edit: replacing(`"environment":{`, `"environment":`)},
	{name: "truncated", weight: 8, class: "json", edit: truncate},
	{name: "bracket too many", weight: 2, class: "json", edit: func(w *writer, _ *random.Source) { w.setBody(append(w.sub.Body, '}')) }},
	{name: "not an object", weight: 3, class: "json", edit: notAnObject},
	{name: "empty", weight: 3, class: "json", edit: func(w *writer, _ *random.Source) { w.setBody([]byte{}) }},
	{name: "not UTF-8", weight: 3, class: "json", edit: replacing(`"locale":"`, "\"locale\":\"\xff\xfe")},
	{name: "gzip garbage", weight: 4, class: "json", edit: gzipGarbage},
	{name: "gzip truncated", weight: 3, class: "json", edit: gzipTruncated},
	{name: "nested too deep", weight: 3, class: "json", edit: nested(600)},
	{name: "short uri", weight: 5, class: "uri", edit: shortURI},
	{name: "wrong uri", weight: 3, class: "uri", edit: wrongURI},
	{name: "no uri", weight: 2, class: "uri", edit: func(w *writer, _ *random.Source) { w.sub.URI = nil }},
	{name: "wrong type", weight: 6, class: "json", edit: wrongType},
	{name: "client is a number", weight: 3, class: "json", only: "main new-profile update", edit: clientID(`1234567890`)},
	{name: "client is no id", weight: 3, class: "json", only: "main new-profile update", edit: clientID(`"nobody"`)},
	{name: "client missing", weight: 8, class: "json", only: "new-profile update", edit: replacing(`"clientId":`, `"clientWas":`)},
	{name: "no creation date", weight: 3, class: "json", edit: replacing(`"creationDate":"`, `"creationDay":"`)},
	{name: "null add-on", weight: 2, class: "json", edit: inserting(`"activeAddons":{`, `"odd@example.org":null`)},
	{name: "null theme", weight: 2, class: "json", edit: setting("theme", `null`)},
	{name: "null experiment", weight: 2, class: "json", edit: inserting(`"experiments":{`, `"odd":null`)},
	{name: "negative count", weight: 2, class: "json", only: "main", edit: inserting(`"histograms":{`, oddHistogram("-1"))},
	{name: "fraction of a count", weight: 2, class: "json", only: "main", edit: inserting(`"histograms":{`, oddHistogram("1.5"))},
	{name: "null histogram", weight: 2, class: "json", only: "main", edit: inserting(`"histograms":{`, `"ODD":null`)},
	{name: "negative length", weight: 2, class: "json", only: "main", edit: setting("subsessionLength", `-1`)},
	{name: "event too short", weight: 2, class: "json", only: "main", edit: inserting(`"events":[`, `[1,"navigation","search"]`)},
	{name: "event too long", weight: 2, class: "json", only: "main", edit: inserting(`"events":[`, `[1,"a","b","c","d",{},7]`)},
	{name: "fraction in an event", weight: 1, class: "json", only: "main", edit: inserting(`"events":[`, `[1.5,"a","b","c"]`)},
}

// acceptedDamages are odd, but no reason to reject a submission.
var acceptedDamages = []damage{
	{name: "unknown type", weight: 4, docType: "heartbeat"},
	{name: "other unknown type", weight: 4, docType: "modules"},
	{name: "unknown version", weight: 3, version: "5"},
	{name: "other application", weight: 5, app: "Fennec"},
	{name: "third application", weight: 4, app: "Thunderbird"},
	{name: "nested deep", weight: 3, edit: nested(400)},
	{name: "fraction of a megabyte", weight: 3, edit: setting("memoryMB", `4095.75`)},
	{name: "number as version", weight: 3,
		edit: inserting(`"activeAddons":{`, `"odd@example.org":{"version":1.5,"foreignInstall":1,"userDisabled":0,"installDay":null}`)},
	{name: "no date header", weight: 3, edit: func(w *writer, _ *random.Source) { w.setDate("") }},
	{name: "odd date header", weight: 3, edit: func(w *writer, _ *random.Source) { w.setDate("yesterday, about noon") }},
	{name: "negative scalar", weight: 3, only: "main", edit: setting("browser.engagement.tab_open_event_count", `-5`)},
	{name: "huge scalar", weight: 3, only: "main", edit: setting("browser.engagement.total_uri_count", `99999999999999999999`)},
	{name: "huge length", weight: 3, only: "main", edit: setting("sessionLength", `9223372036854775808`)},
	{name: "fraction of a time", weight: 3, only: "main", edit: setting("totalTime", `1234.5`)},
	{name: "null time", weight: 2, only: "main", edit: setting("main", `null`)},
	{name: "null keyed histogram", weight: 2, only: "main", edit: inserting(`"keyedHistograms":{`, `"ODD_KEYED":null`)},
	{name: "odd dynamic events", weight: 3, only: "main", edit: oddDynamicEvents},
	{name: "no events", weight: 1, only: "main", edit: replacing(`"processes":{"parent":{"events":`, `"processes":{"parent":{"eventsWere":`)},
}

// drawDamage draws a kind of damage for documents of a kind and returns its index.
func drawDamage(r *random.Source, k kind) uint8 {
	total := 0
	for i := range damages {
		total += damages[i].weightFor(k)
	}
	n := r.Below(total)
	for i := range damages {
		if n -= damages[i].weightFor(k); n < 0 {
			return uint8(i)
		}
	}
	return 0
}

func (d *damage) weightFor(k kind) int {
	if d.only == "" {
		return d.weight
	}
	for only := range strings.FieldsSeq(d.only) {
		if only == string(docTypes[k]) {
			return d.weight
		}
	}
	return 0
}

// setBody makes b what is sent.
func (w *writer) setBody(b []byte) {
	w.sub.Body, w.sub.Document = b, b
}

// replacing replaces the first occurrence of a text.
func replacing(before, after string) func(*writer, *random.Source) {
	return func(w *writer, _ *random.Source) {
		w.setBody(bytes.Replace(w.sub.Body, []byte(before), []byte(after), 1))
	}
}

// setting changes the value of the first member with a name, and moves its old value to a member with another name.
func setting(name, value string) func(*writer, *random.Source) {
	return replacing(`"`+name+`":`, `"`+name+`":`+value+`,"`+name+`Was":`)
}

// inserting puts something at the beginning of an object or array.
func inserting(start, what string) func(*writer, *random.Source) {
	return func(w *writer, r *random.Source) {
		after := start + what + ","
		if i := bytes.Index(w.sub.Body, []byte(start)); i >= 0 {
			if c := w.sub.Body[i+len(start)]; c == '}' || c == ']' {
				after = start + what
			}
		}
		replacing(start, after)(w, r)
	}
}
