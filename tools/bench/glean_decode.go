package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/valyala/fastjson"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping/inflate"
	"github.com/pingmill/pingmill/tools/generate"
)

// capturedFile has what a Firefox sent.
const capturedFile = "cmd/pingmill/testdata/firefox/glean.ndjson"

// gzipPings are submissions with gzipped bodies.
type gzipPings struct {
	what string
	all  []ingest.Submission
	size int // of the documents
}

// packed returns the sum of the bodies' sizes.
func (g *gzipPings) packed() (size int) {
	for i := range g.all {
		size += len(g.all[i].Body)
	}
	return size
}

func generatedPings(all []generate.Submission) *gzipPings {
	g := &gzipPings{what: "generated baseline pings"}
	for i := range all {
		g.all = append(g.all, ingest.Submission{URI: all[i].URI, Timestamp: all[i].Timestamp, Body: all[i].Body})
		g.size += len(all[i].Document)
	}
	return g
}

// capturedPings reads the submissions of a Firefox.
func capturedPings() (*gzipPings, error) {
	g := &gzipPings{what: "captured pings of all types"}
	text, err := os.ReadFile(capturedFile)
	if err != nil {
		return nil, fmt.Errorf("read captured pings: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s ingest.Submission
		if err := ingest.ParseSubmission(bytes.Clone(lines.Bytes()), &s); err != nil {
			return nil, fmt.Errorf("read captured pings: %w", err)
		}
		document, err := inflate.Gunzip(nil, s.Body, ingest.DefaultMaxBody)
		if err != nil {
			return nil, fmt.Errorf("decompress a captured ping: %w", err)
		}
		g.size += len(document)
		g.all = append(g.all, ingest.Submission{URI: s.URI, Timestamp: s.Timestamp, Headers: s.Headers, Body: s.Body})
	}
	return g, lines.Err()
}

// gleanDecode compares decoding with validation with bare decompression, and with the decompression and parsing of others.
func gleanDecode(all []generate.Submission, o *options, p *page) error {
	captured, err := capturedPings()
	if err != nil {
		return err
	}
	p.printf("\n## Glean pings\n\nSmall gzipped submissions, by processor time: from a submission to a checked ping with its metadata, "+
		"beside what is a part of it or less. Decompression alone is pingmill's, of the same bodies; the others are klauspost's gzip and "+
		"a general parser (fastjson), without a schema and metadata. Medians of %d rounds.\n\n"+
		"| pings | bytes of JSON | gzipped | decoded, GB/s | µs a ping | decompressed alone, GB/s | decoded ÷ decompressed | "+
		"gzip and fastjson, GB/s |\n|---|---|---|---|---|---|---|---|\n", o.rounds)
	for _, g := range []*gzipPings{generatedPings(all), captured} {
		var rates [3][]float64
		for range o.rounds {
			for i, rate := range []func() (float64, error){
				func() (float64, error) {
					return decodeRate(ingest.Config{Glean: ingest.Glean{Applications: ingest.FirefoxApplications()}}, g.all, g.size)
				},
				func() (float64, error) { return rateOf(g.size, decompressed(g.all)) },
				func() (float64, error) { return rateOf(g.size, parsedByOthers(g.all)) },
			} {
				r, err := rate()
				if err != nil {
					return err
				}
				rates[i] = append(rates[i], r)
			}
		}
		var r [3]float64
		for i := range r {
			r[i] = median(rates[i], func(v float64) float64 { return v })
		}
		n := len(g.all)
		p.printf("| %s | %d | %d | %.2f | %.1f | %.2f | %.2f | %.2f |\n",
			g.what, g.size/n, g.packed()/n, r[0], float64(g.size)/float64(n)/r[0]/1e3, r[1], r[0]/r[1], r[2])
	}
	return nil
}

// decompressed decompresses bodies with pingmill's decoder.
func decompressed(all []ingest.Submission) func() error {
	var d inflate.Decoder
	var out []byte
	return func() (err error) {
		for i := range all {
			if out, err = d.Gunzip(out[:0], all[i].Body, ingest.DefaultMaxBody); err != nil {
				return err
			}
		}
		return nil
	}
}

func parsedByOthers(all []ingest.Submission) func() error {
	var z gzip.Reader
	var parser fastjson.Parser
	var in bytes.Reader
	var document bytes.Buffer
	return func() error {
		for i := range all {
			in.Reset(all[i].Body)
			if err := z.Reset(&in); err != nil {
				return err
			}
			document.Reset()
			if _, err := io.Copy(&document, &z); err != nil {
				return err
			}
			if _, err := parser.ParseBytes(document.Bytes()); err != nil {
				return fmt.Errorf("parse ping %d: %w", i, err)
			}
		}
		return nil
	}
}
