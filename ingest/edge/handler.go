package edge

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/archive/spool"
	"github.com/pingmill/pingmill/forget"
)

// serve handles a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		s.count(answerDraining.code)
		answerDraining.give(w, r)
		return
	}
	defer s.finish()
	uri := target(r.RequestURI)
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if s.endpoint(w, r, pathOf(uri)) {
			return
		}
	}
	a := s.submit(r, uri)
	s.count(a.code)
	a.give(w, r)
}

// submit takes a submission, or returns the response that says why not.
func (s *Server) submit(r *http.Request, uri string) *answer {
	namespace, a := s.admit(r, uri)
	if a != nil {
		return a
	}
	b := s.pool.Get().(*submission)
	defer func() {
		s.receiver.done(b)
		s.pool.Put(b)
	}()
	if a := s.receiver.receive(r, b); a != nil {
		return a
	}
	b.describe(r, uri, s.cfg.TrustedProxies)
	b.rec.Body = b.body()
	// Not the request's context: a client that has closed its side after the
	// request still reads, and one that is gone will send it again.
	if err := s.cfg.Spool.Append(s.life, &b.rec); err != nil {
		return s.refused(uri, err)
	}
	s.bytes.Add(int64(len(b.rec.Body)))
	s.namespaces.accept(namespace)
	return answerOK
}

// admit checks all that is known before the body, and finds the namespace.
func (s *Server) admit(r *http.Request, uri string) (namespace string, refused *answer) {
	if len(r.RequestURI) > s.cfg.MaxPath {
		return "", answerLongPath
	}
	switch r.Method {
	case http.MethodPost, http.MethodPut:
	case http.MethodGet, http.MethodHead:
		return "", answerNotFound
	default:
		if isEndpoint(pathOf(uri)) {
			return "", answerGetOnly
		}
		return "", answerSubmitOnly
	}
	if isEndpoint(pathOf(uri)) {
		return "", answerGetOnly
	}
	namespace, docType, ok := parseTarget(uri)
	switch {
	case !ok:
		return "", answerBadPath
	case !s.takes(namespace, docType):
		s.namespaces.refuse(namespace)
		return "", answerNamespace
	case lengthUnknown(r):
		return "", answerNoLength
	case r.ContentLength > s.cfg.MaxBody:
		return "", answerTooLarge
	}
	return namespace, nil
}

// takes reports whether submissions of a namespace and document type are
// accepted: deletion requests are, from any namespace.
func (s *Server) takes(namespace, docType string) bool {
	return s.namespaces.takes(namespace) || forget.Asks(namespace, docType)
}

// lengthUnknown reports whether nothing says how long the body is. HTTP/2 has the
// end of the stream.
func lengthUnknown(r *http.Request) bool {
	return r.ProtoMajor == 1 && r.ContentLength == 0 && r.Header["Content-Length"] == nil
}

// refused is the response when the spool did not take the submission to uri.
func (s *Server) refused(uri string, err error) *answer {
	switch {
	case errors.Is(err, spool.ErrOverloaded):
		return answerOverloaded
	case errors.Is(err, spool.ErrFull):
		return answerNoSpaceLeft
	case errors.Is(err, spool.ErrTooLarge):
		return answerTooLarge
	case errors.Is(err, spool.ErrClosed), s.closed():
		return answerDraining
	}
	s.failures.report(s.cfg.Log, s.cfg.Now(), pathOf(uri), err)
	return answerFailed
}

// failures logs errors of the spool once a second: when a disk breaks, every
// request fails. A request is named by its path, which has the document id: its
// client, and a proxy before the edge, know it by that.
type failures struct {
	mu   sync.Mutex
	last time.Time
	more int64 // not logged since
}

func (f *failures) report(log *slog.Logger, now time.Time, path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := now.Sub(f.last); d >= 0 && d < time.Second {
		f.more++
		return
	}
	log.Error("a submission was not kept", "request", path, "err", err, "others", f.more)
	f.last, f.more = now, 0
}

func pathOf(uri string) string {
	path, _, _ := strings.Cut(uri, "?")
	return path
}

func (s *Server) count(code int) {
	if code >= 0 && code < len(s.answers) {
		s.answers[code].Add(1)
	}
}
