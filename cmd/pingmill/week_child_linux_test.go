package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/terminal/cli"
)

// weekServer, when set to a name, makes the test binary `pingmill serve` with the flags of
// the command line, by a clock and on disks that the lines of its standard input
// control. What happens there it says on its standard output, a line each.
const weekServer = "PINGMILL_TEST_WEEK_SERVER"

// plainDisks is the name of a server whose clock alone is controlled.
const plainDisks = "plain"

// serveWeek serves until it gets the request to end, and returns the exit status.
func serveWeek(name string, args []string, in io.Reader, out io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c := &controls{name: name, out: out, changed: make(chan struct{}), waits: map[*int]int64{}}
	lines := bufio.NewScanner(in)
	if !lines.Scan() { // the time it begins with
		return cli.ExitFailed
	}
	c.obey(lines.Text())
	go func() {
		for lines.Scan() {
			c.obey(lines.Text())
		}
	}()
	prepare := c.take
	if name == plainDisks {
		prepare = nil
	}
	cmd := newServeAt(clock.Clock{Now: c.now, Wait: c.wait}, prepare)
	cmd.SetArgs(args)
	cmd.SetErr(os.Stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return cli.ExitFailed
	}
	return 0
}

// controls sets a server's clock and disk faults.
type controls struct {
	name string

	mu      sync.Mutex
	waits   map[*int]int64 // until when parts wait
	out     io.Writer
	ns      int64
	changed chan struct{} // closed when the time changes
	slow    time.Duration // of each operation on the lake that changes something
	fail    string        // operations on names with it fail; "": none
	hold    string        // publishing a partition whose name has it never ends; "": none
}

// obey does what a line says: "now NS", "slow DURATION", "fail TEXT", "hold TEXT".
func (c *controls) obey(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	verb, what, _ := strings.Cut(line, " ")
	switch verb {
	case "now":
		c.ns, _ = strconv.ParseInt(what, 10, 64)
		close(c.changed)
		c.changed = make(chan struct{})
	case "slow":
		c.slow, _ = time.ParseDuration(what)
	case "fail":
		c.fail = what
	case "hold":
		c.hold = what
	}
}

// report reports an event to the test.
func (c *controls) report(words ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintln(c.out, words...)
}

func (c *controls) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Unix(0, c.ns).UTC()
}

// weekLoops are the parts of a server that wait by the clock: the scheduler, the profiles, the
// removal of forgotten clients and the check of files.
const weekLoops = 4

// wait waits by the clock. When all parts do, until later than now, the server
// says so.
func (c *controls) wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	id, until := new(int), c.ns+int64(d)
	c.waits[id] = until
	for c.ns < until && ctx.Err() == nil {
		if c.idle() {
			fmt.Fprintln(c.out, "waiting", c.ns)
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-changed:
		}
		c.mu.Lock()
	}
	delete(c.waits, id)
	c.mu.Unlock()
	return ctx.Err()
}

// idle reports whether all parts wait for a later time.
func (c *controls) idle() bool {
	for _, until := range c.waits {
		if until <= c.ns {
			return false
		}
	}
	return len(c.waits) == weekLoops
}

// take puts the installation's buckets under control.
func (c *controls) take(s *site.Site) {
	s.Archive = &weekDisk{Dirs: s.Archive.(store.Dirs), c: c, name: "archive"}
	for root, b := range s.Roots {
		s.Roots[root] = &weekDisk{Dirs: b.(store.Dirs), c: c, name: "lake", slow: root == schema.StorageRoot}
	}
}
