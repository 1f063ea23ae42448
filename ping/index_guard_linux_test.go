package ping

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Documents that end at, or begin after, a page that must not be touched.
func TestIndexStaysInside(t *testing.T) {
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() {
		assert.NoError(t, unix.Munmap(m))
	}()
	for _, closed := range [][]byte{m[:page], m[2*page:]} {
		require.NoError(t, unix.Mprotect(closed, unix.PROT_NONE))
	}
	open := m[page : 2*page]
	copy(open, bytes.Repeat([]byte(`"\\",[1e`), page/8))
	for n := range 400 {
		for _, b := range [][]byte{open[:n], open[page-n:]} {
			checkIndex(t, b)
			checkValidate(t, b)
		}
	}
	// And documents of which most blocks are common ones.
	for n := range 130 {
		doc := "[" + strings.Repeat(`{"a":[1,"b"]},`, 70) + `"` + strings.Repeat("c", n) + `"]`
		for _, b := range [][]byte{open[:len(doc)], open[page-len(doc):]} {
			copy(b, doc)
			checkValidate(t, b)
			checkValidate(t, b[:len(b)-1])
		}
	}
}
