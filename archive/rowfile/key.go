package rowfile

import (
	"bytes"
	"cmp"

	"github.com/pingmill/pingmill/ping"
)

// Key is the place of a row in the order of a day: sample, timestamp, document id, each with absent last.
type Key struct {
	sample   int
	timeless bool
	time     int64
	document []byte
}

// KeyOf returns the key of a row with this metadata.
func KeyOf(m *ping.Meta) Key {
	k := Key{sample: SampleOf(m), document: m.Text(ping.DocumentID)}
	t, ok := m.Int(ping.Timestamp)
	k.time, k.timeless = t, !ok
	return k
}

// compareTime orders by sample and timestamp only.
func (k *Key) compareTime(o *Key) int {
	if c := cmp.Compare(k.sample, o.sample); c != 0 {
		return c
	}
	if k.timeless != o.timeless {
		if o.timeless {
			return -1
		}
		return 1
	}
	if k.timeless {
		return 0 // the first key of a row group has a time anyway
	}
	return cmp.Compare(k.time, o.time)
}

// Compare returns a negative number, 0 or a positive number if k is before o, equal to it or after it.
func (k *Key) Compare(o *Key) int {
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
