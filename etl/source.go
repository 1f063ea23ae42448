package etl

import (
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
)

// source describes the inputs of a unit.
type source struct {
	inputs  []job.Input
	parts   []job.Samples // the ranges of samples of its tasks
	bytes   []int64       // estimated input of each task
	rows    int64         // of input
	missing string
	waits   bool // missing is an earlier day of the table, which can be made
}

// join makes one task of all.
func (s *source) join() {
	var all int64
	for _, n := range s.bytes {
		all += n
	}
	s.parts, s.bytes = []job.Samples{{Lo: 0, Hi: job.NoClient}}, []int64{all}
}

// divide makes tasks of about the same number of bytes.
func (s *source) divide(all, each int64) {
	n := min(100, max(1, int((all+each-1)/each)))
	s.parts, s.bytes = nil, nil
	for i := range n {
		s.parts = append(s.parts, job.Samples{Lo: i * 100 / n, Hi: (i+1)*100/n - 1})
		s.bytes = append(s.bytes, all/int64(n))
	}
	s.parts[n-1].Hi = job.NoClient
}

// fileBytes returns the size of a partition's files that contain samples of a part.
func fileBytes(m *lake.Manifest, p lake.Part) (n int64) {
	for _, f := range m.Files {
		if f.Lo <= p.Hi && p.Lo <= f.Hi {
			n += f.Bytes
		}
	}
	return n
}
