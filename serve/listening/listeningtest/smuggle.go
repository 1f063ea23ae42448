// Package listeningtest attacks listeners in tests: with requests hidden in the bodies of other requests, and with
// HTTP/2 streams that are reset.
package listeningtest

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// Smuggling sends requests whose bodies contain other requests.
type Smuggling struct {
	Dial   func() (net.Conn, error)
	Routes []string // such as "POST /api/v1/queries"
	Ways   []Way
	// Hidden is the request inside the bodies. Next returns the request that follows them; its response has
	// NextStatus, which must differ from the status of Hidden.
	Hidden     string
	Next       func() string
	NextStatus int
	Large      int // size in bytes of a body above the limit
	AtOnce     int // concurrent connections; 0: 500
}

// Way holds request headers besides those of the body. A Way that is Large is also tried with bodies that are too
// large or too slow.
type Way struct {
	Name    string
	Headers func() []string
	Large   bool
}

// patience is the maximum duration of a connection.
const patience = time.Minute

// Run sends each kind of body on each route in each way. It fails the test for each connection with other responses
// than those to the request and to Next. It returns how often each status was received. The caller checks that Hidden
// was not served.
func (s *Smuggling) Run(t *testing.T) (statuses map[int]int) {
	t.Helper()
	results, statuses := make(chan result, 100), map[int]int{}
	go func() {
		var g errgroup.Group
		g.SetLimit(cmp.Or(s.AtOnce, 500)) // most of them wait for the server
		bodies := s.bodies()
		for _, route := range s.Routes {
			for _, way := range s.Ways {
				for _, b := range bodies {
					if b.large && !way.Large {
						continue
					}
					g.Go(func() error {
						results <- s.try(route, way, b)
						return nil
					})
				}
			}
		}
		_ = g.Wait()
		close(results)
	}()
	for r := range results {
		if r.err != nil {
			t.Errorf("%s: %v", r.name, r.err)
		}
		for _, status := range r.statuses {
			statuses[status]++
		}
	}
	return statuses
}

type result struct {
	name     string
	statuses []int
	err      error
}

// sent is a kind of body. first is sent with the head, the rest immediately or, if waits, after a response.
type sent struct {
	name, header string
	first, rest  string
	waits, large bool
}

func (s *Smuggling) bodies() []sent {
	length := func(n int) string { return fmt.Sprintf("Content-Length: %d", n) }
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	const chunked, end = "Transfer-Encoding: chunked", "0\r\n\r\n"
	h := s.Hidden
	large := strings.Repeat(h, s.Large/len(h)+1)
	return []sent{
		{name: "length", header: length(len(h)), first: h},
		{name: "chunked", header: chunked, first: chunk(h) + end},
		{name: "expect", header: length(len(h)) + "\r\nExpect: 100-continue", rest: h, waits: true},
		{name: "large", header: length(len(large)), first: large, large: true},
		{name: "large, chunked", header: chunked, first: strings.Repeat(chunk(large[:len(h)*100]), s.Large/len(h)/100+1) + end, large: true},
		{name: "slow", header: length(len(h) + 1), first: "x", rest: h, waits: true, large: true},
		{name: "slow, chunked", header: chunked, first: chunk("x"), rest: chunk(h) + end, waits: true, large: true},
		{name: "length, and nothing", header: length(len(h)), rest: h, waits: true, large: true},
	}
}

func (s *Smuggling) try(route string, way Way, b sent) (r result) {
	r.name = fmt.Sprintf("%s, %s, %s", route, way.Name, b.name)
	c, err := s.Dial()
	if err != nil {
		return result{name: r.name, err: err}
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	head := route + " HTTP/1.1\r\n" + strings.Join(append(way.Headers(), b.header), "\r\n") + "\r\n\r\n"
	in := bufio.NewReader(c)
	if b.waits {
		_, err = io.WriteString(c, head+b.first)
		r.statuses, err = one(in, err)
		go func() { _, _ = io.WriteString(c, b.rest+s.Next()) }()
	} else {
		go func() { _, _ = io.WriteString(c, head+b.first+b.rest+s.Next()) }() // the server may respond before it has read everything
	}
	for len(r.statuses) < 10 && err == nil {
		var more []int
		more, err = one(in, nil)
		r.statuses = append(r.statuses, more...)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		r.err = fmt.Errorf("the connection stays open after %v", r.statuses)
	} else if final := slices.DeleteFunc(slices.Clone(r.statuses), func(status int) bool { return status < 200 }); !s.right(final) {
		r.err = fmt.Errorf("responses %v", final)
	}
	return r
}

// right reports whether the responses are those to a request and to Next.
func (s *Smuggling) right(statuses []int) bool {
	return len(statuses) <= 1 || len(statuses) == 2 && statuses[1] == s.NextStatus
}

// one reads a response, unless before is an error.
func one(in *bufio.Reader, before error) ([]int, error) {
	if before != nil {
		return nil, before
	}
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return []int{r.StatusCode}, err
}
