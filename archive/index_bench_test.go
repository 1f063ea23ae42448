package archive

import (
	"fmt"
	"testing"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// manyLoads puts loads of 20 days into an archive, as the service makes them, and
// the last day's of 288.
func manyLoads(b *testing.B, n int) store.Bucket {
	b.Helper()
	bucket, err := store.OpenLocal(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		w, err := NewWriter(ctx, bucket, Options{Owner: "spool-edge"})
		if err != nil {
			b.Fatal(err)
		}
		var m ping.Meta
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, string(ping.DayOf(int64(i/288)*86400e9)))
		m.SetString(ping.DocumentID, fmt.Sprint(i))
		if err := w.Append(&m, []byte("{}")); err != nil {
			b.Fatal(err)
		}
		if _, err := w.Close(ctx, fmt.Sprintf("spool.edge.%016d-%016d", i, i)); err != nil {
			b.Fatal(err)
		}
	}
	return bucket
}

// BenchmarkOpenDay opens a day of 288 loads in archives of different ages: it takes
// the same time in each.
func BenchmarkOpenDay(b *testing.B) {
	for _, n := range []int{288, 2880} {
		bucket := manyLoads(b, n)
		b.Run(fmt.Sprint("loads=", n), func(b *testing.B) {
			for b.Loop() {
				if d, err := OpenDay(ctx, bucket, "19700101", "main"); err != nil || d.Files() != 288 {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("states/loads=", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := States(ctx, bucket, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("damage/loads=", n), func(b *testing.B) {
			for b.Loop() {
				if all, err := damageBelow(ctx, bucket, []string{naming.Pings + "/", naming.Errors + "/"}); err != nil || len(all) != 0 {
					b.Fatal(all, err)
				}
			}
		})
	}
}
