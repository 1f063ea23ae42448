package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// clients are connections in one event loop, which costs less than a goroutine
// for each: the core shall be enough for the fastest server.
type clients struct {
	job      loadJob
	requests [][]byte
	next     int // request to send

	poll  int
	all   []client
	idle  []int // connections without a request, for a steady rate
	busy  int
	times []time.Duration
	start time.Time
	end   time.Time
	sent  int // at a steady rate: requests that were due and sent
}

// client is a connection with at most one request.
type client struct {
	file  *os.File
	fd    int
	rest  []byte    // of the request, not sent yet
	since time.Time // when the request was due
}

var errNoAnswer = errors.New("no answer for 10 s")

func (c *clients) watch() (err error) {
	if c.poll, err = unix.EpollCreate1(0); err != nil {
		return fmt.Errorf("make epoll: %w", err)
	}
	for i := range c.all {
		if err := unix.SetNonblock(c.all[i].fd, true); err != nil {
			return fmt.Errorf("set a connection up: %w", err)
		}
		e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLET&0xffffffff, Fd: int32(i)}
		if err := unix.EpollCtl(c.poll, unix.EPOLL_CTL_ADD, c.all[i].fd, &e); err != nil {
			return fmt.Errorf("watch a connection: %w", err)
		}
		c.idle = append(c.idle, i)
	}
	return nil
}

func (c *clients) close() {
	for i := range c.all {
		_ = c.all[i].file.Close()
	}
	if c.poll >= 0 {
		_ = unix.Close(c.poll)
	}
}

// run sends requests for the time of the job and waits for their responses.
func (c *clients) run() (loadResult, error) {
	before := cpu(usage())
	c.start = time.Now()
	c.end = c.start.Add(c.job.Time)
	last := c.start
	events := make([]unix.EpollEvent, 512)
	for {
		now := time.Now()
		if err := c.offer(now); err != nil {
			return loadResult{}, err
		}
		if c.busy == 0 && now.After(c.end) {
			return c.summarize(last.Sub(c.start), cpu(usage())-before), nil
		}
		n, err := unix.EpollWait(c.poll, events, c.timeout())
		if err != nil && !errors.Is(err, unix.EINTR) {
			return loadResult{}, fmt.Errorf("wait for answers: %w", err)
		}
		now = time.Now()
		if n > 0 {
			last = now
		} else if now.Sub(last) > 10*time.Second {
			return loadResult{}, errNoAnswer
		}
		for _, e := range events[:max(n, 0)] {
			if err := c.handle(&c.all[e.Fd], int(e.Fd), e.Events, now); err != nil {
				return loadResult{}, err
			}
		}
	}
}

// timeout returns the timeout of epoll in ms: 1 ms while a steady rate must be kept.
func (c *clients) timeout() int {
	if c.job.Rate > 0 && len(c.idle) > 0 {
		return 1
	}
	return 1000
}

// offer sends what is due on idle connections.
func (c *clients) offer(now time.Time) error {
	for len(c.idle) > 0 && !now.After(c.end) {
		since := now
		if c.job.Rate > 0 {
			since = c.start.Add(time.Duration(float64(c.sent) / c.job.Rate * 1e9))
			if since.After(now) {
				return nil
			}
		}
		i := c.idle[len(c.idle)-1]
		c.idle = c.idle[:len(c.idle)-1]
		c.sent++
		if err := c.begin(&c.all[i], since); err != nil {
			return err
		}
	}
	return nil
}

func (c *clients) begin(k *client, since time.Time) error {
	k.rest, k.since = c.requests[c.next], since
	c.next = (c.next + 1) % len(c.requests)
	c.busy++
	return k.send()
}

func (k *client) send() error {
	for len(k.rest) > 0 {
		n, err := unix.Write(k.fd, k.rest)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil && !errors.Is(err, unix.EINTR):
			return fmt.Errorf("send: %w", err)
		}
		k.rest = k.rest[max(n, 0):]
	}
	return nil
}

var answerBuffer [4096]byte

// handle goes on with a connection. A response is expected in one read: it is
// small, and no server writes its parts one by one.
func (c *clients) handle(k *client, i int, events uint32, now time.Time) error {
	if len(k.rest) > 0 {
		if err := k.send(); err != nil {
			return err
		}
	}
	if events&(unix.EPOLLIN|unix.EPOLLHUP|unix.EPOLLERR) == 0 {
		return nil
	}
	n, err := unix.Read(k.fd, answerBuffer[:])
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return nil
	case err != nil:
		return fmt.Errorf("receive: %w", err)
	}
	b := bytes.TrimRight(answerBuffer[:n], "\n")
	if !bytes.HasPrefix(b, []byte("HTTP/1.1 200 ")) || !bytes.HasSuffix(b, []byte("\r\n\r\nOK")) {
		first, _, _ := bytes.Cut(b, []byte("\r\n"))
		return fmt.Errorf("the server did not take a submission: %q", first)
	}
	c.times = append(c.times, now.Sub(k.since))
	c.busy--
	if c.job.Rate == 0 && !now.After(c.end) {
		return c.begin(k, now)
	}
	c.idle = append(c.idle, i)
	return nil
}
