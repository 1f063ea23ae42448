package rowfile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rows get the same documents and errors by turns as each by itself, whatever is between them, and though the bodies
// of two pages are in the same memory.
func TestDocumentsByTurns(t *testing.T) {
	memory := make([]byte, 1<<16)
	var d documents
	for page := range 8 {
		var bodies [][]byte
		used := memory
		for i := range 9 {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := fmt.Fprintf(w, `{"page":%d,"i":"%s"}`, page, bytes.Repeat(fmt.Append(nil, i, "x", page), 100<<(i%6)))
			require.NoError(t, err)
			require.NoError(t, w.Close())
			n := copy(used, b.Bytes())
			bodies = append(bodies, used[:n:n])
			used = used[n:]
		}
		bodies[page%9][len(bodies[page%9])-5] ^= 1 // checksum
		bodies[8][len(bodies[8])-1] ^= 0x80        // more than there can be
		for i, body := range bodies {
			row, alone := Record{Body: body}, Record{Body: body}
			if encoding := []string{Gzip, Gzip, Gzip, Gzip, "", Gzip, Gzip, "other"}[(i+page)%8]; encoding != "" {
				row.Extra[extraEncoding], alone.Extra[extraEncoding] = []byte(encoding), []byte(encoding)
			}
			var c columnReader
			c.leaf.Bytes, c.value = bodies[:min(len(bodies), i+1+(i+page)%4)], i+1 // some of those behind are read
			_, wantErr := alone.Unpack(nil)
			err := d.unpack(&row, &c)
			assert.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "page %d row %d", page, i)
			assert.Equal(t, alone, row, "page %d row %d", page, i)
		}
		if page%2 == 1 {
			d.end()
		}
	}
}
