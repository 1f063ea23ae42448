package main

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping/inflate"
)

// unpackers are the packages that can unpack a gzip body. A stream is used again
// by its Reset; nil: the package unpacks a body in one call.
var unpackers = []struct {
	what   string
	stream func(r io.Reader) (gzipStream, error)
}{
	{"inflate", nil},
	{"klauspost/compress/gzip", func(r io.Reader) (gzipStream, error) { return gzip.NewReader(r) }},
	{"compress/gzip", func(r io.Reader) (gzipStream, error) { return stdgzip.NewReader(r) }},
}

type gzipStream interface {
	io.Reader
	Reset(r io.Reader) error
}

// unpackRows compares what unpacks the bodies: alone, as part of decoding, and
// when all of them are one file. The bodies are of size bytes of JSON.
func unpackRows(c ingest.Config, packed []ingest.Submission, size int, p *page) error {
	d, err := ingest.New(c)
	if err != nil {
		return err
	}
	var file []byte
	for _, s := range packed {
		file = append(file, s.Body...)
	}
	p.printf("\nWhat unpacks the gzip bodies, without JSON Schema. A package of our own stays where without it decoding takes at least " +
		"10 %% longer.\n\n| unpacked by | alone, GB/s | decoding, GB/s | its share of decoding | one file of all, GB/s " +
		"|\n|---|---|---|---|---|\n")
	for _, u := range unpackers {
		unpack, stream := inflated, func(r io.Reader) (io.Reader, error) { return inflate.NewReader(r) }
		if u.stream != nil {
			z, err := u.stream(bytes.NewReader(file))
			if err != nil {
				return err
			}
			unpack = func(dst, src []byte) ([]byte, error) { return streamed(z, dst, src) }
			stream = func(r io.Reader) (io.Reader, error) { return z, z.Reset(r) }
		}
		rates, err := unpackRates(d, packed, size, unpack, func() error {
			r, err := stream(bytes.NewReader(file))
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", u.what, err)
		}
		p.printf("| %s | %.2f | %.2f | %.0f %% | %.2f |\n", u.what, rates[0], rates[1], 100*rates[1]/rates[0], rates[2])
	}
	return nil
}

// unpackRates returns the rates of unpacking alone, of decoding, and of reading a file.
func unpackRates(d *ingest.Decoder, packed []ingest.Submission, size int, unpack func(dst, src []byte) ([]byte, error),
	file func() error) (rates [3]float64, err error) {
	var body []byte
	var out ingest.Outcome
	for i, f := range []func() error{
		func() (err error) {
			for _, s := range packed {
				if body, err = unpack(body[:0], s.Body); err != nil {
					return err
				}
			}
			return nil
		},
		func() (err error) {
			for _, s := range packed {
				if body, err = unpack(body[:0], s.Body); err != nil {
					return err
				}
				s.Body = body
				if d.Decode(&s, &out); out.Kind != ingest.Ping {
					return fmt.Errorf("decode: %s", out.Message)
				}
			}
			return nil
		},
		file,
	} {
		if rates[i], err = rateOf(size, f); err != nil {
			return rates, err
		}
	}
	return rates, nil
}

func inflated(dst, src []byte) ([]byte, error) {
	return inflate.Gunzip(dst, src, ingest.DefaultMaxBody)
}

func streamed(z gzipStream, dst, src []byte) ([]byte, error) {
	if err := z.Reset(bytes.NewReader(src)); err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(dst)
	_, err := b.ReadFrom(z)
	return b.Bytes(), err
}
