package edge

import (
	"bytes"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/ingest/spool"
)

// Tagged is an acknowledged submission with a debug tag, the header X-Debug-ID.
type Tagged struct {
	Timestamp int64 // arrival in ns since epoch
	Tag       string
	URI       string
}

// maxRecent is the number of tagged submissions that the edge remembers. The archive has all.
const maxRecent = 500

// recent holds the newest tagged submissions, so that developers see theirs before they are in the archive.
type recent struct {
	mu  sync.Mutex
	all []Tagged
}

var debugID = []byte("X-Debug-ID")

// add adds a submission if it has a tag.
func (r *recent) add(rec *spool.Record) {
	i := slices.IndexFunc(rec.Headers, func(h spool.Header) bool { return bytes.Equal(h.Name, debugID) })
	if i < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) == maxRecent {
		r.all = slices.Delete(r.all, 0, 1)
	}
	r.all = append(r.all, Tagged{rec.Timestamp, string(rec.Headers[i].Value), string(rec.URI)})
}

// Tagged returns the newest submissions with a tag, oldest first.
func (s *Server) Tagged(tag string) (found []Tagged) {
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	for _, t := range s.recent.all {
		if t.Tag == tag {
			found = append(found, t)
		}
	}
	return found
}
