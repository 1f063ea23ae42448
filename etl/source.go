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
}

// join makes one task of all.
func (s *source) join() {
	var all int64
	for _, n := range s.bytes {
		all += n
	}
	s.parts, s.bytes = []job.Samples{{Lo: 0, Hi: job.NoClient}}, []int64{all}
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
