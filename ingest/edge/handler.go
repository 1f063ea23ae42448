package edge

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/ingest/spool"
)

// serve handles a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		s.refuse(w, r, responseDraining)
		return
	}
	defer s.finish()
	uri := target(r.RequestURI)
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if s.endpoint(w, r, pathOf(uri)) {
			return
		}
	}
	if refused := s.submit(r, uri); refused != nil {
		s.refuse(w, r, refused)
		return
	}
	responseOK.send(w, r)
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, with *response) {
	s.count(with.code)
	with.send(w, r)
}

// submit receives a submission. It returns the response if the submission is refused, else nil.
func (s *Server) submit(r *http.Request, uri string) (refused *response) {
	namespace, refused := s.admit(r, uri)
	if refused != nil {
		return refused
	}
	b := s.pool.Get().(*submission)
	defer s.release(b)
	if refused := s.receiver.receive(r, b); refused != nil {
		return refused
	}
	b.describe(r, uri, s.cfg.TrustedProxies)
	b.rec.Body = b.body()
	if err := s.acknowledge(b, namespace); err != nil {
		return s.refused(uri, err)
	}
	return nil
}

// acknowledge appends a submission to the spool and counts it. The client receives a 200 if and only if this
// returns nil. Both ways of reading a request, net/http and the fast path, end here.
func (s *Server) acknowledge(b *submission, namespace string) error {
	// Not the request's context: a client that has half-closed the connection still reads, and a disconnected client
	// retries.
	if err := s.cfg.Spool.Append(s.life, &b.rec); err != nil {
		return err
	}
	s.recent.add(&b.rec)
	s.bytes.Add(int64(len(b.rec.Body)))
	s.namespaces.accept(namespace)
	s.count(responseOK.code)
	return nil
}

// release returns the memory of a submission to the pools.
func (s *Server) release(b *submission) {
	s.receiver.done(b)
	s.pool.Put(b)
}

// admit checks everything known before the body, and returns the namespace.
func (s *Server) admit(r *http.Request, uri string) (namespace string, refused *response) {
	if len(r.RequestURI) > s.cfg.MaxPath {
		return "", responseLongPath
	}
	switch r.Method {
	case http.MethodPost, http.MethodPut:
	case http.MethodGet, http.MethodHead:
		return "", responseNotFound
	default:
		if isEndpoint(pathOf(uri)) {
			return "", responseGetOnly
		}
		return "", responseSubmitOnly
	}
	if isEndpoint(pathOf(uri)) {
		return "", responseGetOnly
	}
	namespace, docType, ok := parseTarget(uri)
	switch {
	case !ok:
		return "", responseBadPath
	case !s.takes(namespace, docType) && s.namespaces.partial():
		return "", responseUnknownYet
	case !s.takes(namespace, docType):
		s.namespaces.refuse(namespace)
		return "", responseNamespace
	case lengthUnknown(r):
		return "", responseNoLength
	case r.ContentLength > s.cfg.MaxBody:
		return "", responseTooLarge
	}
	return namespace, nil
}

// takes reports whether submissions of a namespace and document type are accepted. Deletion requests are
// accepted from any namespace.
func (s *Server) takes(namespace, docType string) bool {
	return s.namespaces.takes(namespace) || s.cfg.Requests.IsRequest(namespace, docType)
}

// lengthUnknown reports whether an HTTP/1 request does not declare the length of its body. In HTTP/2 the
// stream's end defines it.
func lengthUnknown(r *http.Request) bool {
	return r.ProtoMajor == 1 && r.ContentLength == 0 && r.Header["Content-Length"] == nil
}

// refused returns the response for a submission to uri that the spool did not accept.
func (s *Server) refused(uri string, err error) *response {
	switch {
	case errors.Is(err, spool.ErrOverloaded):
		return responseOverloaded
	case errors.Is(err, spool.ErrFull):
		return responseNoSpaceLeft
	case errors.Is(err, spool.ErrTooLarge):
		return responseTooLarge
	case errors.Is(err, spool.ErrUnavailable):
		s.failures.report(s.cfg.Log, s.cfg.Now(), pathOf(uri), err)
		return responseUnavailable
	case errors.Is(err, spool.ErrClosed), s.closed():
		return responseDraining
	}
	s.failures.report(s.cfg.Log, s.cfg.Now(), pathOf(uri), err)
	return responseFailed
}

// failures logs errors of the spool at most once a second, because every request fails if a disk breaks. It
// names a request by its path with the document id, by which its client and a proxy before the edge know it.
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
	if code >= 0 && code < len(s.responses) {
		s.responses[code].Add(1)
	}
}
