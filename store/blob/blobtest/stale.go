package blobtest

import (
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"time"
)

// history records the changes through a proxy.
type history map[string]change

type change struct {
	at      time.Time
	deleted bool
}

func isList(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Query().Has("list-type")
}

// A listing is S3's, as far as it is changed.
type listing struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	Contents              []object
	CommonPrefixes        []struct{ Prefix string }
	Name, Prefix          string
	Delimiter             string `xml:",omitempty"`
	KeyCount, MaxKeys     int
	IsTruncated           bool
	ContinuationToken     string `xml:",omitempty"`
	NextContinuationToken string `xml:",omitempty"`
}

type object struct {
	Key, LastModified, ETag string
	Size                    int64
}

// stale notes changes, and makes a listing one of a short while ago.
func (p *proxy) stale(r *http.Request, body []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.past == nil {
		p.past = history{}
	}
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case isList(r):
		return p.list(body)
	case r.Method == http.MethodDelete && !r.URL.Query().Has("uploadId"):
		p.past[key] = change{time.Now(), true}
	case r.Method == http.MethodPut && !r.URL.Query().Has("uploadId"), r.Method == http.MethodPost && r.URL.Query().Has("uploadId"):
		p.past[key] = change{time.Now(), false}
	}
	return body
}

// list leaves out what was just written, and has what was just deleted.
func (p *proxy) list(body []byte) []byte {
	var l listing
	if xml.Unmarshal(body, &l) != nil {
		return body
	}
	remaining := l.Contents[:0]
	for _, o := range l.Contents {
		if c, ok := p.past[o.Key]; ok && time.Since(c.at) < p.faults.Stale {
			continue
		}
		remaining = append(remaining, o)
	}
	l.Contents = remaining
	for key, c := range p.past {
		rest, below := strings.CutPrefix(key, l.Prefix)
		if !c.deleted || time.Since(c.at) > p.faults.Stale || !below || l.IsTruncated || l.Delimiter != "" &&
			strings.Contains(rest, l.Delimiter) {
			continue
		}
		l.Contents = append(l.Contents, object{key, c.at.UTC().Format(time.RFC3339), `"0"`, 1})
	}
	slices.SortFunc(l.Contents, func(a, b object) int { return strings.Compare(a.Key, b.Key) })
	l.KeyCount = len(l.Contents) + len(l.CommonPrefixes)
	changed, err := xml.Marshal(l)
	if err != nil {
		return body
	}
	return changed
}
