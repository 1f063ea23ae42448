package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/job"
)

// printFailed prints, on a terminal, what the log has a line for elsewhere.
func printFailed(w io.Writer, report *job.Report) {
	var lines []string
	for _, u := range report.Units {
		if u.Outcome == job.Failed && u.Err != nil {
			lines = append(lines, fmt.Sprintf("failed %s: %s", u.Unit, strings.ReplaceAll(u.Err.Error(), "\n", "; ")))
		}
	}
	cli.PrintLines(w, "", lines)
}

// runError is what came of a run, without what was said of each partition before.
func runError(ctx context.Context, report *job.Report, empty *emptyDays, err error) error {
	switch failed := report.Count(job.Failed); {
	case ctx.Err() != nil:
		return err
	case failed > 0:
		return fmt.Errorf("run: %d of %d partitions failed", failed, len(report.Units))
	case err == nil && report.Count(job.Skipped) > 0:
		return skippedError(report, empty)
	}
	return err
}
