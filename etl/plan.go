package etl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/accepted"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// transformVersion is raised whenever the same pings would give other rows or
// files, so that partitions are made again. transformChanges says what changed, and CHANGELOG.md for each release what is made again.
const transformVersion = 3

// taskBytes is the size of pings, as JSON, that a task is meant to read.
const taskBytes = 128 << 20

// steps does the work of one run.
type steps struct {
	data    *site.Data
	keep    site.Retention
	samples []job.Samples // the samples asked for; nil: all
	force   bool
	options lake.WriterOptions
	locks   *site.Locks // nil: it only looks
	worker  *Worker     // nil: the same
	checks  check.Options
	columns map[string]*columnLists // of tables in buckets without folders, to be kept; nil: none
	log     *slog.Logger
	now     time.Time // for what is past its time; zero: nothing is
}

func (s *steps) find(u job.Unit) (*schema.Table, *lake.Table, error) {
	t, err := schema.Find(s.data.Tables, u.Table)
	if err != nil {
		return nil, nil, err
	}
	lt := s.data.TableOf(t)
	s.locks.Confirming(lt)
	return t, lt, nil
}

// source is what a unit is made from.
type source struct {
	inputs  []job.Input
	parts   []job.Samples // the ranges of samples that its tasks take
	bytes   []int64       // what each of them reads, as far as known
	rows    int64         // of input
	missing string
}

// assessment is the plan of a unit, with what it was found from.
type assessment struct {
	plan   job.Plan
	table  *schema.Table
	source source
	base   *lake.Manifest      // what is published; nil: nothing
	damage []*lake.DamageError // of it; there may be no base then
	work   string              // of the tasks
	older  bool                // published with other probe definitions
	// expired says that it cannot be made because its time, or that of its inputs,
	// is over.
	expired bool
	// accepted, if not nil, is why it is current although the program would make it in another way.
	accepted *accepted.Record
}

// assess plans a unit.
func (s *steps) assess(ctx context.Context, u job.Unit) (a assessment, err error) {
	var lt *lake.Table
	if a.table, lt, err = s.find(u); err != nil {
		return a, err
	}
	if a.base, a.damage, err = lt.Look(ctx, u.Day); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return a, err
	}
	if a.base == nil && !s.force && s.past(u.Table, u.Day) {
		a.expired, a.plan.Missing = true, s.keepsFor(u.Table)+": --force makes it again as long as there are pings"
		return a, nil
	}
	if a.source, err = s.source(ctx, a.table, u.Day); err == nil {
		err = s.removed(ctx, &a, u.Day)
	}
	if err != nil || a.source.missing != "" {
		a.plan.Missing = a.source.missing
		return a, err
	}
	a.older = a.base != nil && a.table.FromProbes && a.base.Probes != s.data.Probes.Hash()
	a.plan = s.planned(u, &a)
	return a, s.accept(ctx, &a, u.Day)
}

// planned makes the plan of a unit that can be made. What is published stays
// current when the probe definitions change: new columns begin with the days
// that are made from then on, and a run that is forced.
func (s *steps) planned(u job.Unit, a *assessment) job.Plan {
	a.work = s.work(a.table, a.source.inputs)
	p := job.Plan{Inputs: a.source.inputs, Current: a.base != nil && !a.base.Unchecked && len(a.damage) == 0 && !(a.older && s.force)}
	name := sha256.New()
	fmt.Fprintln(name, a.work, lake.Layout)
	if a.table.FromProbes {
		fmt.Fprintln(name, s.data.Probes.Hash(), lake.Fingerprint(a.table.Columns))
	}
	for i, r := range a.source.parts {
		if !s.wanted(r) {
			continue
		}
		p.Tasks = append(p.Tasks, job.Task{Table: u.Table, Day: u.Day, Lo: r.Lo, Hi: r.Hi, Bytes: a.source.bytes[i]})
		fmt.Fprintln(name, r)
		p.Current = p.Current && a.base.Covers(lake.Part{Lo: r.Lo, Hi: r.Hi, Work: a.work})
	}
	if p.Current {
		p.Published = job.Result{RowsOut: a.base.Rows, Bytes: a.base.Bytes}
	}
	partly := len(p.Tasks) < len(a.source.parts) && (a.base != nil || len(a.damage) > 0)
	switch {
	case partly && len(a.damage) > 0:
		p.Missing = "what is published is damaged: run all samples of the day"
		return p
	case partly && a.older && !p.Current:
		p.Missing = "the other samples of the day were published with other probe definitions: run all samples of the day"
		return p
	case partly:
		if p.Missing = misaligned(a.base, p.Tasks); p.Missing != "" {
			return p
		}
		fmt.Fprintln(name, a.base.Generation)
	}
	p.Generation = hex.EncodeToString(name.Sum(nil))[:16]
	if p.Current && !s.force {
		p.Generation = a.base.Generation // with other probe definitions or another layout it has another name
	}
	return p
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

// work names everything that decides what the files of a partition hold, except
// the probe definitions.
func (s *steps) work(t *schema.Table, inputs []job.Input) string {
	return s.workWith(t, transformVersion, lake.Fingerprint(t.Fixed()), inputs)
}

// workWith is work by a version of the transforms and with columns of a fingerprint.
func (s *steps) workWith(t *schema.Table, version int, columns string, inputs []job.Input) string {
	h := sha256.New()
	fmt.Fprintln(h, t.Name, t.Version, version, columns, s.options)
	if t.Apps != nil {
		fmt.Fprintln(h, t.Apps)
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
		lt, err := s.data.Table(need)
		if err != nil {
			return src, err
		}
		m, err := lt.Partition(ctx, day)
		if errors.Is(err, fs.ErrNotExist) {
			src.missing = notPublished(need)
			return src, nil
		}
		if lake.Unusable(err) {
			src.missing = need + " of the day is damaged"
			return src, nil
		}
		if err != nil {
			return src, err
		}
		src.inputs = append(src.inputs, job.Input{Name: need, Generation: m.Generation})
		for _, p := range m.Parts {
			src.parts = append(src.parts, job.Samples{Lo: p.Lo, Hi: p.Hi})
			src.bytes = append(src.bytes, fileBytes(m, p))
		}
		src.rows += m.Rows
		if gap := uncovered(src.parts, s.samples); gap != "" {
			src.missing = need + " of the day lacks " + gap
		}
	}
	return src, nil
}

// notPublished is why a table made from another cannot be made.
func notPublished(need string) string { return need + " of the day is not published" }

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
	d, err := archive.OpenDay(ctx, s.data.Archive, ping.Day(day), t.Kind())
	if errors.Is(err, fs.ErrNotExist) {
		return s.emptySource(ctx, t, day)
	}
	if err != nil {
		return source{}, err
	}
	least := 1
	if t.Large {
		least = 4 // so that even a small day keeps some cores busy
	}
	n := min(100, max(least, int((d.RawBytes()+taskBytes-1)/taskBytes)))
	src := source{inputs: []job.Input{{Name: t.Source(), Generation: d.Generation()}}, rows: d.Rows()}
	for i := range n {
		src.parts = append(src.parts, job.Samples{Lo: i * 100 / n, Hi: (i+1)*100/n - 1})
		src.bytes = append(src.bytes, d.RawBytes()/int64(n))
	}
	src.parts[n-1].Hi = job.NoClient
	return src, nil
}

func (s *steps) emptySource(ctx context.Context, t *schema.Table, day string) (source, error) {
	types, err := archive.DocTypes(ctx, s.data.Archive, ping.Day(day))
	emptied := false
	if err == nil && len(types) == 0 {
		emptied, err = archive.Emptied(ctx, s.data.Archive, ping.Day(day))
	}
	if err != nil || len(types) == 0 && !emptied {
		return source{missing: NoPingsOfDay}, err
	}
	return source{
		inputs: []job.Input{{Name: t.Source(), Generation: "none"}},
		parts:  []job.Samples{{Lo: 0, Hi: job.NoClient}},
		bytes:  []int64{0},
	}, nil
}

// NoPingsOfDay is why a table made from pings cannot be made.
const NoPingsOfDay = "the archive has no pings of the day: load them first"

// fileBytes is the size of a partition's files that hold samples of a part.
func fileBytes(m *lake.Manifest, p lake.Part) (n int64) {
	for _, f := range m.Files {
		if f.Lo <= p.Hi && p.Lo <= f.Hi {
			n += f.Bytes
		}
	}
	return n
}
