package ingest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Outcomes are the same with and without Ahead: in any order, also if a begun one never comes.
func TestAhead(t *testing.T) {
	d := newDecoder(t, Config{MaxBody: 1 << 20})
	document := func(i, size int) []byte {
		r, text := rand.New(rand.NewPCG(uint64(i), 1)), []byte{}
		for len(text) < size {
			text = strconv.AppendUint(text, r.Uint64(), 36) // small bodies are left to Decode
		}
		return fmt.Appendf(nil, `{"type":"main","n":%d,"a":"%s"}`, i, text)
	}
	var all []Submission
	for i := range 60 {
		body := gzipped(t, document(i, 100<<(i%10)))
		switch i % 9 {
		case 1:
			body = document(i, 10)
		case 3:
			body = body[:len(body)/2]
		case 4:
			body = gzipped(t, body)
		case 5:
			body = gzipped(t, document(i, 1<<20))
		case 6:
			body[len(body)-6]++
		}
		s := Submission{URI: fmt.Appendf(nil, "/submit/telemetry/%d/x/a/1/c/b", i), Body: body}
		if i%7 == 2 {
			s.URI = []byte("/elsewhere")
		}
		if i%9 == 4 && i%2 == 0 {
			s.Headers.Set(ContentEncoding, []byte("gzip, gzip"))
		}
		all = append(all, s)
	}
	for open := 1; open <= MaxAhead; open++ {
		checkAhead(t, d, all, open)
	}
}

// checkAhead decodes submissions, with a number of them begun.
func checkAhead(t *testing.T, d *Decoder, all []Submission, open int) {
	t.Helper()
	var a Ahead
	var outs [MaxAhead + 1]Outcome
	begun := 0
	for i := range all {
		if i%20 == 0 {
			a.Drop()
			begun = i
		}
		for ; begun < min(i+open, len(all)); begun++ {
			d.Begin(&a, all[begun].Body)
		}
		var want Outcome
		d.Decode(&all[i], &want)
		if i%13 == 12 {
			continue
		}
		got := &outs[i%len(outs)]
		s := all[i]
		s.Ahead = &a
		d.Decode(&s, got)
		assert.Equal(t, string(want.AppendJSON(nil)), string(got.AppendJSON(nil)), i)
		assert.Equal(t, want.Gzip, got.Gzip, i)
	}
}
