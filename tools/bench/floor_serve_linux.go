package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	candidates["floor-discard"] = serveFloor(func(*floorLog, []byte) error { return nil })
	candidates["floor-append"] = serveFloor((*floorLog).append)
	candidates["floor-http"] = serveFloorHTTP
}

const (
	floorFile  = 256 << 20 // bytes, written again from the start when it is full
	floorGroup = 16 << 20  // bytes of one write
	floorBlock = 4096
)

// floorLog appends bodies to a file: one direct write and one sync for all that wait. It has no checksums, no recovery and
// no limits. It is safe for concurrent use.
type floorLog struct {
	file *os.File
	buf  []byte // aligned
	off  int64

	mu      sync.Mutex
	pending []floorEntry
	wake    chan struct{}
}

type floorEntry struct {
	body []byte
	done chan error
}

func newFloorLog(path string) (*floorLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_DIRECT, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Fallocate(int(f.Fd()), 0, 0, floorFile); err != nil {
		return nil, errors.Join(fmt.Errorf("reserve space in %s: %w", path, err), f.Close())
	}
	b := make([]byte, floorGroup+floorBlock)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (floorBlock - 1)
	l := &floorLog{file: f, buf: b[skip : skip+floorGroup], wake: make(chan struct{}, 1)}
	go l.commit()
	return l, nil
}

func (l *floorLog) append(body []byte) error {
	e := floorEntry{body, make(chan error, 1)}
	l.mu.Lock()
	l.pending = append(l.pending, e)
	first := len(l.pending) == 1
	l.mu.Unlock()
	if first {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
	return <-e.done
}

func (l *floorLog) commit() {
	var batch []floorEntry
	for range l.wake {
		l.mu.Lock()
		batch, l.pending = l.pending, batch[:0]
		l.mu.Unlock()
		n := 0
		for _, e := range batch {
			n += copy(l.buf[n:], e.body)
		}
		err := l.write((n + floorBlock - 1) / floorBlock * floorBlock)
		for _, e := range batch {
			e.done <- err
		}
	}
}

func (l *floorLog) write(n int) error {
	if l.off+int64(n) > floorFile {
		l.off = 0
	}
	if _, err := l.file.WriteAt(l.buf[:n], l.off); err != nil {
		return err
	}
	l.off += int64(n)
	return unix.Fdatasync(int(l.file.Fd()))
}

// serveFloor serves requests in the form of the clients of this benchmark. It understands no other HTTP.
func serveFloor(take func(*floorLog, []byte) error) candidate {
	return func(_ context.Context, input, _ string) (int64, int64, error) {
		return serveWithLog(input, func(listener net.Listener, log *floorLog) error {
			for {
				c, err := listener.Accept()
				if err != nil {
					return err
				}
				go func() {
					defer c.Close()
					_ = floorRequests(c, log, take) // until the client closes
				}()
			}
		})
	}
}

const floorResponse = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nOK\n"

var errNoLength = errors.New("a request without a length")

func floorRequests(c net.Conn, log *floorLog, take func(*floorLog, []byte) error) error {
	buf := make([]byte, 128<<10)
	for {
		n, head, length := 0, -1, 0
		for head < 0 || n < head+length {
			k, err := c.Read(buf[n:])
			if n += k; err != nil {
				return err
			}
			if head >= 0 {
				continue
			}
			if head = bytes.Index(buf[:n], []byte("\r\n\r\n")); head < 0 {
				continue
			}
			_, value, ok := bytes.Cut(buf[:head+2], []byte("\r\nContent-Length: "))
			if !ok {
				return errNoLength
			}
			value, _, _ = bytes.Cut(value, []byte("\r\n"))
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
			head += len("\r\n\r\n")
		}
		if err := take(log, buf[head:head+length]); err != nil {
			return err
		}
		if _, err := c.Write([]byte(floorResponse)); err != nil {
			return err
		}
	}
}

// serveFloorHTTP serves with net/http and reads a body as most handlers do.
func serveFloorHTTP(_ context.Context, input, _ string) (int64, int64, error) {
	return serveWithLog(input, func(listener net.Listener, log *floorLog) error {
		return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err == nil {
				err = log.append(body)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = io.WriteString(w, "OK\n") // the client fails as well
		}))
	})
}

// serveWithLog serves until the input ends. It prints the address.
func serveWithLog(dir string, serve func(net.Listener, *floorLog) error) (int64, int64, error) {
	leaveRoom()
	path := filepath.Join(dir, fmt.Sprint("floor-", os.Getpid()))
	log, err := newFloorLog(path)
	if err != nil {
		return 0, 0, err
	}
	defer os.Remove(path)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	served := make(chan error, 1)
	go func() { served <- serve(listener, log) }()
	fmt.Println(listener.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	closed := listener.Close()
	<-served // the listener was closed
	return 0, 0, errors.Join(err, closed)
}
