package archive

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// openings counts how often files are opened, and how many are open.
type openings struct {
	store.Bucket

	files   map[string]int
	now     int
	largest int
}

func (o *openings) Open(ctx context.Context, name string) (store.Reader, error) {
	r, err := o.Bucket.Open(ctx, name)
	if err == nil {
		o.files[name]++
		o.now++
		o.largest = max(o.largest, o.now)
		r = &opened{r, o}
	}
	return r, err
}

type opened struct {
	store.Reader

	counts *openings
}

func (o *opened) Close() error { o.counts.now--; return o.Reader.Close() }

// TestOpenOnce reads a day of files with many row groups: each is opened for its footer and once more, and all are closed.
func TestOpenOnce(t *testing.T) {
	b := &openings{Bucket: store.NewMemory()}
	for _, name := range []string{"a", "b"} {
		all := distinct(300)
		for i := range all {
			all[i].body = append(all[i].body, make([]byte, 40_000)...)
		}
		load(t, b.Bucket, name, Options{}, all)
	}
	d, err := OpenDay(ctx, b.Bucket, "20180601", "main")
	require.NoError(t, err)
	d.bucket = b
	for _, part := range [][2]int{{0, 100}, {0, 100}, {20, 30}} {
		b.files = map[string]int{}
		for _, err := range d.Pings(ctx, part[0], part[1]) {
			require.NoError(t, err)
		}
		require.Len(t, b.files, 2)
		for name, n := range b.files {
			if n > 2 {
				t.Errorf("%s was opened %d times", name, n)
			}
		}
		if b.now != 0 || b.largest != 2 {
			t.Errorf("%d files stay open, %d at a time", b.now, b.largest)
		}
	}
	for range d.Pings(ctx, 0, 100) {
		break
	}
	b.files = map[string]int{}
	for _, err := range d.Documents(ctx, nil) {
		require.NoError(t, err)
	}
	if b.now != 0 || len(b.files) != 2 {
		t.Errorf("%d files stay open of %v", b.now, b.files)
	}
}
