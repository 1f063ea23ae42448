package report

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Progress shows a run: a bar on a terminal, log lines elsewhere.
type Progress struct {
	bar   *progressbar.ProgressBar
	log   *slog.Logger
	meter *job.Meter

	mu    sync.Mutex
	begun map[job.Unit]int // tasks that run
}

// NewProgress makes one that writes to w.
func NewProgress(w io.Writer) *Progress {
	if !cli.IsTerminal(w) {
		return &Progress{meter: job.NewMeter(nil, job.Speed{}), log: cli.NewLog(w)}
	}
	return &Progress{meter: job.NewMeter(nil, job.Speed{}), bar: progressbar.NewOptions64(1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("planning"),
		progressbar.OptionFullWidth(),           // as much as the text leaves
		progressbar.OptionSetPredictTime(false), // it would count all bytes alike
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// Expect sets the plan of the run.
func (p *Progress) Expect(plan *etl.RunPlan) { p.meter = job.NewMeter(plan.Expected(), plan.Speed) }

// Unfinished names the partitions in progress. It may be called at any time.
func (p *Progress) Unfinished() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var units []string
	for u := range p.begun {
		units = append(units, u.String())
	}
	slices.Sort(units)
	return "what was begun" + strings.TrimSuffix(": "+ShortList(units), ": ")
}

// follow counts the units in progress.
func (p *Progress) follow(e job.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e.Kind { // others begin and end no task
	case job.TaskStarted:
		if p.begun == nil {
			p.begun = map[job.Unit]int{}
		}
		p.begun[e.Unit]++
	case job.TaskEnded:
		if p.begun[e.Unit]--; p.begun[e.Unit] <= 0 {
			delete(p.begun, e.Unit)
		}
	}
}

// Event shows an event of the run.
func (p *Progress) Event(e job.Event) {
	p.meter.Add(e)
	p.follow(e)
	if p.bar != nil {
		done, total := p.meter.Bytes()
		left, known := p.meter.Left()
		p.bar.Describe(barText(e.Unit, done, total, left, known))
		p.bar.ChangeMax64(max(1, total))
		_ = p.bar.Set64(min(done, max(1, total))) // a terminal that went away is no reason to stop
		return
	}
	if e.Kind != job.UnitEnded || e.Outcome == job.Skipped { // the end of the run lists those, by days
		return
	}
	args := []any{"run", e.Run, "table", e.Unit.Table, "day", e.Unit.Day, "outcome", string(e.Outcome)}
	switch {
	case e.Err != nil:
		args = append(args, "error", e.Err)
	case e.Reason != "":
		args = append(args, "reason", e.Reason)
	case e.Outcome == job.Committed:
		args = append(args, "rows", e.Result.RowsOut, "rejected", e.Result.Rejected, "bytes", humanize.Bytes(uint64(max(0, e.Result.Bytes))))
	}
	if left, ok := p.meter.Left(); ok && e.UnitsEnded < e.Units {
		args = append(args, "left", left.Round(time.Second))
	}
	level := slog.LevelInfo
	if e.Err != nil {
		level = slog.LevelError
	}
	p.log.Log(context.Background(), level, "partition", args...)
}

// barText returns the text before the bar: the partition whole, how much of the input is read, and how long the rest
// takes. With it there is room for a bar in 80 columns.
func barText(u job.Unit, done, total int64, left time.Duration, known bool) string {
	text := fmt.Sprintf("%s %s of %s", u, humanize.Bytes(uint64(max(0, done))), humanize.Bytes(uint64(max(0, total))))
	if known {
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// Close takes the bar away.
func (p *Progress) Close() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
