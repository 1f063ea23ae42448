package ping

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Documents that end at, or begin after, a page that must not be touched.
func TestIndexStaysInside(t *testing.T) {
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Munmap(m); err != nil {
			t.Error(err)
		}
	}()
	for _, closed := range [][]byte{m[:page], m[2*page:]} {
		if err := unix.Mprotect(closed, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	open := m[page : 2*page]
	copy(open, bytes.Repeat([]byte(`"\\",[1e`), page/8))
	for n := range 400 {
		for _, b := range [][]byte{open[:n], open[page-n:]} {
			checkIndex(t, b)
			checkValidate(t, b)
		}
	}
}
