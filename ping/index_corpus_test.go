package ping

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
)

// pingLike returns documents with the density of tokens of main pings, about
// 0.14 quotes, 0.07 colons, 0.06 commas and 0.03 brackets a byte, and their
// length together. No two histograms are alike, so that a processor cannot
// learn the branches they cause.
var pingLike = sync.OnceValues(func() (docs [][]byte, size int) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 48 {
		d := pingLikeDoc(r, 60_000+r.IntN(40_000))
		docs = append(docs, d)
		size += len(d)
	}
	return docs, size
})

func pingLikeDoc(r *rand.Rand, size int) []byte {
	b := []byte(`{"type":"main","id":"3bd2ff4a-6d5f-44a1-a1b1-1cd5c02a6c9d","creationDate":"2018-01-01T10:11:12.123Z","version":4`)
	b = append(b, `,"environment":{"addons":{"activeAddons":{`...)
	for i := range 12 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%x@example.com":{"blocklisted":false,"description":"A \"helpful\" add-on, %d","name":"Add-on `+
			`%d","userDisabled":%t,"version":"%d.%d","scope":1,"foreignInstall":false,"installDay":%d,"signedState":null}`,
			r.Uint32(), i, i, i%3 == 0, r.IntN(60), r.IntN(10), 17000+r.IntN(800))
	}
	b = append(b, `}}},"payload":{"histograms":{`...)
	for n := 0; len(b) < size; n++ {
		if n > 0 {
			b = append(b, ',')
		}
		b = appendHistogram(b, r, n)
	}
	return append(b, `}}}`...)
}

func appendHistogram(b []byte, r *rand.Rand, n int) []byte {
	b = fmt.Appendf(b, `"PROBE_%X_%d":{"range":[1,%d],"bucket_count":%d,"histogram_type":%d,"values":{`,
		r.Uint64()>>r.IntN(50), n, 1<<r.IntN(16), 3+r.IntN(100), r.IntN(5))
	bucket := r.IntN(3)
	for i := range 1 + r.IntN(14) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = strconv.AppendInt(b, int64(bucket), 10)
		b = append(b, `":`...)
		b = strconv.AppendInt(b, int64(r.Uint32()>>r.IntN(32)), 10)
		bucket += 1 + bucket*r.IntN(3)/2
	}
	return fmt.Appendf(b, `},"sum":%d}`, r.Uint64()>>(1+r.IntN(62)))
}
