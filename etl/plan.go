package etl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// transformVersion is raised whenever the same pings would give other rows or
// files, so that partitions are made again.
const transformVersion = 1

// taskBytes is the size of pings, as JSON, that a task is meant to read.
const taskBytes = 128 << 20

// samplesEnd is one past the last sample: 0 to 99, and 100 for no client.
const samplesEnd = job.NoClient + 1

// steps does the work of one run.
type steps struct {
	site    *Site
	samples []job.Samples // the samples asked for; nil: all
	options lake.WriterOptions
	locks   *unitLocks // of the direct tables
}

// table is the lake's side of a table.
func (s *Site) table(t *schema.Table) *lake.Table { return lake.Open(s.Roots[t.Root], t) }

// Table returns the named table of the lake.
func (s *Site) Table(name string) (*lake.Table, error) {
	t, err := schema.Find(s.Tables, name)
	if err != nil {
		return nil, err
	}
	return s.table(t), nil
}

func (s *steps) find(u job.Unit) (*schema.Table, *lake.Table, error) {
	t, err := schema.Find(s.site.Tables, u.Table)
	if err != nil {
		return nil, nil, err
	}
	return t, s.site.table(t), nil
}

// source is what a unit is made from.
type source struct {
	inputs  []job.Input
	parts   []job.Samples // the ranges of samples that its tasks take
	missing string
}

// Plan implements job.Steps.
func (s *steps) Plan(ctx context.Context, u job.Unit) (job.Plan, error) {
	t, lt, err := s.find(u)
	if err != nil {
		return job.Plan{}, err
	}
	src, err := s.source(ctx, t, u.Day)
	if err != nil || src.missing != "" {
		return job.Plan{Missing: src.missing}, err
	}
	base, err := lt.Partition(ctx, u.Day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return job.Plan{}, err
	}
	work := s.work(t, src.inputs)
	p := job.Plan{Inputs: src.inputs, Current: base != nil}
	name := sha256.New()
	fmt.Fprintln(name, work)
	for _, r := range src.parts {
		if !s.wanted(r) {
			continue
		}
		p.Tasks = append(p.Tasks, job.Task{Table: u.Table, Day: u.Day, Lo: r.Lo, Hi: r.Hi})
		fmt.Fprintln(name, r)
		p.Current = p.Current && base.Covers(lake.Part{Lo: r.Lo, Hi: r.Hi, Work: work})
	}
	if p.Current {
		p.Published = job.Result{RowsOut: base.Rows, Bytes: base.Bytes}
	}
	if len(p.Tasks) < len(src.parts) && base != nil {
		if p.Missing = misaligned(base, p.Tasks); p.Missing != "" {
			return p, nil
		}
		fmt.Fprintln(name, base.Generation)
	}
	p.Generation = hex.EncodeToString(name.Sum(nil))[:16]
	return p, nil
}

// misaligned says why the tasks cannot replace parts of a partition: a part
// must be replaced as a whole.
func misaligned(base *lake.Manifest, tasks []job.Task) string {
	for _, p := range base.Parts {
		for _, t := range tasks {
			overlap := p.Lo <= t.Hi && t.Lo <= p.Hi
			if overlap && (p.Lo < t.Lo || p.Hi > t.Hi) {
				return fmt.Sprintf("samples %d-%d were published with others, %d-%d: run all samples of the day", t.Lo, t.Hi, p.Lo, p.Hi)
			}
		}
	}
	return ""
}

// wanted says whether a range holds samples that were asked for.
func (s *steps) wanted(r job.Samples) bool {
	if s.samples == nil {
		return true
	}
	for _, w := range s.samples {
		if r.Lo <= w.Hi && w.Lo <= r.Hi {
			return true
		}
	}
	return false
}

// work names everything that decides what the files of a partition hold.
func (s *steps) work(t *schema.Table, inputs []job.Input) string {
	h := sha256.New()
	fmt.Fprintln(h, t.Name, t.Version, transformVersion, lake.Fingerprint(t.Columns), s.options)
	if t.Name == "main_summary" {
		fmt.Fprintln(h, s.site.Probes.Hash())
	}
	if appsApply(t) {
		fmt.Fprintln(h, s.site.Apps)
	}
	for _, i := range inputs {
		fmt.Fprintln(h, i.Name, i.Generation)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// source finds what a table of a day is made from.
func (s *steps) source(ctx context.Context, t *schema.Table, day string) (source, error) {
	if t.DocType != "" {
		return s.pingSource(ctx, t, day)
	}
	var src source
	for _, need := range t.Needs {
		lt, err := s.site.Table(need)
		if err != nil {
			return src, err
		}
		m, err := lt.Partition(ctx, day)
		if errors.Is(err, fs.ErrNotExist) {
			src.missing = need + " of the day is not published"
			return src, nil
		}
		if err != nil {
			return src, err
		}
		src.inputs = append(src.inputs, job.Input{Name: need, Generation: m.Generation})
		for _, p := range m.Parts {
			src.parts = append(src.parts, job.Samples{Lo: p.Lo, Hi: p.Hi})
		}
		if gap := uncovered(src.parts, s.samples); gap != "" {
			src.missing = need + " of the day lacks " + gap
		}
	}
	return src, nil
}

// uncovered names samples that are asked for and not in the parts, which are
// in order.
func uncovered(parts, asked []job.Samples) string {
	if asked == nil {
		asked = []job.Samples{{Lo: 0, Hi: job.NoClient}}
	}
	for _, a := range asked {
		next := a.Lo
		for _, p := range parts {
			if p.Lo <= next && p.Hi >= next {
				next = p.Hi + 1
			}
		}
		if next <= a.Hi {
			return fmt.Sprintf("samples from %d on", next)
		}
	}
	return ""
}

// pingSource is the archive's pings of a document type. A day with pings of
// other types only is an empty one, a day without any is missing.
func (s *steps) pingSource(ctx context.Context, t *schema.Table, day string) (source, error) {
	d, err := archive.OpenDay(ctx, s.site.Archive, ping.Day(day), ping.DocType(t.DocType))
	if errors.Is(err, fs.ErrNotExist) {
		return s.emptySource(ctx, t, day)
	}
	if err != nil {
		return source{}, err
	}
	least := 1
	if t.Name == "main_summary" {
		least = 4 // so that even a small day keeps some cores busy
	}
	n := min(100, max(least, int((d.RawBytes()+taskBytes-1)/taskBytes)))
	src := source{inputs: []job.Input{{Name: "archive " + t.DocType, Generation: d.Generation()}}}
	for i := range n {
		src.parts = append(src.parts, job.Samples{Lo: i * 100 / n, Hi: (i+1)*100/n - 1})
	}
	src.parts[n-1].Hi = job.NoClient
	return src, nil
}

func (s *steps) emptySource(ctx context.Context, t *schema.Table, day string) (source, error) {
	days, err := archive.Days(ctx, s.site.Archive)
	if err != nil {
		return source{}, err
	}
	for _, d := range days {
		if string(d.Day) == day {
			return source{
				inputs: []job.Input{{Name: "archive " + t.DocType, Generation: "none"}},
				parts:  []job.Samples{{Lo: 0, Hi: job.NoClient}},
			}, nil
		}
	}
	return source{missing: "the archive has no pings of the day: load them first"}, nil
}
