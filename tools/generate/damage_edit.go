package generate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/tools/generate/random"
)

func truncate(w *writer, r *random.Source) {
	w.setBody(w.sub.Body[:r.Between(1, len(w.sub.Body)-1)])
}

func notAnObject(w *writer, r *random.Source) {
	whole := [][]byte{
		[]byte(`null`), []byte(`42`), []byte(`"a ping"`), []byte(`[]`),
		slices.Concat([]byte{'['}, w.sub.Body, []byte{']'}),
	}
	w.setBody(random.Pick(r, whole))
}

// gzipGarbage sends what begins as gzip and goes on with a block of the type that
// is not defined.
func gzipGarbage(w *writer, r *random.Source) {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 0x07}
	for n := r.Between(1, 400); n > 0; n-- {
		b = append(b, byte(r.Uint64()))
	}
	w.setBody(b)
	w.sub.Headers = append(w.sub.Headers, Header{"Content-Encoding", "gzip"})
}

func gzipTruncated(w *writer, r *random.Source) {
	w.pack()
	w.setBody(w.sub.Body[:r.Between(2, len(w.sub.Body)-1)])
}

// nested puts arrays inside each other into the payload.
func nested(levels int) func(*writer, *random.Source) {
	return inserting(`"payload":{`, `"nest":`+strings.Repeat("[", levels)+strings.Repeat("]", levels))
}

func shortURI(w *writer, r *random.Source) {
	parts := bytes.Split(w.sub.URI, []byte{'/'})
	w.sub.URI = bytes.Join(parts[:r.Between(1, len(parts)-2)], []byte{'/'})
}

func wrongURI(w *writer, r *random.Source) {
	w.sub.URI = append([]byte(random.Pick(r, []string{"/submitted", "/.well-known/", "/submit//", "/"})), w.sub.URI...)
}

// wrongType replaces a member by one of a type that its schema forbids.
func wrongType(w *writer, r *random.Source) {
	random.Pick(r, []func(*writer, *random.Source){
		setting("memoryMB", `"lots"`),
		setting("isDefaultBrowser", `"yes"`),
		setting("architecture", `64`),
		setting("partner", `"nobody"`),
		setting("telemetryEnabled", `1`),
		setting("platformVersion", `"new"`),
		setting("monitors", `true`),
	})(w, r)
}

// clientID replaces the client id, or adds one to a document without it.
func clientID(value string) func(*writer, *random.Source) {
	return func(w *writer, r *random.Source) {
		replacing(`"clientId":`, `"clientWas":`)(w, r)
		replacing(`"version":4,`, `"version":4,"clientId":`+value+`,`)(w, r)
	}
}

func oddHistogram(count string) string {
	return `"ODD":{"range":[1,2],"bucket_count":3,"histogram_type":4,"values":{"0":` + count + `,"1":0},"sum":1}`
}

// oddDynamicEvents has events of all wrong shapes, and good ones between them, in
// the one process whose events are not checked.
func oddDynamicEvents(w *writer, r *random.Source) {
	replacing(`"dynamic":{`, `"dynamicWas":{`)(w, r)
	inserting(`"processes":{`, `"dynamic":{"events":[`+strings.Join([]string{
		`[10,"example","open","panel"]`, `[11,"example","open"]`, `null`, `{}`, `[12.5,"example","open","panel"]`,
		`[13,"example","open","panel",7]`, `[14,"example","open","panel",null,{"n":1.0,"b":true,"z":null}]`,
		`["15","example","open","panel"]`, `[16,"example","open","panel","v",null]`, `[17,"example","open","panel","v",{},8]`,
		`[-18,"example","open","panel","v"]`,
	}, ",")+`]}`)(w, r)
}

// setDate replaces the Date header, or removes it when the value is empty.
func (w *writer) setDate(value string) {
	w.sub.Headers = slices.DeleteFunc(w.sub.Headers, func(h Header) bool { return h.Name == "Date" })
	if value != "" {
		w.sub.Headers = append(w.sub.Headers, Header{"Date", value})
	}
}
