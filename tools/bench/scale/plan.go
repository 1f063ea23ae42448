package main

import (
	"fmt"
	"math"
	"slices"
)

func (in Inputs) pings() []Kind { return []Kind{in.Main, in.Other, in.Glean} }

// perClient sums a cost of all submissions of a client in a day.
func (in Inputs) perClient(cost func(Kind) float64) (sum float64) {
	for _, k := range in.pings() {
		sum += k.PerClient * cost(k)
	}
	return sum
}

// Plan describes the needs of a number of clients.
type Plan struct {
	Clients    float64
	Day        float64 // submissions
	Rate       float64 // of the busiest second
	Handshakes float64 // new TLS connections of the busiest second
	Edges      float64 // machines with four cores, one more than are needed
	EdgeCores  float64 // busy at the peak: edge and decoding
	Network    float64 // bytes a second into each edge, at the peak
	Spool      float64 // bytes of each edge for six hours without a bucket, at the mean
	Loads      float64 // a day
	Turns      float64 // share of the time in which a load has its turn
	Seen       float64 // bytes of memory for duplicates in each edge
	Late       Late
	Removal    Removal
	TableHours float64 // of a core, for a day's tables
	Archive    float64 // bytes kept
	Tables     float64
	Puts, Gets float64 // requests of a day
	Month      float64 // money
	Wall       string
}

func (in Inputs) plan(clients float64) Plan {
	daily := func(cost func(Kind) float64) float64 { return clients * in.perClient(cost) }
	p := Plan{Clients: clients, Day: daily(func(Kind) float64 { return 1 })}
	const second = 1. / 86400
	peak := slices.Max(in.Hours[:])
	p.Rate = p.Day * second * peak
	p.Handshakes = daily(func(k Kind) float64 { return k.Connections }) * second * peak
	work := daily(func(k Kind) float64 { return k.EdgeCPU + k.DecodeCPU + k.LiveCPU + k.Connections*in.Edge.TLSCPU }) * second
	p.Edges = 1 + math.Ceil(work*peak/(4*in.Busy))
	p.EdgeCores = work*peak + p.Edges*in.Edge.syncCores(p.Rate/p.Edges)
	sent := daily(func(k Kind) float64 { return k.SentBytes })
	p.Network = sent * second * peak / p.Edges
	p.Spool = sent / 4 / p.Edges
	p.Loads = max(p.Edges*86400/in.LoadEvery, sent/in.LoadBytes)
	p.Turns = p.Loads * in.Bucket.TurnReqs * in.Bucket.Latency / 86400
	p.Seen = p.Day * 10 / 8 * in.Edge.SeenBytes
	p.TableHours = daily(func(k Kind) float64 { return k.TablesCPU }) / 3600
	p.Archive = daily(func(k Kind) float64 { return k.ArchiveSize }) * in.Keep
	p.Tables = daily(func(k Kind) float64 { return k.TableSize }) * in.KeepTable
	// Of the requests of a load a third are puts, as measured; tasks read each archive file.
	p.Puts = p.Loads*in.Bucket.LoadReqs/3 + in.tasks()*10
	p.Gets = p.Loads*(in.Bucket.LoadReqs*2/3+p.Edges) + in.tasks()*p.Loads*in.Bucket.FileReqs
	p.Late = in.late(work/in.Busy, work, sent)
	p.Removal = in.removal(&p)
	p.Puts += 24 * p.Edges * in.Bucket.LivePuts
	p.Gets += 24*p.Edges*in.Bucket.LiveGets + in.Queries.gets()
	p.Month = 30*24*p.Edges*4*in.PerCore + 30*(p.TableHours+p.Removal.Hours/in.Removals.Every+in.queryHours(&p))/in.Busy*in.PerCore +
		(p.Archive+p.Tables)/1e12*in.PerTBMonth + 30*(p.Puts*in.PerMillionPuts+p.Gets*in.PerMillionGets)/1e6
	p.Wall = in.wall(p)
	return p
}

// tasks returns the number of a day's tasks that read the archive: main_summary by samples.
func (in Inputs) tasks() float64 { return 100 }

// wall names what is exhausted first when clients are added.
func (in Inputs) wall(p Plan) string {
	walls := []struct {
		used float64 // of 1
		what string
	}{
		{p.Seen / (64e6 * in.Edge.SeenBytes), "memory for duplicates (`decode.max-uris`, 2 GB in each edge)"},
		{p.Turns / 0.5, "turns of loads, half of the time"},
		{p.Network / 100e6, "the network of an edge, 1 Gbit/s"},
		{p.Removal.Hours / (in.Removals.Every * 24), "one process that removes forgotten clients, on one core, until the next removal"},
		{p.TableHours / 16 / 5, "a day's tables on one machine of 16 cores in five hours"},
	}
	first := walls[0]
	for _, w := range walls {
		if w.used > first.used {
			first = w
		}
	}
	return fmt.Sprintf("%s: %.0f %% of that is used", first.what, 100*first.used)
}

// outcome describes the end of a simulated day.
type outcome struct {
	committed float64 // s after midnight: all edges are past it
	closed    float64 // s after midnight: all tables are published
	longest   float64 // s that a load took for its turn and commit
	tasks     int
	done      int
	again     int // attempts of tasks that were repeated
}

// scenario is a night with failures.
type scenario struct {
	name string
	slow func(float64) float64
	refused,
	lose float64
	dies bool // the server of a load in its turn, a minute before midnight
}

var scenarios = []scenario{
	{name: "all well"},
	{name: "the bucket is five times slower for an hour from midnight on", slow: func(at float64) float64 {
		if at > 3600 && at < 7200 { // the hour before midnight is simulated, too
			return 5
		}
		return 1
	}},
	{name: "one request in ten is answered SlowDown", refused: 0.1},
	{name: "one attempt of a task in ten is lost with its machine", lose: 0.1},
	{name: "an edge dies in its turn, just before midnight: another one finishes its load after a minute", dies: true},
	{name: "all of that", refused: 0.1, lose: 0.1, dies: true, slow: func(at float64) float64 {
		if at > 3600 && at < 7200 {
			return 5
		}
		return 1
	}},
}

// run simulates the last hour of a day of 100 million clients and the making of its tables, on four
// machines of 16 cores.
func (sc *scenario) run(in Inputs) (o outcome) {
	const hour, slots = 3600, 4 * 16
	p := in.plan(100e6)
	b := &bucket{latency: in.Bucket.Latency, slow: sc.slow, refused: sc.refused}
	s := newSim(1)
	each := int(math.Ceil(p.Loads / 24 / p.Edges))
	c := &committing{sim: s, bucket: b, out: in.Bucket.LoadReqs - in.Bucket.TurnReqs, turn: in.Bucket.TurnReqs, every: hour / float64(each)}
	c.onCommitted = func(at float64) { o.committed = at - hour }
	if sc.dies {
		c.diesAt = hour - 60
	}
	for i := range int(p.Edges) {
		s.after(float64(i)*c.every/p.Edges, func() { c.decoder(each+1, 0) })
	}
	s.run()
	o.longest = c.longest
	m := &machines{sim: s, bucket: b, free: slots, timeout: 120}
	if sc.lose > 0 {
		m.lost = func() bool { return s.random.Float64() < sc.lose }
	}
	work := in.day(p)
	o.tasks = len(work)
	m.do(work)
	s.run()
	for _, w := range work {
		if w.done {
			o.done++
		}
	}
	o.closed, o.again = m.end-hour, m.again
	return o
}

// day returns the tasks of a day: of each sample main_summary, and the three tables that are made of it; the other
// three are small beside them.
func (in Inputs) day(p Plan) (all []*work) {
	n := in.tasks()
	for range int(n) {
		summary := &work{
			requests: p.Loads*in.Bucket.FileReqs/in.Bucket.ReadAhead + 20,
			seconds:  p.TableHours*3600/n*0.8 + p.Archive/in.Keep/n/in.Bucket.Throughput,
		}
		all = append(all, summary)
		for range 3 {
			all = append(all, &work{
				requests: 40, needs: []*work{summary},
				seconds: p.TableHours*3600/n*0.2/3 + p.Tables/in.KeepTable/n/in.Bucket.Throughput,
			})
		}
	}
	return all
}
