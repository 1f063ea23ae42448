package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

//go:embed fleet.json
var storedFleet []byte

// Fleet is a run of the submissions that many clients send in some hours, and of the tables of their day.
type Fleet struct {
	Clients  float64
	Hours    float64 // of submissions, which were sent in as many hours
	Distinct int     // clients that have sent
	Kinds    []FleetKind
	Steps    []FleetStep
	Archive  int64                     // bytes
	Tables   int64                     // bytes
	Requests map[string]map[string]int // by step, and by kind and place
}

// FleetKind counts the submissions of a kind.
type FleetKind struct {
	Name string
	N    int64 // submissions that were acknowledged
	Sent int64 // bytes of their bodies
}

// FleetStep is a process, with the processor time of its life.
type FleetStep struct {
	Name    string
	CPU     float64 // s
	Peak    int64   // bytes of memory
	Seconds float64
}

// The steps of a run.
const (
	stepEdge   = "edge"
	stepServer = "decoding and live rows"
	stepTables = "daily tables"
)

// fleet returns the run as it was measured last.
func fleet() (f Fleet, err error) { return f, json.Unmarshal(storedFleet, &f) }

func (f *Fleet) step(name string) (s FleetStep) {
	for _, one := range f.Steps {
		if one.Name == name {
			s = one
		}
	}
	return s
}

// requests returns the requests of a step: puts and all that costs as much, and gets.
func (f *Fleet) requests(step string) (puts, gets float64) {
	for what, n := range f.Requests[step] {
		switch kind, _, _ := strings.Cut(what, " "); kind {
		case "put", "copy", "list":
			puts += float64(n)
		case "get", "head":
			gets += float64(n)
		}
	}
	return puts, gets
}

// compare writes the table of a run beside the model of the same submissions.
func (f *Fleet) compare(b *strings.Builder, in Inputs) {
	all, sent := 0.0, 0.0
	sum := func(cost func(Kind) float64) (s float64) {
		for i, k := range in.pings() {
			s += float64(f.Kinds[i].N) * cost(k)
		}
		return s
	}
	for _, k := range f.Kinds {
		all += float64(k.N)
		sent += float64(k.Sent)
	}
	seconds := f.Hours * 3600
	server, tables := f.step(stepServer), f.step(stepTables)
	row := func(what string, measured, model float64, format func(float64) string) {
		fmt.Fprintf(b, "| %s | %s | %s | %+.0f %% |\n", what, format(measured), format(model), 100*(model/measured-1))
	}
	cpu := func(s float64) string { return fmt.Sprintf("%.0f s", s) }
	size := func(n float64) string { return humanize.Bytes(uint64(n)) }
	count := func(n float64) string { return humanize.Comma(int64(math.Round(n))) }
	n := func(kind int) string { return count(float64(f.Kinds[kind].N)) }
	fmt.Fprintf(b, "\n## %g hours of %s clients\n\n%s submissions of %s clients: %s main pings, %s of other telemetry, %s of Glean.\n\n"+
		"| what | measured | model | difference |\n|---|---|---|---|\n",
		f.Hours, count(f.Clients), count(all), count(float64(f.Distinct)), n(0), n(1), n(2))
	edge := sum(func(k Kind) float64 { return k.EdgeCPU }) + in.Edge.syncCores(all/seconds)*seconds
	row("processor time, edge", f.step(stepEdge).CPU, edge, cpu)
	row("processor time, decoding and live rows", server.CPU, sum(func(k Kind) float64 { return k.DecodeCPU + k.LiveCPU }), cpu)
	row("processor time, tables of the day", tables.CPU, sum(func(k Kind) float64 { return k.TablesCPU }), cpu)
	row("bytes sent", sent, sum(func(k Kind) float64 { return k.SentBytes }), size)
	row("bytes of the archive", float64(f.Archive), sum(func(k Kind) float64 { return k.ArchiveSize }), size)
	row("bytes of the tables", float64(f.Tables), sum(func(k Kind) float64 { return k.TableSize }), size)
	row("memory of decoding", float64(server.Peak), in.Edge.Memory+all*10/8*in.Edge.SeenBytes, size)
	puts, gets := f.requests(stepServer)
	p := in.plan(f.Clients)
	row("requests of the hour: puts, lists", puts, (p.Loads/p.Edges/24*in.Bucket.LoadReqs/3+in.Bucket.LivePuts)*f.Hours, count)
	row("requests of the hour: gets", gets, (p.Loads/p.Edges/24*in.Bucket.LoadReqs*2/3+in.Bucket.LiveGets)*f.Hours, count)
}
