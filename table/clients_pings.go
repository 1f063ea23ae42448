package table

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/pingmill/pingmill/ping"
)

// ClientPing is a ping of a client of a table of snapshots.
type ClientPing struct {
	Meta    *ping.Meta
	Size    float64 // of the submission; 0: not known
	Start   []byte  // of the subsession, as sent
	Counter int64   // of the subsession in the profile
	Body    []byte
}

// Newest returns the pings that count for the row of a client, in their order: by start as text and by counter, the newest
// first, then by arrival and document id. Of pings with the same document id the first one stays, and at most most pings.
// It changes the list.
func Newest(pings []ClientPing, most int) []ClientPing {
	slices.SortFunc(pings, newer)
	seen := make(map[string]bool, min(len(pings), most))
	selected := pings[:0]
	for _, p := range pings {
		if id := string(p.Meta.Text(ping.DocumentID)); len(selected) < most && !seen[id] {
			seen[id] = true
			selected = append(selected, p)
		}
	}
	clear(pings[len(selected):])
	return selected
}

func newer(a, b ClientPing) int {
	return cmp.Or(bytes.Compare(b.Start, a.Start), cmp.Compare(b.Counter, a.Counter), cmp.Compare(arrival(a.Meta), arrival(b.Meta)),
		bytes.Compare(a.Meta.Text(ping.DocumentID), b.Meta.Text(ping.DocumentID)))
}

func arrival(m *ping.Meta) int64 {
	n, _ := m.Int(ping.Timestamp)
	return n
}

// Keys finds what decides on the place of a ping in the row of its client.
type Keys struct {
	program        *ping.Program
	start, counter ping.Slot
	doc            ping.Doc
}

// NewKeys compiles the paths of the keys.
func NewKeys() *Keys {
	var paths ping.PathSet
	k := &Keys{start: paths.Add("payload", "info", "subsessionStartDate"), counter: paths.Add("payload", "info", "profileSubsessionCounter")}
	k.program = paths.Compile()
	return k
}

// Find returns a ping with its keys. It returns false for a ping that counts for no row: one without client id, document id,
// start or counter. An error is a body that is no JSON object.
func (k *Keys) Find(m *ping.Meta, body []byte) (p ClientPing, ok bool, err error) {
	if err := k.doc.Scan(k.program, body); err != nil {
		return p, false, err
	}
	p = ClientPing{Meta: m, Body: body}
	start, has := k.doc.Value(k.start).Str(nil)
	counter, is := counterOf(k.doc.Value(k.counter))
	p.Start, p.Counter = start, counter
	ok = has && is && len(start) <= MaxText && len(m.Text(ping.ClientID)) > 0 && len(m.Text(ping.ClientID)) <= MaxText &&
		m.Has(ping.DocumentID) &&
		len(m.Text(ping.DocumentID)) <= MaxText
	return p, ok, nil
}

// counterOf reads an integer token; one beyond 64 bits is the largest or the smallest.
func counterOf(v ping.Value) (int64, bool) {
	if !v.IsInteger() {
		return 0, false
	}
	n, ok := v.Integer64()
	switch {
	case ok:
		return n, true
	case v.Raw()[0] == '-':
		return math.MinInt64, true
	}
	return math.MaxInt64, true
}
