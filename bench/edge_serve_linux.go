package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/ingest/edge"
)

func init() {
	for name, mode := range map[string]spool.Sync{"edge-group": spool.SyncGroup, "edge-append": spool.SyncAppend, "edge-each": spool.SyncEach, "edge-none": spool.SyncNone} {
		candidates[name] = func(ctx context.Context, input, _ string) (int64, int64, error) {
			return serveEdge(ctx, filepath.Join(input, name), mode)
		}
	}
}

// blockedThreads are those that wait for the disk: the spool's committer, and
// one that seals a segment or makes the next.
const blockedThreads = 2

// serveEdge serves until the input ends. It prints the address, and gives the
// number of submissions and their bytes.
func serveEdge(ctx context.Context, dir string, mode spool.Sync) (int64, int64, error) {
	if os.Getenv("GOMAXPROCS") == "" {
		// A thread in a write or a sync holds its place in Go's scheduler, though it
		// needs no core: without room for them requests wait as well.
		runtime.GOMAXPROCS(runtime.NumCPU() + blockedThreads)
	}
	sp, err := spool.Open(dir, spool.Options{Sync: mode, Now: time.Now})
	if err != nil {
		return 0, 0, err
	}
	end := removeSegments(sp)
	server, err := edge.New(edge.Config{Spool: sp, Now: time.Now})
	if err != nil {
		return 0, 0, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, l) }()
	fmt.Println(l.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	err = errors.Join(err, server.Shutdown(ctx), <-served)
	end()
	st := sp.Stats()
	fmt.Fprintf(os.Stderr, "%s: %d records in %d commits, %.0f KB each\n", filepath.Base(dir), st.Records, st.Commits, float64(st.Bytes)/1e3/float64(max(st.Commits, 1)))
	return st.Records, st.Bytes, errors.Join(err, sp.Close(), os.RemoveAll(dir))
}

// removeSegments removes segments as they are sealed, as decoding would.
func removeSegments(s *spool.Spool) (stop func()) {
	end := make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() {
		for {
			select {
			case <-s.Changed():
			case <-end:
				return
			}
			sealed, err := s.Sealed()
			for _, g := range sealed {
				err = errors.Join(err, s.Remove(g))
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
			}
		}
	})
	return func() { close(end); w.Wait() }
}
