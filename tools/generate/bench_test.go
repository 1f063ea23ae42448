package generate

import "testing"

// BenchmarkDocuments writes documents on one core; the rate counts bytes of JSON.
func BenchmarkDocuments(b *testing.B) {
	g, err := New(Config{Seed: 1, Clients: 300, Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	var entries []entry
	var bytes int64
	w := writer{g: g}
	g.plan(func(e *entry) bool {
		entries = append(entries, *e)
		w.write(e)
		bytes += int64(len(w.sub.Document))
		return len(entries) < 500
	})
	b.SetBytes(bytes / int64(len(entries)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		w.write(&entries[n%len(entries)])
		n++
	}
}

// BenchmarkPlan plans a day of 1000 clients.
func BenchmarkPlan(b *testing.B) {
	g, err := New(Config{Seed: 1, Clients: 1000, Days: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		g.Expect()
	}
}
