package flight

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// begun returns a connection on which a call has begun that sends no message.
func begun(t *testing.T, at, token string) *http2.Framer {
	t.Helper()
	conn, err := net.Dial("tcp", at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(pendingTime/2)))
	_, err = io.WriteString(conn, http2.ClientPreface)
	require.NoError(t, err)
	f := http2.NewFramer(conn, conn)
	require.NoError(t, f.WriteSettings())
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	for _, h := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":path", "/arrow.flight.protocol.FlightService/GetFlightInfo"}, {":authority", at},
		{"content-type", "application/grpc"}, {"te", "trailers"}, {authorization, token},
	} {
		require.NoError(t, encoder.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}))
	}
	require.NoError(t, f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: head.Bytes(), EndHeaders: true}))
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	return f
}

// statusOf returns the status of a call's answer, "" if there is none before the connection ends.
func statusOf(f *http2.Framer) string {
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return ""
		}
		if h, ok := frame.(*http2.MetaHeadersFrame); ok {
			for _, field := range h.Fields {
				if field.Name == "grpc-status" {
					return field.Value
				}
			}
		}
	}
}

// TestStrangersSendNothing: a call without a valid token is answered before its message is read.
func TestStrangersSendNothing(t *testing.T) {
	at, o := served(t, nil)
	for name, token := range map[string]string{"none": "", "another scheme": "Digest x",
		"an invalid token": "Bearer " + o.Tokens["common"] + "x"} {
		assert.Equal(t, "16", statusOf(begun(t, at, token)), name)
	}
	f := begun(t, at, "Bearer "+o.Tokens["common"])
	require.NoError(t, f.WriteData(1, true, make([]byte, 5))) // an empty message
	assert.Equal(t, "3", statusOf(f), "a message is read from people, and this one makes no sense")
}
