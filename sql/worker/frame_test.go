package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/view"
)

// TestFrames: what is written is read, also where a pipe gives it byte by byte.
func TestFrames(t *testing.T) {
	var pipe bytes.Buffer
	w := &frameWriter{w: &pipe}
	large := bytes.Repeat([]byte("x"), maxData*2+1)
	require.NoError(t, w.write(kindPlan, []byte("{}")))
	_, err := result{w}.Write(large)
	require.NoError(t, err)
	require.NoError(t, w.write(kindDone, nil))
	require.Error(t, w.write(kindData, large))
	r := &frameReader{r: iotest.OneByteReader(&pipe)}
	k, body, err := r.next()
	require.NoError(t, err)
	require.Equal(t, kindPlan, k)
	require.Equal(t, "{}", string(body))
	n := 0
	for {
		if k, body, err = r.next(); k != kindData {
			break
		}
		n += len(body)
	}
	require.NoError(t, err)
	require.Equal(t, kindDone, k)
	require.Equal(t, len(large), n)
	_, _, err = r.next()
	require.ErrorIs(t, err, io.EOF)
}

// TestPlaces: the places of a plan ascend whatever order a scan has its files in, as they do not where narrow files,
// the last of a view, are in the places of others; and each violation of the protocol has its own error.
func TestPlaces(t *testing.T) {
	v := query.View{Name: "t", Files: []string{"/p=1/all", "/p=2/x", "/p=3/all", "/p=1/narrow", "/p=3/narrow"}, Sizes: []int64{1, 2, 4, 8, 16}}
	scan := query.Scan{View: "t", Files: []string{"/p=1/narrow", "/p=2/x", "/p=3/narrow"}}
	w, err := wireScanOf(&v, scan)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 3, 2}, w.Files)
	p, err := wirePlan{Scans: []wireScan{w}}.plan([]query.View{v})
	require.NoError(t, err)
	require.ElementsMatch(t, scan.Files, p.Scans[0].Files)
	require.EqualValues(t, 2+8+16, p.Bytes)
	_, err = wireScanOf(&v, query.Scan{View: "t", Files: []string{"/p=1/other"}})
	require.ErrorContains(t, err, "not in the view")
	_, err = wirePlan{Scans: []wireScan{{View: "t", Files: []int{3, 1, 1, 1}}}}.plan([]query.View{v})
	require.ErrorIs(t, err, errProtocol)
	require.ErrorContains(t, err, "1 files of t from place 1 on, after place 4 of 5")
}

// FuzzFrames: whatever a worker sends, the caller reads no more than frames may have, and a plan names no file but the view's.
func FuzzFrames(f *testing.F) {
	frame := func(k kind, body string) []byte {
		b := binary.LittleEndian.AppendUint32(append([]byte(preface), byte(k)), uint32(len(body)))
		return append(b, body...)
	}
	f.Add(frame(kindPlan, `{"Scans":[{"View":"t","Files":[0,2],"Columns":["a"]}],"Lacking":["files"]}`))
	f.Add(frame(kindPlan, `{"Scans":[{"View":"t","Files":[1,9223372036854775807]}]}`))
	f.Add(frame(kindPlan, `{"Scans":[{"View":"t","Files":[-1,1]}]}`))
	f.Add(frame(kindError, `{"Error":{"Kind":"Binder Error","Message":"no","Line":1,"Column":-7,"Text":"x"}}`))
	f.Add(append(frame(kindData, "abc"), byte(kindDone), 0xff, 0xff, 0xff, 0xff))
	f.Add([]byte(preface + "\x00"))
	views := []query.View{{Name: "t", Files: []string{"/a/p=1/x", "/a/p=1/y"}, Sizes: []int64{1, 2}}}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var out bytes.Buffer
		r := &frameReader{r: bytes.NewReader(sent)}
		c := &call{ctx: t.Context(), q: &Request{Views: views, Limits: Limits{Bytes: 1}}, w: &worker{from: r, to: &frameWriter{w: io.Discard}},
			out: &out, observe: func(Event) {}}
		var plan wirePlan
		if err := c.expect(kindPlan, &plan); err != nil {
			_ = err.Error()
			return
		}
		if c.allow(plan) != nil {
			return
		}
		for _, s := range c.s.Plan.Scans {
			if len(s.Files) > len(views[0].Files) {
				t.Errorf("a scan of %d files", len(s.Files))
			}
		}
		if err := c.results(); err == nil || errors.Is(err, errWorkerExited) || out.Len() > len(sent) {
			return
		}
	})
}

// FuzzRequest: a worker refuses what is no request.
func FuzzRequest(f *testing.F) {
	var pipe bytes.Buffer
	w := &frameWriter{w: &pipe}
	q := &Request{SQL: "SELECT 1",
		Views: []query.View{{Name: "t", Files: []string{"/a", "/b"}, Err: view.NewListError(errors.New("no"))}, {Name: "u"}}}
	require.NoError(f, sendRequest(w, q, "/tmp"))
	f.Add(pipe.Bytes())
	s := &session{from: &frameReader{r: bytes.NewReader(pipe.Bytes())}}
	require.NoError(f, s.receive())
	require.Equal(f, q.Views[0].Files, s.q.Views[0].Files)
	require.EqualError(f, s.q.Views[0].Err, "no")
	require.Nil(f, s.q.Views[1].Err)
	f.Fuzz(func(t *testing.T, sent []byte) {
		s := &session{from: &frameReader{r: bytes.NewReader(sent)}}
		if s.receive() != nil {
			return
		}
		for _, v := range s.q.Views {
			if v.Narrow > len(v.Files) {
				t.Errorf("%d narrow files of %d", v.Narrow, len(v.Files))
			}
		}
	})
}
