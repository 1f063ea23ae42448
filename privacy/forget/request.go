package forget

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pingmill/pingmill/store"
)

// Operator is the source of requests that the operator makes; otherwise it is the document type of the client's ping.
const Operator = "operator"

// Request asks to forget clients.
type Request struct {
	Format  int       `json:"format"` // 1
	Name    string    `json:"name"`   // of no two requests
	Time    time.Time `json:"time"`   // when it arrived, or when its file was loaded
	Source  string    `json:"source"`
	Clients []string  `json:"clients"` // ids as the clients' pings have them
}

const (
	requestFormat = 1
	requestsDir   = "requests/v1/"
	requestEnd    = ".json"
)

// maxClient is the longest client id, in bytes.
const maxClient = 200

// CheckClient returns the reason why a text is no id of a client.
func CheckClient(id string) error {
	switch {
	case id == "":
		return errors.New("the client id is empty")
	case len(id) > maxClient:
		return fmt.Errorf("client id %.20q… has more than %d bytes", id, maxClient)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }):
		return fmt.Errorf("client id %q has characters that no id has", id)
	}
	return nil
}

// Record makes a request, which from then on all readers of the registry see. It
// replaces an existing request of that name.
func (r *Registry) Record(ctx context.Context, q Request) error {
	q.Format = requestFormat
	q.Clients = slices.Compact(slices.Sorted(slices.Values(q.Clients)))
	if err := q.check(); err != nil {
		return fmt.Errorf("record deletion request: %w", err)
	}
	data, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("record deletion request: %w", err)
	}
	if err := r.writeHashes(ctx, &q); err != nil {
		return fmt.Errorf("record deletion request: %w", err)
	}
	if err := store.WriteFile(ctx, r.bucket, requestsDir+q.Name+requestEnd, append(data, '\n')); err != nil {
		return fmt.Errorf("record deletion request: %w", err)
	}
	return nil
}

func (q *Request) check() error {
	if q.Format != requestFormat {
		return fmt.Errorf("format %d is not %d", q.Format, requestFormat)
	}
	if err := store.CheckName(requestsDir + q.Name + requestEnd); err != nil || strings.Contains(q.Name, "/") {
		return fmt.Errorf("bad name %q", q.Name)
	}
	if len(q.Clients) == 0 {
		return errors.New("it names no client")
	}
	for _, c := range q.Clients {
		if err := CheckClient(c); err != nil {
			return err
		}
	}
	return nil
}

// Oldest returns the time of the first request; zero if there are none.
func Oldest(requests []*Request) (t time.Time) {
	for _, q := range requests {
		if t.IsZero() || q.Time.Before(t) {
			t = q.Time
		}
	}
	return t
}

// parseRequest reads a request of a name.
func parseRequest(name string, data []byte) (*Request, error) {
	var q Request
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&q); err != nil {
		return nil, err
	}
	if q.Name != name {
		return nil, fmt.Errorf("it is the request %q", q.Name)
	}
	return &q, q.check()
}

// RecordOperator makes a request of the operator.
func (r *Registry) RecordOperator(ctx context.Context, now time.Time, clients []string) error {
	return r.Record(ctx, Request{
		Name: Operator + "-" + now.UTC().Format("20060102T150405Z") + "-" + rand.Text()[:8],
		Time: now.UTC(), Source: Operator, Clients: clients,
	})
}

// ReadClients reads client ids, one a line, blank lines aside. check returns an error if one is not valid.
func ReadClients(in io.Reader, check func(id string) error) (ids []string, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		id := strings.TrimSpace(lines.Text())
		if id == "" {
			continue
		}
		if err := check(id); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		ids = append(ids, id)
	}
	return ids, lines.Err()
}
