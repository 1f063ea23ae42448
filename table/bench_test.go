package table

import (
	"math/rand/v2"
	"testing"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// BenchmarkPings turns a ping into its row, for each table that is made from pings. The one of
// main_summary is real.
func BenchmarkPings(b *testing.B) {
	p := defaultProbes(b)
	for _, path := range []string{
		"main_summary/heka_hindsight_full_ping.json.gz", "crash_summary/crash_from_fixture.json",
		"telemetry_new_profile_parquet/sample.json", "telemetry_update_parquet/ready.json",
	} {
		c := readCase(b, "testdata/conformance/"+path)
		var meta ping.Meta
		if err := meta.ParseJSON(c.Input.Meta); err != nil {
			b.Fatal(err)
		}
		table, err := schema.Find(schema.NewSet(p).Tables, c.Table)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.Table, func(b *testing.B) {
			t, out := NewPings(table, p), column.NewBatch(table.Columns)
			b.SetBytes(int64(len(c.Input.Ping)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%1000 == 0 {
					out.Reset()
				}
				if ok, err := t.Append(out, &meta, c.Input.Ping); err != nil || !ok {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

// BenchmarkRows makes rows from 1,000 random ones of main_summary.
func BenchmarkRows(b *testing.B) {
	const rows = 1000
	random := random{rand.New(rand.NewPCG(1, 1))}
	for _, name := range []string{"addons", "clients_daily", "search_clients_daily", "search_aggregates"} {
		d := openDaily(b, name)
		for _, row := range random.rows(d.inputs, rows) {
			if err := d.in.AppendJSONRow(row); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.out.Reset()
				addRows(d.rows, d.out, d.in)
				flushRows(d.rows, d.out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows*b.N), "ns/row")
		})
	}
}
