package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/access"
)

// options sets the size of the load.
type options struct {
	program string
	clients int
	queries int
	rate    float64
	log     io.Writer
}

// How many people there are, and how many of them ask over Flight SQL.
const (
	people  = 10
	flyers  = 2
	hogging = 50 // queries that one person has waiting
)

// small lists the measured queries, which run alternately.
var small = []string{
	"SELECT os, count(*) FROM clients_daily GROUP BY 1 ORDER BY 2 DESC",
	"SELECT normalized_channel, sum(pings_aggregated_by_this_row) FROM clients_daily WHERE submission_date_obj = '20180302' GROUP BY 1",
	"SELECT country, approx_distinct(client_id) FROM main_summary WHERE submission_date_obj = '20180301' AND sample_id = '42' GROUP BY 1",
	"SELECT count(*) FROM addons WHERE submission_date_obj = '20180303'",
}

// server is a running service with people who have tokens.
type server struct {
	options
	dir, data         string
	edge, web, flight string
	tokens            []string
	cmd               *exec.Cmd
	output            bytes.Buffer
}

// run makes an installation and a service, and measures.
func run(ctx context.Context, o options) (r *report, err error) {
	dir, err := os.MkdirTemp("", "pingmill-load-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &server{options: o, dir: dir, data: filepath.Join(dir, "demo", "data")}
	if s.program == "" {
		s.program = filepath.Join(dir, "pingmill")
		if err := s.do(ctx, "go", "build", "-o", s.program, "github.com/pingmill/pingmill/cmd/pingmill"); err != nil {
			return nil, err
		}
	}
	fmt.Fprintln(o.log, "making an installation")
	if err := s.do(ctx, s.program, "demo", "--dir", filepath.Join(dir, "demo"), "--clients", fmt.Sprint(o.clients)); err != nil {
		return nil, err
	}
	if err := s.hire(ctx); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	return s.measure(ctx)
}

// do runs a program.
func (s *server) do(ctx context.Context, name string, args ...string) error {
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(name), args[0], err, out)
	}
	return nil
}

// hire makes the people.
func (s *server) hire(ctx context.Context) error {
	store, err := access.Open(ctx, access.Place{Dir: filepath.Join(s.data, "web")}, time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	for i := range people {
		p, err := store.Add(ctx, access.Person{Name: fmt.Sprintf("person-%d", i), Kind: access.Service,
			Grants: []access.Grant{{Table: access.AllTables}}})
		if err != nil {
			return err
		}
		_, token, err := store.NewToken(ctx, p.ID, access.Token{Name: "load", Scopes: []access.Scope{access.QueryScope}})
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, token)
	}
	return nil
}

// address returns a free one of this machine.
func address() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// start starts the service and waits until it answers.
func (s *server) start(ctx context.Context) (err error) {
	var private string
	for _, a := range []*string{&s.edge, &s.web, &s.flight, &private} {
		if *a, err = address(); err != nil {
			return err
		}
	}
	s.cmd = exec.CommandContext(ctx, s.program, "serve", "--data", s.data, "--listen", s.edge, "--web", s.web, "--flight", s.flight,
		"--private", private,
		"--schedule=false", "--segment-age", "500ms", "--archive-every", "5s")
	s.cmd.Stderr, s.cmd.Stdout = &s.output, &s.output
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = time.Minute
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for range 300 {
		if c, err := net.Dial("tcp", s.flight); err == nil {
			return c.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.Join(errors.New("the service does not answer: "+s.output.String()), s.stop())
}

// stop ends the service.
func (s *server) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	if err := s.cmd.Wait(); err != nil && !strings.Contains(err.Error(), "signal") {
		return fmt.Errorf("serve: %w: %s", err, s.output.String())
	}
	return nil
}
