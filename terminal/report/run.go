package report

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Run prints the result of a run: failures on errs, totals on out. It returns the run's error err without the parts
// that were printed for single partitions.
func Run(ctx context.Context, r *job.Report, err error, out, errs io.Writer) error {
	if cli.IsTerminal(errs) {
		printFailed(errs, r)
	}
	empty := emptyOfRun(r)
	for _, u := range r.Units {
		if u.Outcome == job.Skipped && !empty.has(u.Day) {
			fmt.Fprintf(errs, "skipped %s: %s\n", u.Unit, u.Reason)
		}
		if u.Outcome == job.Current && u.Reason != "" {
			fmt.Fprintf(errs, "kept %s: %s\n", u.Unit, u.Reason)
		}
		if left := etl.LeftOut(u.Result); left != "" {
			cli.NewLog(errs).Warn("values over a bound were left out", "table", u.Unit.Table, "day", u.Unit.Day, "left", left)
		}
	}
	switch {
	case len(r.Units) == 0: // the error explains it
	case empty.text() != "" && r.Count(job.Skipped) == len(r.Units) && err == nil: // here, too
	case r.Unchanged():
		fmt.Fprintf(out, "nothing to do: all %d partitions are current\n", len(r.Units))
	default:
		fmt.Fprintf(out, "%s in %s\n", r, r.Ended.Sub(r.Started).Round(time.Millisecond))
	}
	return runError(ctx, r, &empty, err)
}

// printFailed prints failures on a terminal. Elsewhere the log already has them.
func printFailed(w io.Writer, report *job.Report) {
	var lines []string
	for _, u := range report.Units {
		if u.Outcome == job.Failed && u.Err != nil {
			lines = append(lines, fmt.Sprintf("failed %s: %s", u.Unit, strings.ReplaceAll(u.Err.Error(), "\n", "; ")))
		}
	}
	cli.PrintLines(w, "", lines)
}

// runError returns the error of a run without the parts that were printed for single partitions.
func runError(ctx context.Context, report *job.Report, empty *emptyDays, err error) error {
	switch failed := report.Count(job.Failed); {
	case ctx.Err() != nil:
		return err
	case failed > 0:
		return fmt.Errorf("run: %d of %d partitions failed", failed, len(report.Units))
	case err == nil && report.Count(job.Skipped) > 0:
		if err = skippedError(report, empty); etl.Replan(report) {
			err = fmt.Errorf("%w: %w", err, etl.ErrPlanAgain)
		}
	}
	return err
}
