//go:build !race

package ingest

import "testing"

// Under the race detector a sync.Pool forgets at random what is put into it.

func TestUnpackAllocations(t *testing.T) {
	u := unpacker{DefaultMaxBody, DefaultMaxRatio}
	doc := largePing(t)
	for name, most := range map[string]float64{"gzip": 0, "zlib": 0, "bare": 0, "zstd": 2, "zstd bare": 2, "br": 60} {
		p := packers[name]
		s := Submission{Body: p.packed(t, doc)}
		s.Headers.Set(ContentEncoding, []byte(p.name))
		var o Outcome
		got := testing.AllocsPerRun(50, func() {
			if _, err := u.unpack(&o, &s); err != nil {
				t.Error(err)
			}
		})
		if got > most {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}
