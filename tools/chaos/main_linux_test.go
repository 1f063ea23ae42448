package chaos

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pingmill/pingmill/tools/generate"
)

var (
	budget   = flag.Duration("chaos.time", 0, "how long each test goes on at least; 0: for a few trials of each kind")
	inBucket = flag.Duration("chaos.bucket", 0, "how long each test of an installation in a bucket goes on; a trial takes a minute")
	inOutage = flag.Duration("chaos.outage", 0, "how long the test of a service whose bucket comes and goes goes on; a trial takes a minute")
	inMixed  = flag.Int("chaos.mixed", 0, "rounds of the test of two versions on one lake; a round takes some minutes")
	seed     = flag.Uint64("chaos.seed", 1, "what decides the trials; 0: the clock")
	first    = flag.Uint64("chaos.first", 0, "the first trial")
)

// trials returns the numbers of those that a test makes: at least some, and more for a time.
func trials(t *testing.T, least int, budget time.Duration) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		begin := time.Now()
		for n := uint64(0); (n < uint64(least) || time.Since(begin) < budget) && !t.Failed(); n++ {
			if !yield(*first + n) {
				return
			}
		}
	}
}

// stuck is the time after which a command counts as stuck. None takes a hundredth of it.
const stuck = 2 * time.Minute

// binary is the program under test: the one of PINGMILL_TEST_PROGRAM, or built once.
var binary string

func TestMain(m *testing.M) {
	if os.Getenv(filterVariable) != "" {
		fmt.Fprintln(os.Stderr, execFiltered(os.Args[1:]))
		os.Exit(exitNotRun)
	}
	_ = os.Setenv("PINGMILL_WEB_LISTEN", "127.0.0.1:0") // servers run side by side
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pingmill-chaos-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	definitions := filepath.Join(dir, "definitions")
	if err := errors.Join(generate.WriteDefinitions(definitions),
		os.RemoveAll(filepath.Join(definitions, "org-example-browser"))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_ = os.Setenv("PINGMILL_GLEAN_DEFINITIONS", definitions)
	if binary = os.Getenv("PINGMILL_TEST_PROGRAM"); binary != "" { // make has built it
		if _, err := os.Stat(binary); err != nil { // also tells go test that results depend on it
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}
	binary = filepath.Join(dir, "pingmill")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, "../../cmd/pingmill").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// result holds the end of a command.
type result struct {
	command string
	code    int // -1: it was killed, or did not end
	out     string
	errs    string
}

func (r result) ok() bool { return r.code == 0 }

// said returns all that the command printed.
func (r result) output() string { return r.out + r.errs }

func (r result) String() string {
	return fmt.Sprintf("pingmill %s: exit %d\n%s", r.command, r.code, shorten(r.output()))
}

// shorten keeps the beginning and the end of a long output.
func shorten(s string) string {
	if len(s) <= 4000 {
		return s
	}
	return s[:2000] + "\n…\n" + s[len(s)-2000:]
}

// pingmill runs the program.
func pingmill(args ...string) result { return runCommand(exec.Command(binary, args...), nil, args) }

// runCommand runs a command that is the program with the arguments. during, if not
// nil, is called beside it and ends with the channel.
func runCommand(cmd *exec.Cmd, during func(*os.Process, <-chan struct{}), args []string) result {
	ctx, stop := context.WithTimeout(context.Background(), stuck)
	defer stop()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	r := result{command: strings.Join(args, " ")}
	if err := cmd.Start(); err != nil {
		r.code, r.errs = -1, err.Error()
		return r
	}
	quit := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) }) // prints its goroutines
	ended := make(chan struct{})
	if during != nil {
		go during(cmd.Process, ended)
	}
	err := cmd.Wait()
	close(ended)
	quit()
	r.out, r.errs = out.String(), errs.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.code = -1
	case errors.As(err, &exit):
		r.code = exit.ExitCode()
	case err != nil:
		r.code, r.errs = -1, err.Error()
	}
	return r
}

// sound returns what is wrong with the end of a command, whatever fault it met: it
// has to end by itself, with success or a plain error.
func (r result) sound() error {
	switch {
	case r.code != 0 && r.code != 1:
		return fmt.Errorf("neither success nor a plain error: %v", r)
	case strings.Contains(r.errs, "goroutine ") || strings.Contains(r.errs, "panic:"):
		return fmt.Errorf("a panic: %v", r)
	case r.code == 1 && strings.TrimSpace(r.output()) == "":
		return fmt.Errorf("a failure without a word: %v", r)
	}
	return nil
}

// must runs the program, which has to succeed.
func must(t *testing.T, args ...string) result {
	t.Helper()
	r := pingmill(args...)
	if !r.ok() {
		t.Fatal(r)
	}
	return r
}
