package report

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// The bars show on a terminal how far something is, and elsewhere nothing. A
// terminal that went away is no reason to stop.

// LoadBar shows how much of a file was read. The caller adds to read, which is nil if nothing is shown.
func LoadBar(w io.Writer, name string) (read *atomic.Int64, stop func()) {
	if !cli.IsTerminal(w) {
		return nil, func() {}
	}
	size := int64(-1)
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true), progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish())
	read = &atomic.Int64{}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				_ = bar.Clear()
				return
			case <-tick.C:
				_ = bar.Set64(read.Load())
			}
		}
	}()
	return read, func() { close(done); <-ended }
}

// SendBar shows how many submissions were sent; progress is nil if nothing is shown.
func SendBar(w io.Writer, all int64) (progress func(send.Stats), stop func()) {
	if !cli.IsTerminal(w) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions64(max(all, 1), progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("sending"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return func(s send.Stats) { _ = bar.Set64(s.Submissions - s.Unfinished()) }, func() { _ = bar.Clear() }
}

// DayBar shows how many days of a removal are done; progress is nil if nothing is shown.
func DayBar(w io.Writer) (progress func(*forget.Cycle), stop func()) {
	if !cli.IsTerminal(w) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("removing"),
		progressbar.OptionSetWidth(30), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func(c *forget.Cycle) {
		bar.ChangeMax(len(c.Days))
		_ = bar.Set(c.Done)
	}, func() { _ = bar.Finish() }
}
