package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"
)

func init() { candidates["edge-load"] = serveLoad }

// loadJob describes the work of the clients.
type loadJob struct {
	Addr  string
	Conns int
	Time  time.Duration
	Rate  float64 // requests a second, whatever the responses are; 0: each connection sends when it has its response

	TLS, HTTP2 bool // of Go's clients
}

// loadResult is the result of a load. Other responses than 200 are an error.
type loadResult struct {
	Done     int
	Wall     time.Duration
	CPU      float64 // seconds
	P50, P99 time.Duration
	P999     time.Duration
	Max      time.Duration
	Error    string
}

func (r loadResult) rate() float64 { return float64(r.Done) / r.Wall.Seconds() }

// serveLoad executes jobs from lines of JSON.
func serveLoad(_ context.Context, input, _ string) (int64, int64, error) {
	requests, err := readRequests(input)
	if err != nil {
		return 0, 0, err
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	next := 0
	for {
		var j loadJob
		if err := in.Decode(&j); errors.Is(err, io.EOF) {
			return 0, 0, nil
		} else if err != nil {
			return 0, 0, err
		}
		c, err := dialClients(j, requests, next)
		var r loadResult
		if err == nil {
			r, err = c.run()
			next = c.next
			c.close()
		}
		if err != nil {
			r.Error = err.Error()
		}
		if err := out.Encode(r); err != nil {
			return 0, 0, err
		}
	}
}

// dialClients opens the connections of a job.
func dialClients(j loadJob, requests [][]byte, next int) (*clients, error) {
	c := &clients{job: j, requests: requests, next: next, poll: -1}
	for range j.Conns {
		nc, err := net.Dial("tcp", j.Addr)
		if err != nil {
			c.close()
			return nil, err
		}
		f, err := nc.(*net.TCPConn).File()
		err = errors.Join(err, nc.Close())
		if err != nil {
			c.close()
			return nil, err
		}
		c.all = append(c.all, client{file: f, fd: int(f.Fd())})
	}
	return c, c.watch()
}

// summarize computes a result from the times of all responses.
func (c *clients) summarize(wall time.Duration, used float64) loadResult {
	r := loadResult{Done: len(c.times), Wall: wall, CPU: used}
	if len(c.times) > 0 {
		slices.Sort(c.times)
		n := len(c.times)
		r.P50, r.P99, r.P999, r.Max = c.times[n/2], c.times[n*99/100], c.times[n*999/1000], c.times[n-1]
	}
	return r
}
