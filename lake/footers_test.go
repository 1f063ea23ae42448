package lake

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// counted is a file in memory that counts its reads.
type counted struct {
	*bytes.Reader
	reads int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	return c.Reader.ReadAt(p, at)
}

func (*counted) Close() error { return nil }

// TestFooters: the footer of a content is read once, and the rows are the same.
func TestFooters(t *testing.T) {
	var buf bytes.Buffer
	_, err := writeRows(&buf, t, 300, 100, WriterOptions{RowGroupRows: 100})
	check(t, err)
	want := rowsOf(t, put(t, buf.Bytes()), fileColumns(), 70)
	f := File{Name: "f", SHA256: "one", Bytes: int64(buf.Len())}
	c := NewFooters()
	open := func(c *Footers, f File) int {
		t.Helper()
		r := &counted{Reader: bytes.NewReader(buf.Bytes())}
		file, err := c.Open(r, f)
		check(t, err)
		reads := r.reads
		if got := rowsOf(t, file, fileColumns(), 70); !slices.Equal(got, want) || file.Rows() != 300 {
			t.Errorf("%v: %d rows, want %d", f, len(got), len(want))
		}
		return reads
	}
	renamed := f
	renamed.Name = "elsewhere/f"
	for _, step := range []struct {
		c    *Footers
		f    File
		read bool
	}{
		{c, f, true},
		{c, f, false},
		{c, renamed, false},
		{c, File{Name: "f", Bytes: f.Bytes}, true},                    // of no known content
		{c, File{Name: "f", SHA256: "one", Bytes: f.Bytes + 1}, true}, // not what it should be
		{nil, f, true}, // nothing is kept
		{&Footers{files: c.files, limit: c.limit}, f, false}, // the same footers
	} {
		if n := open(step.c, step.f); (n > 0) != step.read {
			t.Errorf("%+v: %d reads", step.f, n)
		}
	}
	if _, err := c.Open(&counted{Reader: bytes.NewReader([]byte("no parquet file"))}, File{SHA256: "two", Bytes: 15}); err == nil ||
		len(c.files) != 1 {
		t.Errorf("a damaged file: %v, %d are kept", err, len(c.files))
	}
}

// TestFootersAreBounded: the oldest go, and large ones are not kept.
func TestFootersAreBounded(t *testing.T) {
	var small, large bytes.Buffer
	_, err := writeRows(&small, t, 10, 10, WriterOptions{})
	check(t, err)
	_, err = writeRows(&large, t, 400, 10, WriterOptions{RowGroupRows: 10})
	check(t, err)
	c := NewFooters()
	open := func(name string, data []byte) {
		var r store.Reader = &counted{Reader: bytes.NewReader(data)}
		if _, err := c.Open(r, File{SHA256: name, Bytes: int64(len(data))}); err != nil {
			t.Error(err)
		}
	}
	open("first", small.Bytes())
	c.limit = 20 * c.size
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() { open(fmt.Sprint(i), small.Bytes()) })
	}
	all.Wait()
	open("large", large.Bytes())
	if len(c.files) != 20 || len(c.order) != 20 || c.size > c.limit || c.files["first"] != nil || c.files["large"] != nil {
		t.Errorf("%d are kept, of %d bytes: %v", len(c.files), c.size, c.order)
	}
}
