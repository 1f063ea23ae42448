package table

import (
	"testing"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// BenchmarkMainSummary turns a real main ping into rows.
func BenchmarkMainSummary(b *testing.B) {
	c := readCase(b, "testdata/conformance/main_summary/heka_hindsight_full_ping.json.gz")
	var meta ping.Meta
	if err := meta.ParseJSON(c.Input.Meta); err != nil {
		b.Fatal(err)
	}
	p := defaultProbes(b)
	main := schema.MainSummary(p)
	t, out := NewPings(main, p), column.NewBatch(main.Columns)
	b.SetBytes(int64(len(c.Input.Ping)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			out.Reset()
		}
		if _, err := t.Append(out, &meta, c.Input.Ping); err != nil {
			b.Fatal(err)
		}
	}
}
