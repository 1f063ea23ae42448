package sitetest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Sent is a submission of the tests.
type Sent struct {
	Id, DocType, Body string
	At                time.Time
	Path              string // made of the others unless set
}

var Arrival = time.Date(2018, 3, 1, 12, 0, 0, 5, time.UTC)

// NewProfile is a ping that the embedded schema takes.
const NewProfile = `{"type":"new-profile","version":4,"id":"6b3e5c1a-92a1-4b2f-9f0e-5f8b2c1d7e10","creationDate":"2018-03-01T11:00:00.000Z",
"clientId":"7c9c8e3a-2d9a-4b56-8a51-3f2c8a1b0c01","application":{"architecture":"x86-64","buildId":"20180301000000","name":"Firefox",
"version":"60.0","vendor":"Mozilla","platformVersion":"60.0","xpcomAbi":"x86_64-gcc3","channel":"release"},
"environment":"none","payload":{"reason":"startup"}}`

// Lines returns submissions as load takes them, gzipped, with an address.
func Lines(t testing.TB, all []Sent) []byte {
	t.Helper()
	var lines bytes.Buffer
	for _, s := range all {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(s.Body)); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, z.Close())
		if s.Path == "" {
			s.Path = fmt.Sprintf("/submit/telemetry/%s/%s/Firefox/60.0/release/20180301000000", s.Id, s.DocType)
		}
		fmt.Fprintf(&lines, `{"uri":%q,"timestamp":%d,"remoteAddr":"10.1.2.3","headers":{"Content-Encoding":"gzip","DNT":"1",`+
			`"Host":"incoming.example.com"},"body":%q}`+"\n",
			s.Path, s.At.UnixNano(), base64.StdEncoding.EncodeToString(packed.Bytes()))
	}
	return lines.Bytes()
}

// AFewDays returns submissions of three days, as many as n. Every second one is worth keeping as it is compressed.
func AFewDays(n int) (all []Sent) {
	for i := range n {
		all = append(all, Sent{
			Id: fmt.Sprintf("00000000-0000-4000-8000-%012x", i), DocType: "new-profile", Body: NewProfile + strings.Repeat(" ", i%2*len(NewProfile)),
			At: Arrival.Add(time.Duration(i*i) * time.Minute),
		})
	}
	return all
}

// ClientOf returns the id of a client of the tests that send new-profile pings.
func ClientOf(n int) string { return fmt.Sprintf("7c9c8e3a-2d9a-4b56-8a51-%012x", n) }

// FromClients returns new-profile pings, one of each client.
func FromClients(n int) (all []Sent) {
	for i, s := range AFewDays(n) {
		s.Body = strings.Replace(s.Body, "7c9c8e3a-2d9a-4b56-8a51-3f2c8a1b0c01", ClientOf(i), 1)
		all = append(all, s)
	}
	return all
}
