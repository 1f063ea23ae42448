package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// lineFile is a buffered file.
type lineFile struct {
	*bufio.Writer
	file *os.File
}

func newLineFile(path string) (*lineFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &lineFile{bufio.NewWriterSize(f, 1<<20), f}, nil
}

func (f *lineFile) Close() error { return errors.Join(f.Flush(), f.file.Close()) }

// gzipLines is a file in which every line is a gzip member of its own.
type gzipLines struct {
	*lineFile
	gzip *gzip.Writer
}

func newGzipLines(path string) (*gzipLines, error) {
	f, err := newLineFile(path)
	if err != nil {
		return nil, err
	}
	return &gzipLines{f, gzip.NewWriter(f)}, nil
}

func (g *gzipLines) add(line []byte) error {
	g.gzip.Reset(g.lineFile)
	if _, err := g.gzip.Write(line); err != nil {
		return err
	}
	return g.gzip.Close()
}

// zstdFile is one zstd frame.
type zstdFile struct {
	io.WriteCloser
	file *lineFile
}

func newZstdFile(path string) (*zstdFile, error) {
	f, err := newLineFile(path)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &zstdFile{z, f}, nil
}

func (z *zstdFile) Close() error { return errors.Join(z.WriteCloser.Close(), z.file.Close()) }
