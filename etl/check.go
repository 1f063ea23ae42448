package etl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// check runs the checks on a staged generation before publication. A *check.BlockedError means that it must
// not be published. skipped names the checks that were skipped, now or for the parts of base that remain.
func (s *steps) check(ctx context.Context, t *schema.Table, p job.Plan, g *lake.Generation, m, base *lake.Manifest) (skipped []string,
	err error) {
	o, lt := &s.checks, s.data.TableOf(t)
	staged := &check.Partition{
		Data: s.data, Footers: s.worker.Footers, Table: lt, Day: p.Tasks[0].Day, Staged: true, Workers: o.Workers,
		Files: m.Files, Inputs: m.Inputs, LeftOut: m.LeftOut, Path: g.Path,
		Share: s.worker.days.share,
	}
	for _, task := range p.Tasks {
		staged.Parts = append(staged.Parts, task.Samples())
	}
	if base != nil {
		staged.Unchecked = unchangedFiles(base, staged.Parts)
		if len(staged.Unchecked) > 0 {
			skipped = append(skipped, base.SkippedChecks...)
		}
	}
	checks := o.All(s.data.Tables)
	results, err := check.Run(ctx, staged, checks, o.Skip)
	if err != nil {
		return nil, err
	}
	s.logResults(job.RunOf(ctx), t.Name, results)
	if err := check.Blocked(results, store.Place(lt.Bucket(), g.Dir())); err != nil {
		return nil, err
	}
	for _, c := range check.ForTable(checks, t.Name) {
		if slices.Contains(o.Skip, c.Name) {
			skipped = append(skipped, c.Name)
		}
	}
	slices.Sort(skipped)
	return slices.Compact(skipped), nil
}

// logResults logs the results of checks that do not block publication.
func (s *steps) logResults(run int64, table string, results []check.Result) {
	for i := range results {
		r := &results[i]
		log := s.log.With("run", run, "table", table, "day", r.Day, "check", r.Check.Name)
		switch {
		case slices.Contains(s.checks.Skip, r.Check.Name):
			log.Warn("check skipped")
		case r.Check.Severity == check.Warning && (r.Verdict == check.Failed || r.Verdict == check.Broken):
			log.Warn("check failed", "rule", r.Check.Rule, "found", r.Finding.String())
		default:
			log.Debug("check "+string(r.Verdict), "rule", r.Check.Rule, "found", r.Finding.String())
		}
	}
}

// unchangedFiles returns the files of a partition whose samples are outside of the ranges.
func unchangedFiles(base *lake.Manifest, made []job.Samples) (files []lake.File) {
	for _, f := range base.Files {
		in := func(r job.Samples) bool { return r.Lo <= f.Lo && f.Lo <= r.Hi }
		if !slices.ContainsFunc(made, in) {
			files = append(files, f)
		}
	}
	return files
}

// CheckDays checks published partitions and calls each with the results of every partition. absent lists the
// partitions that are not published.
func CheckDays(ctx context.Context, s *site.Site, tables, days []string, o check.Options,
	each func([]check.Result) error) (absent []job.Unit, err error) {
	checks, footers := o.All(s.Tables), lake.NewFooters()
	for _, day := range days {
		for _, table := range tables {
			results, err := check.RunPublished(ctx, &s.Data, footers, table, day, checks, o.Skip)
			if errors.Is(err, fs.ErrNotExist) {
				absent = append(absent, job.Unit{Table: table, Day: day})
				continue
			}
			if err == nil {
				err = each(results)
			}
			if err != nil {
				return absent, fmt.Errorf("check %s %s: %w", table, day, err)
			}
		}
	}
	return absent, nil
}
