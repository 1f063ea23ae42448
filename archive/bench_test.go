package archive

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// telemetryBody makes a document of about n bytes that compresses as pings do:
// names repeat from ping to ping, numbers do not.
func telemetryBody(r *rand.Rand, n int) []byte {
	b := fmt.Appendf(nil, `{"type":"main","id":"%016x-%016x","payload":{"histograms":{`, r.Uint64(), r.Uint64())
	for i := 0; len(b) < n; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		h := r.IntN(600)
		b = fmt.Appendf(b, `"HISTOGRAM_%d_%s":{"range":[1,%d],"bucket_count":%d,"histogram_type":%d,"values":{"0":%d`,
			h, [...]string{"MS", "COUNT", "TOTAL_MS", "ENABLED"}[h%4], 1000*(h%10+1), 10+h%50, h%5, r.IntN(1000))
		for k := range r.IntN(8) {
			b = fmt.Appendf(b, `,"%d":%d`, (k+1)*(h%30+1), r.IntN(5000))
		}
		b = fmt.Appendf(b, `},"sum":%d}`, r.IntN(1e6))
	}
	return append(b, "}}}"...)
}

// telemetryMeta makes the metadata of a main ping that arrived within an hour
// of t, in ns.
func telemetryMeta(r *rand.Rand, t int64) *ping.Meta {
	var m ping.Meta
	client := fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint64()>>16)
	m.SetString(ping.DocumentID, fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()))
	m.SetString(ping.DocTypeField, "main")
	m.SetString(ping.ClientID, client)
	m.SetInt(ping.SampleID, ping.SampleOf([]byte(client)))
	m.SetInt(ping.Timestamp, t+r.Int64N(3600e9))
	m.SetString(ping.AppName, "Firefox")
	m.SetString(ping.AppVersion, fmt.Sprintf("%d.0", 55+r.IntN(5)))
	m.SetString(ping.AppUpdateChannel, "release")
	m.SetString(ping.AppBuildID, fmt.Sprintf("201806%02d000000", 1+r.IntN(5)))
	m.SetString(ping.AppVendor, "Mozilla")
	m.SetString(ping.NormalizedChannel, "release")
	m.SetString(ping.OS, [...]string{"Windows_NT", "Darwin", "Linux"}[r.IntN(3)])
	m.SetString(ping.GeoCountry, [...]string{"US", "DE", "IN", "BR", "??"}[r.IntN(5)])
	m.SetString(ping.GeoCity, "??")
	m.SetString(ping.Date, fmt.Sprintf("Mon, 04 Jun 2018 %02d:%02d:%02d GMT", r.IntN(24), r.IntN(60), r.IntN(60)))
	m.SetString(ping.Host, "incoming.telemetry.example.org")
	m.SetString(ping.Reason, "shutdown")
	m.SetString(ping.TelemetryEnabled, "true")
	m.SetInt(ping.CreationTimestamp, t-r.Int64N(86400e9))
	m.SetString(ping.SourceName, "telemetry")
	m.SetString(ping.SourceVersion, "4")
	return &m
}

const benchDay = int64(1528070400e9) // 2018-06-04

type sample struct {
	meta *ping.Meta
	body []byte
}

func benchPings(n, size int) (all []sample, bytes int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		s := sample{telemetryMeta(r, benchDay+int64(i)*1e9), telemetryBody(r, size/2+r.IntN(size))}
		bytes += int64(len(s.body))
		all = append(all, s)
	}
	return all, bytes
}

func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{80 << 10, 2 << 10} {
		for _, squeeze := range []bool{false, true} {
			b.Run(fmt.Sprintf("size=%d/squeeze=%t", size, squeeze), func(b *testing.B) {
				all, bytes := benchPings(96<<20/size, size)
				b.SetBytes(bytes)
				for b.Loop() {
					w, err := NewWriter(context.Background(), store.NewMemory(), Options{BufferBytes: 1 << 30})
					if err != nil {
						b.Fatal(err)
					}
					w.squeezes = squeeze
					for _, s := range all {
						if err := w.Append(s.meta, s.body); err != nil {
							b.Fatal(err)
						}
					}
					s, err := w.Close(context.Background(), "bench")
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(s.Raw)/float64(s.Bytes), "ratio")
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []int{80 << 10, 2 << 10} {
		for _, files := range []int{1, 8} {
			for _, step := range []int{101, 10, 1} {
				b.Run(fmt.Sprintf("size=%d/files=%d/samples=%d", size, files, step), func(b *testing.B) {
					bucket, bytes := benchArchive(b, size, files)
					b.SetBytes(bytes)
					d, err := OpenDay(context.Background(), bucket, "20180604", "main")
					if err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						var got int64
						for lo := 0; lo <= 100; lo += step {
							for p, err := range d.Pings(context.Background(), lo, min(lo+step-1, 100)) {
								if err != nil {
									b.Fatal(err)
								}
								got += int64(len(p.Body))
							}
						}
						if got != bytes {
							b.Fatalf("read %d bytes of %d", got, bytes)
						}
					}
				})
			}
		}
	}
}

func benchArchive(b *testing.B, size, files int) (store.Bucket, int64) {
	bucket := store.NewMemory()
	all, bytes := benchPings(96<<20/size, size)
	for f := range files {
		w, err := NewWriter(context.Background(), bucket, Options{BufferBytes: 1 << 30})
		if err != nil {
			b.Fatal(err)
		}
		for i := f; i < len(all); i += files {
			if err := w.Append(all[i].meta, all[i].body); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := w.Close(context.Background(), fmt.Sprintf("load%d", f)); err != nil {
			b.Fatal(err)
		}
	}
	return bucket, bytes
}

// BenchmarkZstd is the yardstick of BenchmarkRead: bare decompression of the
// same bodies in pages of the same size.
func BenchmarkZstd(b *testing.B) {
	const pageBytes = 1 << 20
	all, bytes := benchPings(96<<20/(80<<10), 80<<10)
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	dec, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	var pages [][]byte
	var page []byte
	for i, s := range all {
		if page = append(page, s.body...); len(page) > pageBytes*9/10 || i == len(all)-1 {
			pages = append(pages, enc.EncodeAll(page, nil))
			page = page[:0]
		}
	}
	out := make([]byte, 0, 2*pageBytes)
	b.SetBytes(bytes)
	for b.Loop() {
		for _, p := range pages {
			if _, err := dec.DecodeAll(p, out); err != nil {
				b.Fatal(err)
			}
		}
	}
}
