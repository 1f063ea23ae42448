package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
)

// edgeVariant is an edge as a row of a table measures it. The zero value is the
// edge as it is.
type edgeVariant struct {
	sync     spool.Sync
	slow     bool // the fast path is off: it takes plain TCP connections only, and sees none
	bare     bool // net/http serves the handler: no fast path, checks of framing or bound on connections
	tls      bool
	failover bool // a second disk takes what waits
	deletes  bool // files of removed segments are deleted, not used again
}

func init() {
	rows := slices.Concat(edgeRows, edgePieceRows)
	for _, r := range stallRows {
		rows = append(rows, r.edgeRow)
	}
	for _, r := range webRows {
		rows = append(rows, r.edgeRow)
	}
	for _, r := range rows {
		candidates[r.name] = func(ctx context.Context, input, _ string) (int64, int64, error) {
			return serveEdge(ctx, filepath.Join(input, r.name), r.edge)
		}
	}
}

// blockedThreads is the number of threads that wait for the disk: the spool's committer, and one that seals or creates
// segments.
const blockedThreads = 2

// leaveRoom adds threads for the disk. A thread in a write or a sync holds its place in Go's scheduler, though it needs no
// core: without room for them requests wait as well.
func leaveRoom() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU() + blockedThreads)
	}
}

// secondEnd is the suffix that makes the path of the second disk from the first.
const secondEnd = "-second"

// serveEdge serves until the input ends. It prints the address, and returns the number of submissions and their bytes.
func serveEdge(ctx context.Context, dir string, v edgeVariant) (int64, int64, error) {
	leaveRoom()
	o := spool.Options{Sync: v.sync, Now: time.Now}
	if v.failover {
		o.Failover = filepath.Join(filepath.Dir(dir)+secondEnd, filepath.Base(dir))
	}
	sp, err := spool.Open(dir, o)
	if err != nil {
		return 0, 0, err
	}
	end, err := removeSegments(dir, sp, v.deletes)
	if err != nil {
		return 0, 0, err
	}
	c := edge.Config{Spool: sp, Now: time.Now}
	if v.tls {
		if c.CertFile, c.KeyFile, err = selfSigned(filepath.Dir(dir)); err != nil {
			return 0, 0, err
		}
	}
	serve, shutdown, err := v.server(c)
	if err != nil {
		return 0, 0, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	if v.slow {
		l = hiding{l}
	}
	served := make(chan error, 1)
	go func() { served <- serve(ctx, l) }()
	fmt.Println(l.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	err = errors.Join(err, shutdown(ctx), <-served)
	end()
	st := sp.Stats()
	fmt.Fprintf(os.Stderr, "%s: %d records in %d commits, %.0f KB each, %d of them by a second disk too, in %d stalls\n",
		filepath.Base(dir), st.Records, st.Commits, float64(st.Bytes)/1e3/float64(max(st.Commits, 1)), st.Aside, st.Stalls)
	return st.Records, st.Bytes, errors.Join(err, sp.Close(), os.RemoveAll(dir))
}

// server returns the functions that serve and close an edge.
func (v edgeVariant) server(c edge.Config) (serve func(context.Context, net.Listener) error, shutdown func(context.Context) error,
	err error) {
	s, err := edge.New(c)
	if err != nil {
		return nil, nil, err
	}
	if !v.bare {
		return s.Serve, s.Shutdown, nil
	}
	// With the times and the size that the edge sets unless it is configured.
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 90 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	serve = func(_ context.Context, l net.Listener) error {
		if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
	return serve, h.Shutdown, nil
}

// hiding is a listener whose connections do not show that they are TCP.
type hiding struct{ net.Listener }

func (l hiding) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{c}, nil
}

// sealedSegments removes segments: the spool itself or a follower.
type sealedSegments interface {
	Sealed() ([]spool.Segment, error)
	Remove(g spool.Segment) error
}

// removeSegments removes segments as they are sealed, as decoding would in the
// same process, or, so that their files are deleted, in another.
func removeSegments(dir string, s *spool.Spool, deletes bool) (stop func(), err error) {
	var from sealedSegments = s
	if deletes {
		if from, err = spool.Follow(dir, "edge"); err != nil {
			return nil, err
		}
	}
	end := make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() {
		for {
			select {
			case <-s.Changed():
			case <-end:
				return
			}
			sealed, err := from.Sealed()
			for _, g := range sealed {
				err = errors.Join(err, from.Remove(g))
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
			}
		}
	})
	return func() { close(end); w.Wait() }, nil
}
