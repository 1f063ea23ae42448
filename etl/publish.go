package etl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// Commit implements job.Steps. It does not publish a unit that fails its checks.
func (s *steps) Commit(ctx context.Context, u job.Unit, p job.Plan, results []job.Result) (job.Result, error) {
	defer s.locks.Unlock(u)
	ctx, explain, stop := s.locks.While(ctx, u)
	defer stop()
	result, err := s.commit(ctx, u, p, results, s.check)
	return result, explain(err)
}

// checker examines a staged generation that will replace or extend base. It returns the names of skipped
// checks; an error prevents publication.
type checker func(ctx context.Context, t *schema.Table, p job.Plan, g *lake.Generation, m, base *lake.Manifest) (skipped []string,
	err error)

// commit publishes a unit, checked unless check is nil.
func (s *steps) commit(ctx context.Context, u job.Unit, p job.Plan, results []job.Result, check checker) (job.Result, error) {
	tab, g, err := s.begin(ctx, u, p)
	if err != nil {
		return job.Result{}, err
	}
	m := lake.Manifest{}
	if tab.Made == schema.FromProbes {
		m.Probes = s.data.Probes.Hash()
	}
	for _, i := range p.Inputs {
		m.Inputs = append(m.Inputs, lake.Input{Name: i.Name, Generation: i.Generation})
	}
	m.Made = &lake.Made{Transforms: tab.Transforms(), Recipe: s.recipeOf(tab), Clients: tab.NamesClients()}
	work := s.work(tab, p.Inputs)
	var total job.Result
	left := leftOut{}
	for i, r := range results {
		var c checkpoint
		if err := json.Unmarshal([]byte(r.Output), &c); err != nil {
			return total, fmt.Errorf("read checkpoint of %v: %w", p.Tasks[i], err)
		}
		m.Files = append(m.Files, c.Files...)
		m.Parts = append(m.Parts, lake.Part{Lo: p.Tasks[i].Lo, Hi: p.Tasks[i].Hi, Work: work})
		total = total.Add(r)
		left.add(c.LeftOut)
	}
	total.Output = left.output()
	base, err := s.unchanged(ctx, u, m.Parts)
	if err != nil {
		return total, err
	}
	if base != nil && !allSamples(m.Parts) {
		left.add(base.LeftOut)
	}
	if len(left) > 0 {
		m.LeftOut = left
	}
	m.Unchecked = check == nil || base != nil && base.Unchecked && !allSamples(m.Parts)
	if check != nil {
		if m.SkippedChecks, err = check(ctx, tab, p, g, &m, base); err != nil {
			return total, err
		}
	}
	if l := s.columns[u.Table]; l != nil {
		if err := l.keep(ctx); err != nil {
			return total, err
		}
	}
	if err := g.Publish(ctx, m, base); err != nil {
		return total, err
	}
	return total, s.data.TableOf(tab).DeleteDamage(ctx, u.Day)
}

// unchanged returns the published manifest whose files remain beside the new ones, or nil if there is none or it is
// damaged and the new parts have all samples.
func (s *steps) unchanged(ctx context.Context, u job.Unit, made []lake.Part) (*lake.Manifest, error) {
	_, lt, err := s.find(u)
	if err != nil {
		return nil, err
	}
	base, damage, err := lt.Look(ctx, u.Day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(damage) == 0 {
		return base, nil
	}
	if !allSamples(made) {
		return nil, damage[0]
	}
	return nil, nil // all samples are made: no file remains
}

// allSamples reports whether the parts cover all samples.
func allSamples(made []lake.Part) bool {
	return uncovered(partSamples(&lake.Manifest{Parts: made}), nil) == ""
}
