package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

var fleetFlags = struct {
	clients *int
	hours   *float64
	only    *string
	fast    *bool
	live    *bool
	program *string
	out     *string
}{
	clients: flag.Int("fleet.clients", 0, "TestFleet: clients whose submissions are sent"),
	hours:   flag.Float64("fleet.hours", 1, "TestFleet: hours of submissions"),
	only:    flag.String("fleet.only", "", "TestFleet: the only kind of submissions: main, other telemetry or Glean"),
	fast:    flag.Bool("fleet.fast", false, "TestFleet: as fast as the edge responds, in a folder: for the costs of the model"),
	live:    flag.Bool("fleet.live", true, "TestFleet: with live rows"),
	program: flag.String("fleet.program", "", "TestFleet: the program that is measured"),
	out:     flag.String("fleet.out", "", "TestFleet: file that the results are written to"),
}

// fleetRun is one run of TestFleet.
type fleetRun struct {
	t *testing.T
	Fleet
	dir, program string
	args         []string // of each process
	requests     func() map[blobtest.Request]int
}

// TestFleet sends what many clients send in some hours, in as many hours, to an edge and a server with a bucket, makes the tables
// of the day, and compares processor time, bytes and requests with the model.
func TestFleet(t *testing.T) {
	if *fleetFlags.clients == 0 {
		t.Skip("make fleet-run does this")
	}
	r := &fleetRun{t: t, dir: filepath.Join(t.TempDir(), "data"), program: *fleetFlags.program}
	r.Clients, r.Hours, r.Requests = float64(*fleetFlags.clients), *fleetFlags.hours, map[string]map[string]int{}
	root := ""
	if !*fleetFlags.fast {
		root = blobtest.S3(t)
		var counted string
		counted, r.requests = blobtest.Counted(t, root)
		r.args = []string{"--storage", counted}
	}
	address := clienttest.FreeAddress(t)
	load := &fleetLoad{to: address, clients: *fleetFlags.clients, kinds: fleetKinds(t, *fleetFlags.only)}
	shares := 0.0
	for _, k := range load.kinds {
		shares += k.share
	}
	load.n = int64(r.Clients * shares * r.Hours / 24)
	edge := []string{"serve", "--only", "edge", "--listen", address, "--definitions", "firefox"}
	server := []string{"serve", "--only", "decode", "--definitions", "firefox"}
	if !*fleetFlags.live {
		server = append(server, "--live", "")
	}
	if !*fleetFlags.fast {
		load.rate = r.Clients * shares / 86400
		server = []string{"serve", "--only", "decode,schedule,web", "--web", clienttest.FreeAddress(t), "--definitions", "firefox"}
	}
	sending := func() {
		r.await(address)
		require.NoError(t, load.send(t.Context()))
	}
	if *fleetFlags.fast {
		r.step(stepEdge, sending, edge...)
		r.step(stepServer, r.decoded, server...)
	} else {
		r.step(stepServer, func() {
			r.step(stepEdge, sending, edge...)
			r.decoded()
		}, server...)
	}
	r.step(stepTables, nil, "run", "all", "--date", "today", "--workers", "2", "--definitions", "firefox")
	for _, k := range load.kinds {
		r.Kinds = append(r.Kinds, k.FleetKind)
	}
	r.Distinct = load.distinct()
	r.sizes(root)
	data, err := json.MarshalIndent(r.Fleet, "", " ")
	require.NoError(t, err)
	t.Logf("%s", data)
	if *fleetFlags.out != "" {
		require.NoError(t, os.WriteFile(*fleetFlags.out, append(data, '\n'), 0o644))
	}
}

// step runs a process to its end, or as long as something else works with it and then stops it.
func (r *fleetRun) step(name string, beside func(), args ...string) {
	t := r.t
	before := map[blobtest.Request]int{}
	if r.requests != nil {
		before = r.requests()
	}
	args = append(append(args, "--data", r.dir), r.args...)
	if args[0] == "serve" {
		args = append(args, "--private", clienttest.FreeAddress(t))
	}
	cmd := exec.CommandContext(t.Context(), r.program, args...)
	log, err := os.Create(filepath.Join(filepath.Dir(r.dir), name+".log"))
	require.NoError(t, err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	began := time.Now()
	require.NoError(t, cmd.Start())
	peak := watchMemory(cmd.Process.Pid)
	if beside != nil {
		beside()
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	}
	err = cmd.Wait()
	text, _ := os.ReadFile(log.Name())
	require.NoError(t, err, "%s", text[max(0, len(text)-4000):])
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	s := FleetStep{Name: name, CPU: used.Seconds(), Peak: peak(), Seconds: time.Since(began).Seconds()}
	r.Steps = append(r.Steps, s)
	t.Logf("%+v; last lines: %s", s, text[max(0, len(text)-300):])
	if r.requests != nil {
		counts := map[string]int{}
		for q, n := range r.requests() {
			if n -= before[q]; n > 0 {
				counts[q.Kind+" "+folderOf(q.Key)] += n
			}
		}
		r.Requests[name] = counts
	}
}

// watchMemory reads a process's largest memory until the result is asked for.
func watchMemory(pid int) func() int64 {
	stop, most := make(chan struct{}), make(chan int64)
	field := regexp.MustCompile(`VmHWM:\s*(\d+) kB`)
	go func() {
		var top int64
		for {
			status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status") // none once it has ended
			if m := field.FindSubmatch(status); m != nil {
				kb, _ := strconv.ParseInt(string(m[1]), 10, 64)
				top = max(top, kb<<10)
			}
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(stop); return <-most }
}

// folderOf returns the place of an object or listing: the root and the first folder, or the table.
func folderOf(key string) string {
	parts := bytes.Split([]byte(key), []byte("/"))
	n := min(len(parts), 2)
	if n == 2 && bytes.HasPrefix(parts[1], []byte("_")) {
		n = min(len(parts), 3)
	}
	return string(bytes.Join(parts[:n], []byte("/")))
}

func (r *fleetRun) await(address string) {
	for range 600 {
		if a, err := http.Get("http://" + address + "/__lbheartbeat__"); err == nil {
			a.Body.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	r.t.Fatalf("%s does not answer", address)
}

// decoded waits until the spool is decoded.
func (r *fleetRun) decoded() {
	for {
		left, err := filepath.Glob(filepath.Join(r.dir, "spool", "*.seg"))
		require.NoError(r.t, err)
		if len(left) == 0 {
			return
		}
		time.Sleep(time.Second)
	}
}

// sizes sums the bytes of archive and tables.
func (r *fleetRun) sizes(root string) {
	if root == "" {
		require.NoError(r.t, filepath.WalkDir(r.dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil {
				rel, _ := filepath.Rel(r.dir, path)
				r.count(rel, info.Size())
			}
			return err
		}))
		return
	}
	b, err := blob.Open(context.WithoutCancel(r.t.Context()), root, blob.Options{})
	require.NoError(r.t, err)
	for e, err := range b.List(r.t.Context(), "") {
		require.NoError(r.t, err)
		r.count(e.Name, e.Size)
	}
}

func (r *fleetRun) count(name string, size int64) {
	switch {
	case regexp.MustCompile(`^archive/(pings|rows|index|loads|prepared)`).MatchString(name):
		r.Archive += size
	case regexp.MustCompile(`^(lake|pipeline|restricted)/[^_]`).MatchString(name):
		r.Tables += size
	}
}
