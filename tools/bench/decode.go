package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/ingest"
)

// decodePart measures decoding on one core in this process: metadata, unpacking,
// JSON and schema, without the duplicate check and a geo database, whose cost does not
// depend on the size of a document.
func decodePart(_ context.Context, o *options, p *page) error {
	var plain, packed []ingest.Submission
	size := 0
	pings, err := mainPings(4, 200, true)
	if err != nil {
		return err
	}
	for s := range pings {
		one := ingest.Submission{URI: bytes.Clone(s.URI), Timestamp: s.Timestamp, Body: bytes.Clone(s.Body)}
		packed = append(packed, one)
		one.Body = bytes.Clone(s.Document)
		plain = append(plain, one)
		if size += len(s.Document); len(plain) == 200 {
			break
		}
	}
	without, err := otherSchema(filepath.Join(o.dir, "schemas"))
	if err != nil {
		return err
	}
	p.printf("\n## Decoding submissions\n\n%d main pings by processor time, from a submission to a ping with its metadata.\n\n| bodies | "+
		"with JSON Schema, GB/s | without, GB/s |\n|---|---|---|\n", len(plain))
	for _, c := range []struct {
		what string
		all  []ingest.Submission
	}{{"plain", plain}, {"gzip", packed}} {
		with, err := decodeRate(ingest.Config{}, c.all, size)
		if err != nil {
			return err
		}
		bare, err := decodeRate(ingest.Config{Schemas: without}, c.all, size)
		if err != nil {
			return err
		}
		p.printf("| %s | %.2f | %.2f |\n", c.what, with, bare)
	}
	if err := unpackRows(ingest.Config{Schemas: without}, packed, size, p); err != nil {
		return err
	}
	return os.RemoveAll(without)
}

// otherSchema creates a folder whose only schema is for a document type that nobody sends, because an empty folder is
// refused.
func otherSchema(dir string) (string, error) {
	folder := filepath.Join(dir, "telemetry", "other")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(folder, "other.4.schema.json"), []byte(`{"type": "object"}`), 0o644)
}

// decodeRate returns GB/s of JSON by processor time; size is the size of all documents.
func decodeRate(c ingest.Config, all []ingest.Submission, size int) (float64, error) {
	d, err := ingest.New(c)
	if err != nil {
		return 0, err
	}
	var out ingest.Outcome
	var ahead ingest.Ahead
	return rateOf(size, func() error {
		begun := 0
		for i := range all {
			for ; begun < min(i+ingest.MaxAhead, len(all)); begun++ {
				d.Begin(&ahead, all[begun].Body)
			}
			all[i].Ahead = &ahead
			if d.Decode(&all[i], &out); out.Kind != ingest.Ping {
				return fmt.Errorf("decode ping %d: %s", i, out.Message)
			}
		}
		return nil
	})
}

// rateOf returns the GB/s by processor time of f with size bytes.
func rateOf(size int, f func() error) (float64, error) {
	if err := f(); err != nil {
		return 0, err
	}
	each, err := cost(2, f)
	return float64(size) / each / 1e9, err
}

// cost returns the processor time of a call in seconds. It repeats the call for at least the given number of seconds.
func cost(least float64, f func() error) (float64, error) {
	start, n, used := cpu(usage()), 0, 0.0
	for ; used < least; used = cpu(usage()) - start {
		if err := f(); err != nil {
			return 0, err
		}
		n++
	}
	return used / float64(n), nil
}
