package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/internal/panics"
)

// Run makes the checks of a partition's table, except those named in skip. A check that fails is in the results; the
// error comes from the context, or from reading the inputs of the partition.
func Run(ctx context.Context, p *Partition, checks []Check, skip []string) ([]Result, error) {
	changed, err := p.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("check %s %s: %w", p.Table.Schema.Name, p.Day, err)
	}
	var results []Result
	var ranged []int
	for _, c := range ForTable(checks, p.Table.Schema.Name) {
		r := Result{Check: c, Day: p.Day, Verdict: NotRun}
		switch {
		case slices.Contains(skip, c.Name):
			r.Note = "skipped"
		case c.Source && changed != "":
			r.Note = changed
		case c.ByRange:
			ranged = append(ranged, len(results))
		default:
			f, err := c.Func(ctx, p)
			r.end(f, err)
		}
		results = append(results, r)
	}
	p.runRanges(ctx, results, ranged)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results, nil
}

// runRanges makes the checks with these numbers range by range, several ranges
// at a time.
func (p *Partition) runRanges(ctx context.Context, results []Result, checks []int) {
	if len(checks) == 0 {
		return
	}
	findings := make([][]Finding, len(p.Parts)) // by range and check
	failures := make([][]error, len(p.Parts))
	var g errgroup.Group
	g.SetLimit(p.limit())
	for i, r := range p.Parts {
		findings[i], failures[i] = make([]Finding, len(checks)), make([]error, len(checks))
		g.Go(func() error {
			one := p.only(r)
			for k, n := range checks {
				failures[i][k] = panics.Try(func() (err error) {
					findings[i][k], err = results[n].Check.Func(ctx, one)
					return err
				})
			}
			return one.close()
		})
	}
	closed := g.Wait()
	for k, n := range checks {
		var all Finding
		err := closed
		for i := range p.Parts {
			all.add(findings[i][k])
			if err == nil {
				err = failures[i][k]
			}
		}
		results[n].end(all, err)
	}
}

// end records the finding of a check.
func (r *Result) end(f Finding, err error) {
	switch {
	case err != nil:
		r.Verdict, r.Note = Broken, err.Error()
	case f.Total > 0:
		r.Verdict, r.Finding = Failed, f
	case f.NotRun:
		r.Finding = f
	default:
		r.Verdict, r.Finding = Passed, f
	}
}

// BlockedError is a partition that is not published because checks failed.
type BlockedError struct {
	Results []Result // the bad ones
	Place   string   // where its files are
}

// Error is one line: every check with its rule and rows, and where the files are.
func (e *BlockedError) Error() string {
	var names, parts []string
	for i := range e.Results {
		names = append(names, "--skip-check "+e.Results[i].Check.Name)
		parts = append(parts, "check "+e.Results[i].String())
	}
	return fmt.Sprintf("not published, what was published before stays: %s (the files are kept in %s; %s publishes them nevertheless)",
		strings.Join(parts, "; "), e.Place, strings.Join(names, " "))
}

// Blocked returns the error of results that keep a partition from being
// published, nil if none does.
func Blocked(results []Result, place string) error {
	var bad []Result
	for _, r := range results {
		if r.Bad() {
			bad = append(bad, r)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return &BlockedError{Results: bad, Place: place}
}
