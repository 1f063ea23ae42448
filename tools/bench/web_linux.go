package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// webRows are the protocols that the edge speaks.
var webRows = []struct {
	edgeRow
	http2 bool
}{
	{edgeRow{name: "edge-group", what: "HTTP/1.1"}, false},
	{edgeRow{name: "edge-tls", what: "HTTP/1.1, TLS", edge: edgeVariant{tls: true}}, false},
	{edgeRow{name: "edge-group", what: "HTTP/2"}, true},
	{edgeRow{name: "edge-tls", what: "HTTP/2, TLS", edge: edgeVariant{tls: true}}, true},
}

const (
	webSenders = 64 // each with one submission at a time
	webStreams = 8  // of a connection of HTTP/2
	webRate    = 2000
)

func init() { candidates["web-load"] = serveWebLoad }

// webPart measures submissions by Go's own clients over each protocol: what it
// costs the server, and how late the acknowledgements are at the same rate.
func webPart(ctx context.Context, o *options, p *page) error {
	b, err := newEdgeBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	cmd, in, out, err := startSelf(ctx, clientCore, "web-load", filepath.Join(b.disk, "requests"), "")
	if err != nil {
		return err
	}
	load := &loadProcess{in: in, out: json.NewDecoder(out), stop: func() { _ = in.Close(); _ = cmd.Wait() }}
	defer load.stop()
	for _, r := range webRows {
		if b.servers[r.name] == nil {
			if b.servers[r.name], err = startEdge(ctx, b.disk, r.name); err != nil {
				return err
			}
		}
	}
	most, steady := make([][]edgeSample, len(webRows)), make([][]loadResult, len(webRows))
	for round := range o.rounds {
		for i, r := range webRows {
			s := b.servers[r.name]
			j := loadJob{Addr: s.addr, Conns: webSenders, Time: edgeWarmup, TLS: r.edge.tls, HTTP2: r.http2}
			if _, err := load.run(j); err != nil {
				return fmt.Errorf("%s: %w", r.what, err)
			}
			before := s.cpu()
			j.Time = edgeRound
			res, err := load.run(j)
			if err != nil {
				return fmt.Errorf("%s: %w", r.what, err)
			}
			most[i] = append(most[i], edgeSample{res.rate(), (s.cpu() - before) / float64(res.Done) * 1e6})
			j.Rate = webRate
			if res, err = load.run(j); err != nil {
				return fmt.Errorf("%s: %w", r.what, err)
			}
			steady[i] = append(steady[i], res)
			fmt.Fprintf(os.Stderr, "round %d %-14s %8.0f/s  %6.1f µs cpu  p50 %6.2f ms  p99 %6.2f ms\n",
				round+1, r.what, most[i][round].rate, most[i][round].cpu, ms(res.P50), ms(res.P99))
		}
	}
	p.printf("\n## HTTP/2 and TLS\n\nThe same submissions by Go's own clients, %d at a time on kept connections, with HTTP/2 %d on each; "+
		"a response means the same on all of them: the submission is on disk. "+
		"Medians of %d alternating rounds of %s; the last two columns at %d a second.\n\n"+
		"| protocol | responses/s | server's µs each | ÷ HTTP/1.1 | p50 ms | p99 ms |\n|---|---|---|---|---|---|\n", webSenders, webStreams,
		o.rounds, edgeRound, webRate)
	cost := func(i int) float64 { return median(most[i], func(s edgeSample) float64 { return s.cpu }).cpu }
	for i, r := range webRows {
		rate := median(most[i], func(s edgeSample) float64 { return s.rate }).rate
		p50 := median(steady[i], func(r loadResult) float64 { return float64(r.P50) }).P50
		p99 := median(steady[i], func(r loadResult) float64 { return float64(r.P99) }).P99
		p.printf("| %s | %.0f | %.1f | %.2f | %.1f | %.1f |\n", r.what, rate, cost(i), cost(i)/cost(0), ms(p50), ms(p99))
	}
	return nil
}

// serveWebLoad executes jobs from lines of JSON with Go's HTTP clients.
func serveWebLoad(ctx context.Context, input, _ string) (int64, int64, error) {
	requests, err := readRequests(input)
	if err != nil {
		return 0, 0, err
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var j loadJob
		if err := in.Decode(&j); errors.Is(err, io.EOF) {
			return 0, 0, nil
		} else if err != nil {
			return 0, 0, err
		}
		r, err := webLoad(ctx, j, requests)
		if err != nil {
			r.Error = err.Error()
		}
		if err := out.Encode(r); err != nil {
			return 0, 0, err
		}
	}
}

// webLoad sends from as many goroutines as there are connections in the job.
func webLoad(ctx context.Context, j loadJob, requests [][]byte) (loadResult, error) {
	each := 1
	if j.HTTP2 {
		each = webStreams
	}
	peers := make([]*http.Client, max(1, j.Conns/each))
	for i := range peers {
		t := &http.Transport{Protocols: new(http.Protocols), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // on this machine
		t.Protocols.SetHTTP1(!j.HTTP2)
		t.Protocols.SetHTTP2(j.HTTP2)
		t.Protocols.SetUnencryptedHTTP2(j.HTTP2)
		defer t.CloseIdleConnections()
		peers[i] = &http.Client{Transport: t}
	}
	var wg sync.WaitGroup
	times, failed := make([][]time.Duration, j.Conns), make([]error, j.Conns)
	before, start := cpu(usage()), time.Now()
	for n := range j.Conns {
		wg.Go(func() {
			for i := n; failed[n] == nil && time.Since(start) < j.Time; i += j.Conns {
				due := time.Now()
				if j.Rate > 0 {
					due = start.Add(time.Duration(float64(i) / j.Rate * 1e9))
					time.Sleep(time.Until(due))
				}
				failed[n] = webSend(ctx, peers[n%len(peers)], j, requests[i%len(requests)])
				times[n] = append(times[n], time.Since(due))
			}
		})
	}
	wg.Wait()
	return (&clients{times: slices.Concat(times...)}).summarize(time.Since(start), cpu(usage())-before), errors.Join(failed...)
}

// webSend sends a prepared request of HTTP/1.1 as what it says.
func webSend(ctx context.Context, c *http.Client, j loadJob, raw []byte) error {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
	if err != nil {
		return err
	}
	r.RequestURI, r.URL.Scheme, r.URL.Host = "", "http", j.Addr
	if j.TLS {
		r.URL.Scheme = "https"
	}
	res, err := c.Do(r.WithContext(ctx))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err = errors.Join(err, res.Body.Close()); err == nil && (res.StatusCode != http.StatusOK || res.ProtoMajor == 2 != j.HTTP2) {
		err = fmt.Errorf("the response is %s %s", res.Proto, res.Status)
	}
	return err
}

// selfSigned writes a certificate for this machine and its key into a folder.
func selfSigned(dir string) (certFile, keyFile string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	t := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	cert, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return "", "", err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", "", err
	}
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	return certFile, keyFile, errors.Join(
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
}
