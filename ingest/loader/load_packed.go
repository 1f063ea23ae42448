package loader

import (
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// settle chooses the form in which a submission's document is archived: as its client compressed it, if the
// archive accepts that. The decoder reuses its memory unless the document is in it.
func (l *loader) settle(out *ingest.Outcome, o *outcome) {
	if worthPacked(out.Gzip, out.Body) {
		o.packed = out.Gzip
		if !l.needs(&o.meta) {
			o.body = nil
		}
	}
	if len(o.body) > 0 && &o.body[0] != &o.submission.Body[0] {
		return
	}
	ownTexts(&o.meta)
	l.outcomes.Put(out)
}

// worthPacked reports whether the archive can store the client's compressed form.
func worthPacked(packed, document []byte) bool {
	return packed != nil && len(packed) <= len(document)/2 && archive.IsPacked(packed, len(document))
}

// needs reports whether a document is read once more when it is appended.
func (l *loader) needs(m *ping.Meta) bool {
	return l.limits.Requests.IsRequest(m.Namespace(), string(m.Text(ping.DocTypeField))) || l.wants != nil && l.wants(m)
}

// ownTexts copies the texts out of a decoder's memory.
func ownTexts(m *ping.Meta) {
	size := 0
	for f := range ping.NumMetaFields {
		if !f.IsInt() {
			size += len(m.Text(f))
		}
	}
	buf := make([]byte, 0, size)
	for f := range ping.NumMetaFields {
		if f.IsInt() {
			continue
		}
		if t := m.Text(f); t != nil {
			n := len(buf)
			buf = append(buf, t...)
			m.SetText(f, buf[n:len(buf):len(buf)])
		}
	}
}
