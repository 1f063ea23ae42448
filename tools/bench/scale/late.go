package main

import "math"

// Late describes edges with cores for the mean of a day, which decode what comes in the busiest hours later.
type Late struct {
	Cores float64 // of all edges
	Spool float64 // most bytes that wait in all spools
	Hours float64 // longest time until a submission is decoded
}

// late follows a day by hours, twice, so that it begins with what the day before has left. work is the mean number of busy cores, sent
// the bytes of a day.
func (in Inputs) late(cores, work, sent float64) Late {
	l, left := Late{Cores: math.Ceil(cores)}, 0.0 // hours of a core
	for range 2 {
		for _, h := range in.Hours {
			left = max(0, left+work*h-l.Cores)
			l.Hours = max(l.Hours, left/l.Cores)
			l.Spool = max(l.Spool, left/(work*24)*sent)
		}
	}
	return l
}

// Removals holds how many clients ask to be forgotten, and what removing their rows costs.
type Removals struct {
	Requests float64 // of a client in a week
	Every    float64 // days between two removals
	CPU      float64 // s for each byte of archive and tables in files that have such a client
}

// Removal describes one removal from archive and tables.
type Removal struct {
	Share float64 // of the files that are written again
	Bytes float64 // of these
	Hours float64 // of a core
}

// removal assumes that clients are spread over files by chance. A file has the submissions of a kind in a load, or the rows of a
// sample's clients in a day.
func (in Inputs) removal(p *Plan) (r Removal) {
	clients := in.Removals.Requests * in.Removals.Every / 7
	hit := func(rows float64) float64 { return 1 - math.Pow(1-clients, rows) }
	for _, k := range in.pings() {
		a := p.Clients * k.PerClient
		r.Bytes += hit(a/p.Loads)*a*k.ArchiveSize*in.Keep + hit(a/100)*a*k.TableSize*in.KeepTable
	}
	r.Share = r.Bytes / (p.Archive + p.Tables)
	r.Hours = r.Bytes * in.Removals.CPU / 3600
	return r
}

// Queries holds what people and dashboards read: each one sample of main_summary, which is one file of a day.
type Queries struct {
	PerDay   float64
	Days     float64 // that each reads
	Requests float64 // for each file, its manifest included, if nothing of it is in the cache
	FileCPU  float64 // s
	RowCPU   float64 // s, of some columns
}

// gets returns the requests of a day's queries.
func (q Queries) gets() float64 { return q.PerDay * (6 + q.Days*q.Requests) }

// queryHours returns the hours of a core of a day's queries.
func (in Inputs) queryHours(p *Plan) float64 {
	q := in.Queries
	rows := p.Clients * in.Main.PerClient / 100
	return q.PerDay * q.Days * (q.FileCPU + rows*q.RowCPU) / 3600
}
