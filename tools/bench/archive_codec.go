package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping/inflate"
)

// codec is a form in which the archive could keep documents.
type codec struct {
	what   string
	waits  bool // documents wait for their file squeezed by s2
	pack   func(document, body []byte) []byte
	unpack func(dst, stored []byte) ([]byte, error)
	page   int // bytes of documents that are packed together; 0: each by itself
}

// archiveCodecPart measures the forms in which documents can be archived that came as gzip: by processor time in and out of the
// archive, beside decoding, which all have alike, and by what is stored.
func archiveCodecPart(_ context.Context, _ *options, p *page) error {
	pings, err := mainPings(6, 1200, true)
	if err != nil {
		return err
	}
	var bodies, documents [][]byte
	var all []ingest.Submission
	size := 0
	for s := range pings {
		bodies, documents = append(bodies, bytes.Clone(s.Body)), append(documents, bytes.Clone(s.Document))
		all = append(all, ingest.Submission{URI: bytes.Clone(s.URI), Timestamp: s.Timestamp, Body: bodies[len(bodies)-1]})
		if size += len(s.Document); len(bodies) == 600 {
			break
		}
	}
	learn, check := documents[:200], documents[200:]
	bodies, all = bodies[200:], all[200:]
	size = 0
	for _, d := range check {
		size += len(d)
	}
	decoding, err := decodeRate(ingest.Config{}, all, size)
	if err != nil {
		return err
	}
	codecs, err := codecs(learn)
	if err != nil {
		return err
	}
	each := float64(size) / float64(len(check))
	p.printf("\n## Documents in the archive\n\nWhat a ping of %.0f KB costs that came as gzip of %.0f KB, in µs of processor time: "+
		"decoding with JSON Schema takes %.0f in all rows. "+
		"A dictionary is of 112 KB, trained on other pings of the same days; pages have that much of documents.\n\n"+
		"| kept as | into the archive | out of it | with decoding | stored, bytes | of gzip |\n|---|---|---|---|---|---|\n",
		each/1e3, float64(total(bodies))/float64(len(bodies))/1e3, each/decoding/1e3)
	for _, c := range codecs {
		in, out, stored, err := c.measure(check, bodies)
		if err != nil {
			return fmt.Errorf("%s: %w", c.what, err)
		}
		n := float64(len(check)) / 1e6
		p.printf("| %s | %.0f | %.0f | %.0f | %.0f | %.2f |\n", c.what, in/n, out/n, (in+out)/n+each/decoding/1e3,
			float64(stored)/float64(len(check)), float64(stored)/float64(total(bodies)))
	}
	return nil
}

func total(all [][]byte) (n int) {
	for _, b := range all {
		n += len(b)
	}
	return n
}

// measure returns the processor time of packing and of unpacking all, in s.
func (c *codec) measure(documents, bodies [][]byte) (in, out float64, stored int, err error) {
	documents, bodies = c.pages(documents, bodies)
	packed := make([][]byte, len(documents))
	var squeezed, again []byte
	if in, err = cost(1, func() error {
		for i, d := range documents {
			if c.waits {
				squeezed = s2.Encode(squeezed[:cap(squeezed)], d)
				if again, err = s2.Decode(again[:cap(again)], squeezed); err != nil {
					return fmt.Errorf("squeezed: %w", err)
				}
			}
			packed[i] = c.pack(d, bodies[i])
		}
		return nil
	}); err != nil {
		return 0, 0, 0, err
	}
	var dst []byte
	out, err = cost(1, func() error {
		for i, s := range packed {
			if dst, err = c.unpack(dst, s); err != nil || len(dst) != len(documents[i]) {
				return fmt.Errorf("unpack document %d: %d bytes instead of %d, %w", i, len(dst), len(documents[i]), err)
			}
		}
		return nil
	})
	return in, out, total(packed), err
}

// pages joins documents as far as they are packed together.
func (c *codec) pages(documents, bodies [][]byte) (pages, same [][]byte) {
	if c.page == 0 {
		return documents, bodies
	}
	var page []byte
	for _, d := range documents {
		if len(page) > 0 && len(page)+len(d) > c.page {
			pages, page = append(pages, page), nil
		}
		page = append(page, d...)
	}
	pages = append(pages, page)
	return pages, make([][]byte, len(pages))
}

// codecs returns the candidates. A dictionary is learnt from some documents.
func codecs(learn [][]byte) ([]codec, error) {
	for i, d := range learn {
		learn[i] = d[:min(len(d), 64<<10)] // the trainer takes no block that is larger than zstd's
	}
	trained, err := dict.BuildZstdDict(learn, dict.Options{MaxDictSize: 112 << 10, HashBytes: 6, ZstdDictID: 1, ZstdLevel: zstd.SpeedFastest})
	if err != nil {
		return nil, fmt.Errorf("train a dictionary: %w", err)
	}
	all := []codec{{
		what: "the client's gzip", pack: func(_, body []byte) []byte { return body },
		unpack: func(dst, stored []byte) ([]byte, error) { return inflate.Gunzip(dst[:0], stored, 1<<30) },
	}}
	const mb = 1 << 20
	for _, z := range []struct {
		what  string
		level zstd.EncoderLevel
		waits bool
		page  int
		dict  []byte
	}{
		{"zstd fastest, pages of 1 MiB, squeezed by s2 before", zstd.SpeedFastest, true, mb, nil},
		{"zstd fastest, pages of 1 MiB", zstd.SpeedFastest, false, mb, nil},
		{"zstd default, pages of 1 MiB", zstd.SpeedDefault, false, mb, nil},
		{"zstd best, pages of 1 MiB", zstd.SpeedBestCompression, false, mb, nil},
		{"zstd default, pages of 8 MiB", zstd.SpeedDefault, false, 8 * mb, nil},
		{"zstd better, pages of 8 MiB", zstd.SpeedBetterCompression, false, 8 * mb, nil},
		{"zstd best, pages of 8 MiB", zstd.SpeedBestCompression, false, 8 * mb, nil},
		{"zstd fastest, each document", zstd.SpeedFastest, false, 0, nil},
		{"zstd fastest, each document, with a dictionary", zstd.SpeedFastest, false, 0, trained},
		{"zstd default, each document, with a dictionary", zstd.SpeedDefault, false, 0, trained},
		{"zstd better, each document, with a dictionary", zstd.SpeedBetterCompression, false, 0, trained},
	} {
		write := []zstd.EOption{zstd.WithEncoderLevel(z.level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)}
		read := []zstd.DOption{zstd.WithDecoderConcurrency(1)}
		if z.dict != nil {
			write, read = append(write, zstd.WithEncoderDict(z.dict)), append(read, zstd.WithDecoderDicts(z.dict))
		}
		e, err := zstd.NewWriter(nil, write...)
		if err != nil {
			return nil, fmt.Errorf("start zstd: %w", err)
		}
		d, err := zstd.NewReader(nil, read...)
		if err != nil {
			return nil, fmt.Errorf("start zstd: %w", err)
		}
		all = append(all, codec{
			what: z.what, waits: z.waits, page: z.page,
			pack:   func(document, _ []byte) []byte { return e.EncodeAll(document, nil) },
			unpack: func(dst, stored []byte) ([]byte, error) { return d.DecodeAll(stored, dst[:0]) },
		})
	}
	return all, nil
}
