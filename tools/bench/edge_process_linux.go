package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	serverCore = 0
	clientCore = 1
	clockTicks = 100 // a second, in /proc
)

// startOn starts a command on one core; where there is only one, on that.
func startOn(core int, cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	only.Set(nthCore(&before, core))
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return fmt.Errorf("bind to core %d: %w", core, err)
	}
	err := cmd.Start() // inherits the core of this thread
	return errors.Join(err, unix.SchedSetaffinity(0, &before))
}

// nthCore returns the core of this number among those that may be used, or the last.
func nthCore(set *unix.CPUSet, n int) (core int) {
	for i := range 1024 {
		if set.IsSet(i) {
			core = i
			if n--; n < 0 {
				break
			}
		}
	}
	return core
}

// edgeServer is the process of a server.
type edgeServer struct {
	addr string
	pid  int
	stop func()
}

// cpu returns the processor time that the server has used, in seconds.
func (s *edgeServer) cpu() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64) // the kernel writes numbers
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / clockTicks
}

// loadProcess is the process of the clients.
type loadProcess struct {
	in   io.WriteCloser
	out  *json.Decoder
	stop func()
}

func startLoad(ctx context.Context, requests string) (*loadProcess, error) {
	cmd, in, out, err := startSelf(ctx, clientCore, "edge-load", requests, "")
	if err != nil {
		return nil, fmt.Errorf("start clients: %w", err)
	}
	return &loadProcess{in: in, out: json.NewDecoder(out), stop: func() { _ = in.Close(); _ = cmd.Wait() }}, nil
}

// run does one job. An error of the clients ends the benchmark.
func (l *loadProcess) run(j loadJob) (r loadResult, err error) {
	if err := json.NewEncoder(l.in).Encode(j); err != nil {
		return r, fmt.Errorf("ask the clients: %w", err)
	}
	if err := l.out.Decode(&r); err != nil {
		return r, fmt.Errorf("read the clients' result: %w", err)
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}

// startEdge starts a server of this program.
func startEdge(ctx context.Context, dir, name string) (*edgeServer, error) {
	cmd, in, out, err := startSelf(ctx, serverCore, name, dir, "")
	if err != nil {
		return nil, err
	}
	stop := func() { _ = in.Close(); _, _ = io.Copy(io.Discard, out); _ = cmd.Wait() }
	addr, err := out.ReadString('\n')
	if err != nil {
		stop()
		return nil, errors.New("it ended at once")
	}
	return &edgeServer{addr: strings.TrimSpace(addr), pid: cmd.Process.Pid, stop: stop}, nil
}

// startSelf starts a candidate that lives until its input is closed. Each writes
// a profile when BENCH_PROFILES names a folder.
func startSelf(ctx context.Context, core int, name, input, output string) (*exec.Cmd, io.WriteCloser, *bufio.Reader, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("find own program: %w", err)
	}
	args := []string{"-child", name, "-input", input, "-output", output}
	if dir := os.Getenv("BENCH_PROFILES"); dir != "" {
		args = append(args, "-cpuprofile", dir+"/"+name+".prof")
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, nil, err
	}
	if err := startOn(core, cmd); err != nil {
		return nil, nil, nil, err
	}
	return cmd, in, bufio.NewReader(out), nil
}
