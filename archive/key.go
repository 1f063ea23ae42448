package archive

import (
	"bytes"
	"cmp"

	"github.com/pingmill/pingmill/ping"
)

// key is a row's place in the order of a day: sample, timestamp, document id,
// each with absent last.
type key struct {
	sample   int
	timeless bool
	time     int64
	document []byte
}

func keyOf(m *ping.Meta) key {
	k := key{sample: sampleOf(m), document: m.Text(ping.DocumentID)}
	t, ok := m.Int(ping.Timestamp)
	k.time, k.timeless = t, !ok
	return k
}

// compareTime orders by sample and timestamp only.
func (k *key) compareTime(o *key) int {
	if c := cmp.Compare(k.sample, o.sample); c != 0 {
		return c
	}
	if k.timeless != o.timeless {
		if o.timeless {
			return -1
		}
		return 1
	}
	return cmp.Compare(k.time, o.time)
}

func (k *key) compare(o *key) int {
	if c := k.compareTime(o); c != 0 {
		return c
	}
	if (k.document == nil) != (o.document == nil) {
		if o.document == nil {
			return -1
		}
		return 1
	}
	return bytes.Compare(k.document, o.document)
}
