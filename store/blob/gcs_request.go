package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"golang.org/x/oauth2"
)

// A gcsCall is one request to Cloud Storage, which is sent again if that may help.
type gcsCall struct {
	method string
	url    string
	query  url.Values
	header map[string]string
	body   []byte
}

// gcsError is a response with an error.
type gcsError struct {
	status  int
	code    string
	message string
}

// Error implements error.
func (e *gcsError) Error() string { return fmt.Sprintf("%d %s: %s", e.status, e.code, e.message) }

// do sends a call until it succeeds, an error is final or there were too many attempts. The caller closes the body of
// the response. Each call may be repeated: a write has its whole content, and those with conditions find out what
// became of them.
func (s *gcsService) do(ctx context.Context, c gcsCall) (*http.Response, error) {
	for try := 0; ; try++ {
		resp, err := s.once(ctx, c)
		if err == nil || !gcsRetries(err) || try+1 == s.web.attempts || ctx.Err() != nil {
			return resp, err
		}
		if !s.wait(ctx, try) {
			return nil, err
		}
	}
}

// wait counts a retry and waits before it. It returns false if the context ends meanwhile.
func (s *gcsService) wait(ctx context.Context, try int) bool {
	s.web.counter.retried()
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause(try)):
		return true
	}
}

func (s *gcsService) once(ctx context.Context, c gcsCall) (*http.Response, error) {
	target := c.url
	if len(c.query) > 0 {
		target += "?" + c.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.method, target, bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 300 || resp.StatusCode == http.StatusPermanentRedirect {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, gcsErrorOf(resp)
}

// maxErrorText is the number of bytes of an error that are read.
const maxErrorText = 64 << 10

func gcsErrorOf(resp *http.Response) error {
	e := &gcsError{status: resp.StatusCode, message: resp.Status}
	var answer struct {
		Error struct {
			Message string
			Errors  []struct{ Reason string }
		}
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorText))
	if err == nil && json.Unmarshal(text, &answer) == nil && answer.Error.Message != "" {
		e.message = answer.Error.Message
		for _, item := range answer.Error.Errors {
			e.code = item.Reason
		}
	}
	if e.status == http.StatusNotFound {
		e.code = "NotFound"
	}
	return e
}

// gcsRetries reports whether a request that failed in this way may succeed later.
func gcsRetries(err error) bool {
	var answer *gcsError
	var token *oauth2.RetrieveError
	var network net.Error
	switch {
	case errors.As(err, &answer):
		return answer.status >= 500 || answer.status == http.StatusTooManyRequests || answer.status == http.StatusRequestTimeout
	case errors.As(err, &token):
		return token.Response != nil && token.Response.StatusCode >= 500
	}
	return cut(err) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &network) && network.Timeout()
}

// answer sends a call and decodes its response, which is JSON. Nil means that the response does not matter.
func (s *gcsService) answer(ctx context.Context, c gcsCall, into any) error {
	for try := 0; ; try++ {
		resp, err := s.do(ctx, c)
		if err != nil {
			return err
		}
		err = decodeAnswer(resp, into)
		if err == nil || !cut(err) || try+1 == s.web.attempts || !s.wait(ctx, try) {
			return err
		}
	}
}

func decodeAnswer(resp *http.Response, into any) error {
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("the response is not what Cloud Storage sends: %w", err)
	}
	return nil
}
