package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// outFile is a buffered file with what is written to it on the way.
type outFile struct {
	io.WriteCloser
	buffer *bufio.Writer
	file   *os.File
}

// create makes a file. pack, unless nil, packs what is written.
func create(path string, pack func(w io.Writer) (io.WriteCloser, error)) (*outFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	out := &outFile{buffer: bufio.NewWriterSize(f, 1<<20), file: f}
	out.WriteCloser = asIs{out.buffer}
	if pack != nil {
		if out.WriteCloser, err = pack(out.buffer); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return out, nil
}

func (f *outFile) Close() error {
	return errors.Join(f.WriteCloser.Close(), f.buffer.Flush(), f.file.Close())
}

type asIs struct{ io.Writer }

func (asIs) Close() error { return nil }

// gzipLines makes every line a gzip member of its own.
type gzipLines struct {
	asIs
	gzip *gzip.Writer
}

func packLines(w io.Writer) (io.WriteCloser, error) {
	return gzipLines{asIs{w}, gzip.NewWriter(w)}, nil
}

func (g gzipLines) Write(line []byte) (int, error) {
	g.gzip.Reset(g.asIs.Writer)
	n, err := g.gzip.Write(line)
	return n, errors.Join(err, g.gzip.Close())
}

// packFrame makes all of it one zstd frame.
func packFrame(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
}
