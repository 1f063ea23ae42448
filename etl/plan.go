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

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/accepted"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// taskBytes is the target input of a task: bytes of pings as JSON.
const taskBytes = 128 << 20

// steps implements job.Steps for one run.
type steps struct {
	data    *site.Data
	keep    site.Retention
	samples []job.Samples // requested samples; nil: all
	force   bool
	restart bool // a chain with a hole starts over
	options lake.WriterOptions
	locks   *site.Locks // nil: steps only plans
	worker  *Worker     // nil: steps only plans
	checks  check.Options
	columns map[string]*columnLists // of tables in buckets without folders, to be written; nil: none
	log     *slog.Logger
	now     time.Time // decides what is past its retention; zero: nothing
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

// assessment is the plan of a unit with the facts behind it.
type assessment struct {
	plan   job.Plan
	table  *schema.Table
	source source
	base   *lake.Manifest      // the published manifest; nil: none
	damage []*lake.DamageError // of the published partition; base may be nil then
	work   string              // of the tasks
	older  bool                // published with other probe definitions
	// expired means that it cannot be made because its retention, or that of its inputs, is over.
	expired bool
	newer   bool // a newer version of the program made it: it stays, unless forced
	// accepted, if not nil, records why the partition is current although this program would make it differently.
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
	if a.source, err = s.source(ctx, a.table, u.Day, a.base); err == nil {
		err = s.removed(ctx, &a, u.Day)
	}
	if err != nil || a.source.missing != "" {
		a.plan.Missing = a.source.missing
		return a, err
	}
	a.older = a.base != nil && a.table.Made == schema.FromProbes && a.base.Probes != s.data.Probes.Hash()
	if a.newer = !s.force && a.base.ByNewer(a.table); a.newer {
		a.work = s.work(a.table, a.source.inputs)
		a.plan = a.leftToNewer()
		return a, nil
	}
	a.plan = s.planned(u, &a)
	return a, s.accept(ctx, &a, u.Day)
}

// planned returns the plan of a unit that can be made. A change of the probe definitions does not make
// published partitions stale: only later days and forced runs get new columns.
func (s *steps) planned(u job.Unit, a *assessment) job.Plan {
	a.work = s.work(a.table, a.source.inputs)
	p := job.Plan{Inputs: a.source.inputs, Current: a.base != nil && !a.base.Unchecked && len(a.damage) == 0 && !(a.older && s.force)}
	name := sha256.New()
	fmt.Fprintln(name, a.work, lake.Layout)
	if a.table.Made == schema.FromProbes {
		fmt.Fprintln(name, s.data.Probes.Hash(), lake.Fingerprint(a.table.Columns))
	} else if len(a.table.Fixed()) < len(a.table.Columns) {
		fmt.Fprintln(name, lake.Fingerprint(a.table.Columns))
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
		p.Generation = a.base.Generation // other probe definitions or another layout would change the name
	}
	return p
}

// wanted reports whether a range contains requested samples.
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

// notPublished explains why a derived table cannot be made.
func notPublished(need string) string { return need + " of the day is not published" }

// uncovered describes requested samples that the parts, which must be sorted, do not cover; "" if there are none.
func uncovered(parts, wanted []job.Samples) string {
	if wanted == nil {
		wanted = []job.Samples{{Lo: 0, Hi: job.NoClient}}
	}
	for _, a := range wanted {
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
