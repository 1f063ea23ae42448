package listeningtest

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// Reset opens HTTP/2 streams and resets each immediately: after its head, a part of its body, or all of it. When the
// server closes a connection it opens another. It returns the number of connections.
func Reset(t *testing.T, dial func() (net.Conn, error), streams int, headers ...string) (connections int) {
	t.Helper()
	var head bytes.Buffer
	for sent := 0; sent < streams; {
		c, err := dial()
		if err != nil {
			t.Error(err)
			return connections
		}
		connections++
		_ = c.SetDeadline(time.Now().Add(patience))
		go func() { _, _ = io.Copy(io.Discard, c) }()
		_, _ = io.WriteString(c, http2.ClientPreface)
		f := http2.NewFramer(c, nil)
		_ = f.WriteSettings()
		encoder := hpack.NewEncoder(&head) // the encoder belongs to one connection
		for id := uint32(1); sent < streams && resetOne(f, encoder, &head, id, sent, headers) == nil; id += 2 {
			sent++
		}
		_ = c.Close()
	}
	return connections
}

func resetOne(f *http2.Framer, encoder *hpack.Encoder, head *bytes.Buffer, id uint32, n int, headers []string) error {
	head.Reset()
	for i := 0; i < len(headers); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: headers[i], Value: headers[i+1]}) // into memory
	}
	if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: head.Bytes(), EndHeaders: true}); err != nil {
		return err
	}
	if n%3 > 0 {
		if err := f.WriteData(id, n%3 == 2, []byte("{}")); err != nil {
			return err
		}
	}
	return f.WriteRSTStream(id, http2.ErrCodeCancel)
}
