package main

// Inputs holds the inputs of the plan: measured costs, and an installation's choices and prices.
type Inputs struct {
	Main, Other, Glean Kind

	Edge     Edge
	Bucket   Bucket
	Removals Removals
	Queries  Queries
	Hours    [24]float64 // of a day, as multiples of the mean

	// Chosen.
	LoadBytes float64 // of segments in a load (512 MiB), if --archive-every does not end it before
	LoadEvery float64 // s
	Keep      float64 // days of archive
	KeepTable float64 // days of tables
	Busy      float64 // share of a core that is planned for

	// Paid, in any unit.
	PerCore, PerTBMonth, PerMillionPuts, PerMillionGets float64 // core and hour; TB and month; requests
}

// Kind describes the submissions of a kind: costs of one of them, from docs/benchmarks.md.
type Kind struct {
	Name        string
	PerClient   float64 // submissions of a client in a day
	Connections float64 // new connections for each
	SentBytes   float64 // gzipped, as clients send it
	ArchiveSize float64 // in the archive
	TableSize   float64 // in all tables
	EdgeCPU     float64 // s: until it is acknowledged, on a busy edge
	DecodeCPU   float64 // s: with JSON Schema and prepared rows, and into the archive
	LiveCPU     float64 // s: rows while the day lasts
	TablesCPU   float64 // s: all tables
}

// Edge holds the costs of an edge beside those of submissions. A busy edge writes many submissions in one commit of its spool.
type Edge struct {
	SeenBytes float64 // memory of a remembered URI
	TLSCPU    float64 // s: handshake of the server
	SyncCPU   float64 // s: commit
	Memory    float64 // of decoding and live rows, without remembered URIs
	Syncs     float64 // most commits a second, by the disk
}

// syncCores returns the cores that commits keep busy at a rate of submissions to one edge, a second.
func (e Edge) syncCores(rate float64) float64 { return min(rate, e.Syncs) * e.SyncCPU }

// Bucket holds the times and numbers of requests.
type Bucket struct {
	Latency    float64 // s of a request
	Throughput float64 // bytes a second of one reader
	TurnReqs   float64 // requests of a load in its turn
	LoadReqs   float64 // and in all
	FileReqs   float64 // of a task for each archive file that it reads
	ReadAhead  float64 // of these, how many at a time
	LivePuts   float64 // puts and lists an hour of live rows and direct tables, of each edge
	LiveGets   float64
}

var defaults = Inputs{
	Main: Kind{Name: "main", PerClient: 1.3, Connections: 1, SentBytes: 19.5e3, ArchiveSize: 21.3e3,
		TableSize: 1.6e3, EdgeCPU: 210e-6, DecodeCPU: 500e-6, LiveCPU: 20e-6, TablesCPU: 205e-6},
	Other: Kind{Name: "other telemetry", PerClient: 2.5, Connections: 1, SentBytes: 2.9e3, ArchiveSize: 2.9e3,
		TableSize: 0.3e3, EdgeCPU: 95e-6, DecodeCPU: 75e-6, TablesCPU: 100e-6},
	Glean: Kind{Name: "Glean", PerClient: 16, Connections: 0.25, SentBytes: 0.46e3, ArchiveSize: 0.24e3,
		TableSize: 0.46e3, EdgeCPU: 47e-6, DecodeCPU: 92e-6, LiveCPU: 93e-6, TablesCPU: 90e-6},
	Edge: Edge{SeenBytes: 30, TLSCPU: 300e-6, SyncCPU: 167e-6, Syncs: 1000, Memory: 800e6},
	Bucket: Bucket{Latency: 0.030, Throughput: 100e6, TurnReqs: 66, LoadReqs: 86, FileReqs: 3, ReadAhead: 4,
		LivePuts: 8800, LiveGets: 5000},
	Removals: Removals{Requests: 1e-4, Every: 7, CPU: 9e-9},
	Queries:  Queries{PerDay: 1000, Days: 28, Requests: 7, FileCPU: 2e-3, RowCPU: 0.5e-6},
	Hours: [24]float64{0.25, 0.2, 0.15, 0.15, 0.2, 0.3, 0.5, 0.75, 0.95, 1.05, 1.1, 1.15, 1.2, 1.2, 1.2, 1.25, 1.35, 1.55, 1.9, 2.3, 2.5,
		1.6, 0.8, 0.4},
	LoadBytes: 512 << 20, LoadEvery: 300, Keep: 90, KeepTable: 400, Busy: 0.6,
	PerCore: 0.04, PerTBMonth: 23, PerMillionPuts: 5, PerMillionGets: 0.4,
}
