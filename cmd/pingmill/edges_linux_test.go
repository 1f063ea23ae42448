package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/clienttest"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// The defaults take some seconds; make soak runs the long one, behind nginx.
var (
	edgesSubmissions = flag.Int64("edges.submissions", 1200, "submissions of TestEdges")
	edgesRate        = flag.Float64("edges.rate", 600, "submissions a second of TestEdges")
	edgesKills       = flag.Int("edges.kills", 1, "how often TestEdges kills an edge that comes back")
	edgesNginx       = flag.Bool("edges.nginx", false, "send through nginx instead of a balancer in the test")
)

// TestEdges sends a population to four edges behind a balancer, which sends to another one
// what one of them has not answered. Edges are killed and come back; one is killed for
// good, and its disk is lost. What is acknowledged is archived once, but for what the unread
// spool of that disk held and nobody else got. An edge that joins makes the direct tables whole.
func TestEdges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := newServer(t, "")
	edges := []*server{first}
	for range 4 {
		edges = append(edges, serverOf(t, first.bin, ""))
	}
	for i, s := range edges {
		s.data = filepath.Join(dir, fmt.Sprint("machine", i+1))
		name := fmt.Sprint("e", i+1)
		s.args = []string{"--storage", filepath.Join(dir, "shared"), "--shared-as", name, "--edge", name,
			"--only", "edge,decode", "--archive-every", "1s", "--publish-every", "1s"}
	}
	edges, joins := edges[:4], edges[4]
	for _, s := range edges {
		s.start()
	}
	to, transport := balance(t, edges)
	var ids send.IDs
	ended := make(chan struct{})
	troubled := make(chan map[string]bool)
	whole := time.Duration(float64(*edgesSubmissions) / *edgesRate * float64(time.Second))
	go func() { troubled <- killEdges(t, edges, whole, ended) }()
	report, err := send.Run(t.Context(), population(t), send.Options{
		To: to, Transport: transport, Rate: *edgesRate, Concurrency: 32, Retries: -1, Limit: *edgesSubmissions,
		Backoff: 20 * time.Millisecond, MaxBackoff: time.Second, Timeout: 10 * time.Second, Clock: clock.Clock{Now: time.Now}, IDs: &ids,
	})
	close(ended)
	lost := <-troubled
	require.NoError(t, err)
	for _, s := range edges {
		if s.cmd != nil {
			s.stop()
		}
	}
	joins.start()

	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	shared := filepath.Join(dir, "shared")
	in, err := site.Open(t.Context(), filepath.Join(dir, "reader"), schema.NewSet(p), site.At(site.Roots{
		Archive: filepath.Join(shared, "archive"), Lake: filepath.Join(shared, "lake"),
		Pipeline: filepath.Join(shared, "pipeline"), Restricted: filepath.Join(shared, "restricted"),
	}))
	require.NoError(t, err)
	defer in.Close()
	// A killed edge may have had the lease of a partition, which then nobody makes for a minute.
	for deadline := time.Now().Add(2 * time.Minute); len(directLacks(t, in)) > 0 && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
	}
	joins.stop()
	var safe, spooled send.IDs // whether the lost spool had them
	for n := range ids.Len() {
		if id := ids.ID(n); lost[id] {
			spooled.Add([]byte(id))
		} else {
			safe.Add([]byte(id))
		}
	}
	a, err := loader.AccountFor(t.Context(), in.Archive, &safe)
	require.NoError(t, err)
	b, err := loader.AccountFor(t.Context(), in.Archive, &spooled)
	require.NoError(t, err)
	t.Logf("%d acknowledged, %d retries, answers %v; the lost spool held %d submissions", report.Acknowledged, report.Retries,
		report.Responses, len(lost))
	t.Logf("account of the others: %+v", a)
	t.Logf("account of those in the lost spool: %+v", b)
	assert.True(t, a.Faultless())
	assert.True(t, b.Repeated == 0 && b.OnlyDuplicates == 0)
	assert.NotZero(t, b.Missing, "nothing was lost: the test shows nothing")
	assert.NotZero(t, a.Duplicates, "no submission came to two edges: the test shows nothing")
	checkDirect(t, in)
}

func population(t *testing.T) *generate.Generator {
	t.Helper()
	g, err := generate.New(generate.Config{
		Seed: 8, Clients: int(*edgesSubmissions/3) + 10, Days: 3, MeanBytes: 16_000, Gzip: true, Damaged: 0.01,
	})
	require.NoError(t, err)
	return g
}

// killEdges kills the second edge now and then, and brings it back; half way the third
// one is killed, and its disk lost. It returns the documents that nobody had read there.
func killEdges(t *testing.T, edges []*server, whole time.Duration, ended <-chan struct{}) (lost map[string]bool) {
	events, begin := *edgesKills+1, time.Now()
	var start sync.WaitGroup // which takes long on a machine that has other work
	defer start.Wait()
	for i := range events {
		select {
		case <-ended:
			t.Error("the sending ended before all was killed")
		case <-time.After(time.Until(begin.Add(whole * time.Duration(i+1) / time.Duration(events+1)))):
		}
		if i != events/2 {
			start.Wait()
			edges[1].kill()
			start.Go(edges[1].start)
			continue
		}
		edges[2].kill()
		lost = unread(t, filepath.Join(edges[2].data, "spool"))
		assert.NoError(t, os.RemoveAll(edges[2].data))
	}
	return lost
}

// unread returns the documents in a spool that its process has left.
func unread(t *testing.T, dir string) map[string]bool {
	s, err := spool.Open(dir, spool.Options{Edge: "e3", MinFree: -1, Now: time.Now})
	if !assert.NoError(t, err) {
		return nil
	}
	defer s.Close()
	assert.NoError(t, s.Seal(context.Background()))
	all, err := s.Sealed()
	assert.NoError(t, err)
	ids := map[string]bool{}
	for _, g := range all {
		r, err := s.Read(g, nil)
		if !assert.NoError(t, err) {
			continue
		}
		var rec spool.Record
		for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
			if u, err := ingest.ParseURI(rec.URI); err == nil {
				ids[string(u.DocumentID)] = true
			}
		}
		assert.ErrorIs(t, err, io.EOF)
	}
	return ids
}

// balance returns the address of a balancer for edges, and the way there.
func balance(t *testing.T, edges []*server) (*url.URL, http.RoundTripper) {
	t.Helper()
	address := "edges"
	var way http.RoundTripper = &roundRobin{edges: edges, r: rand.New(rand.NewPCG(4, 4))}
	if *edgesNginx {
		address, way = startNginx(t, edges), nil
	}
	to, err := url.Parse("http://" + address)
	require.NoError(t, err)
	return to, way
}

// roundRobin sends to one edge after the other. Of some submissions the answer is lost,
// so that the client sends them again, to the next one.
type roundRobin struct {
	edges []*server
	mu    sync.Mutex
	next  int
	r     *rand.Rand
}

var errLost = errors.New("the answer was lost")

func (b *roundRobin) RoundTrip(req *http.Request) (*http.Response, error) {
	b.mu.Lock()
	b.next++
	to, lose := b.edges[b.next%len(b.edges)].address, b.r.IntN(12) == 0
	b.mu.Unlock()
	there := req.Clone(req.Context())
	there.URL.Host = to
	resp, err := http.DefaultTransport.RoundTrip(there)
	if err == nil && lose {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return nil, errLost
	}
	return resp, err
}

// nginxEdges makes nginx try the next edge when one has not answered within a time in
// which it may well have taken the submission.
const nginxEdges = `daemon off; master_process off; worker_processes 1; pid %[1]s/nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http {
	access_log off; client_max_body_size 1m;
	client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; scgi_temp_path %[1]s/4; uwsgi_temp_path %[1]s/5;
	upstream edges { %[3]s keepalive 64; }
	server { listen %[2]s; location / {
		proxy_pass http://edges; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header X-Forwarded-For $remote_addr;
		proxy_next_upstream error timeout http_502 http_503 non_idempotent; proxy_next_upstream_tries 3;
		proxy_connect_timeout 1s; proxy_read_timeout %[4]dms;
	} }
}
`

// startNginx starts nginx before edges, and gives its address.
func startNginx(t *testing.T, edges []*server) (address string) {
	t.Helper()
	path, err := exec.LookPath("nginx")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/nginx")
	}
	require.NoError(t, err, "nginx is missing: apt-get install nginx-light")
	dir, upstream := t.TempDir(), ""
	for _, s := range edges {
		upstream += "server " + s.address + " max_fails=0; "
	}
	address = clienttest.FreeAddress(t)
	config := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, nginxEdges, dir, address, upstream, 15), 0o644))
	cmd := exec.Command(path, "-p", dir, "-e", "stderr", "-c", config)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return address
}
