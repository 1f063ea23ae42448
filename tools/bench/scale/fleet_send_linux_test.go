package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate"
)

// fleetPings holds pings of a kind, of which each is sent in the name of many clients.
type fleetPings struct {
	FleetKind
	share float64 // submissions of a client in a day
	pings []fleetPing
}

// fleetPing is a ping with its own ids.
type fleetPing struct{ uri, document, client, id []byte }

// fleetKinds generates pings of the kinds of the model, or of one of them.
func fleetKinds(t *testing.T, only string) (kinds []*fleetPings) {
	t.Helper()
	for _, k := range defaults.pings() {
		kinds = append(kinds, &fleetPings{FleetKind: FleetKind{Name: k.Name}, share: k.PerClient})
		if only != "" && only != k.Name {
			kinds[len(kinds)-1].share = 0
		}
	}
	g, err := generate.New(generate.Config{
		Seed: 5, Clients: 1_500, Days: 1, Damaged: -1, Duplicates: -1, NullClients: -1, Glean: true,
		Start: ping.Day(time.Now().UTC().Format("20060102")),
	})
	require.NoError(t, err)
	for s := range g.Submissions() {
		if s.Fate != generate.Accepted || s.Odd != "" || bytes.Contains(s.URI, []byte("org-example-browser")) {
			continue
		}
		kind := kinds[1]
		switch {
		case s.DocType == "main":
			kind = kinds[0]
		case !bytes.HasPrefix(s.URI, []byte("/submit/telemetry/")):
			kind = kinds[2]
		case s.DocType == "crash" || s.DocType == "saved-session":
			continue // rare in a population
		}
		client, id := bytes.Clone(s.Meta.Text(ping.ClientID)), bytes.Clone(s.Meta.Text(ping.DocumentID))
		if len(client) == 36 && len(id) == 36 {
			kind.pings = append(kind.pings, fleetPing{bytes.Clone(s.URI), bytes.Clone(s.Document), client, id})
		}
	}
	for _, k := range kinds {
		require.NotEmpty(t, k.pings, k.Name)
	}
	return kinds
}

// fleetLoad sends submissions of many clients to an edge.
type fleetLoad struct {
	to      string
	kinds   []*fleetPings
	clients int
	n       int64
	rate    float64 // submissions a second; 0: as fast as the edge responds

	began time.Time
	next  atomic.Int64
	mu    sync.Mutex
	seen  []uint64 // a bit for each client that has sent
}

func (l *fleetLoad) send(ctx context.Context) error {
	l.seen, l.began = make([]uint64, l.clients/64+1), time.Now()
	errs := make([]error, 16)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = l.connection(ctx, rand.New(rand.NewPCG(7, uint64(i)))) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// distinct returns the number of clients that have sent.
func (l *fleetLoad) distinct() (n int) {
	for client := range l.clients {
		n += int(l.seen[client/64] >> (client % 64) & 1)
	}
	return n
}

// draw returns a kind by the shares.
func (l *fleetLoad) draw(random *rand.Rand) *fleetPings {
	sum := 0.0
	for _, k := range l.kinds {
		sum += k.share
	}
	at := random.Float64() * sum
	for _, k := range l.kinds {
		if at -= k.share; at < 0 {
			return k
		}
	}
	return l.kinds[len(l.kinds)-1]
}

// connection sends submissions one after the other, each when it is due.
func (l *fleetLoad) connection(ctx context.Context, random *rand.Rand) error {
	c, err := net.Dial("tcp", l.to)
	if err != nil {
		return err
	}
	defer c.Close()
	w, r := bufio.NewWriterSize(c, 64<<10), bufio.NewReader(c)
	var body bytes.Buffer
	packer, err := gzip.NewWriterLevel(&body, 6)
	if err != nil {
		return err
	}
	for n := l.next.Add(1); n <= l.n && ctx.Err() == nil; n = l.next.Add(1) {
		if l.rate > 0 {
			time.Sleep(time.Until(l.began.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))))
		}
		kind, client := l.draw(random), random.IntN(l.clients)
		p := &kind.pings[random.IntN(len(kind.pings))]
		name, id := uuidOf(uint64(client)*0x9E3779B97F4A7C15, uint64(client)), uuidOf(random.Uint64(), random.Uint64())
		body.Reset()
		packer.Reset(&body)
		_, err1 := packer.Write(bytes.ReplaceAll(bytes.ReplaceAll(p.document, p.client, name), p.id, id))
		err2 := packer.Close()
		size := body.Len()
		fmt.Fprintf(w, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\nDate: %s\r\n\r\n",
			bytes.ReplaceAll(p.uri, p.id, id), size, time.Now().UTC().Format(http.TimeFormat))
		_, err3 := body.WriteTo(w)
		if err := errors.Join(err1, err2, err3, w.Flush()); err != nil {
			return err
		}
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("a submission was answered by %s", answer.Status)
		}
		l.mu.Lock()
		l.seen[client/64] |= 1 << (client % 64)
		kind.N++
		kind.Sent += int64(size)
		l.mu.Unlock()
	}
	return ctx.Err()
}

// uuidOf returns a random UUID of two numbers.
func uuidOf(a, b uint64) []byte {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], a^b<<17)
	binary.BigEndian.PutUint64(id[8:], b*0xD1342543DE82EF95+a)
	id[6], id[8] = id[6]&15|64, id[8]&63|128
	return fmt.Appendf(nil, "%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
