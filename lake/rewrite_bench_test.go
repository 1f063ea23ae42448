package lake

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// BenchmarkRewrite removes one client in a hundred from files that all have
// some; the rate is of all rows that are read.
func BenchmarkRewrite(b *testing.B) {
	const rows = 20_000
	clients := make([]string, rows)
	for i := range clients {
		clients[i] = fmt.Sprintf("client %d", i%100)
	}
	data := clientFile(clients...)
	r := forget("bbbb")
	r.Options = Laptop()
	r.Keys[0].Drop = func(v []byte) bool { return bytes.Equal(v, []byte("client 42")) }
	for b.Loop() {
		b.StopTimer()
		bucket := store.NewMemory()
		if err := putClients(bucket, sampled, "aaaa", map[int][]byte{0: data}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if got, err := Open(bucket, sampled).Rewrite(ctx, day, r); err != nil || got.Rows != rows/100 {
			b.Fatalf("%+v, %v", got, err)
		}
	}
	b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
}
