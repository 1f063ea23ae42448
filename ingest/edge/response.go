package edge

import (
	"net/http"
	"strconv"
)

// response is a complete response, built once so that sending it is cheap.
type response struct {
	code   int
	body   []byte
	length []string // Content-Length
	allow  []string // Allow, with 405
	retry  bool     // Retry-After
	close  bool     // the connection cannot be used any more
}

func newResponse(code int, text string) *response {
	return &response{code: code, body: []byte(text), length: []string{strconv.Itoa(len(text))}}
}

func (p response) closing() *response             { p.close = true; return &p }
func (p response) retrying() *response            { p.retry = true; return &p }
func (p response) allowing(m ...string) *response { p.allow = m; return &p }

var (
	responseOK          = newResponse(200, "OK\n")
	responseBadPath     = newResponse(400, "bad request: the path is not that of a submission\n")
	responseBadBody     = newResponse(400, "bad request: the body is incomplete or malformed\n").closing()
	responseNamespace   = newResponse(404, "not found: unknown namespace\n")
	responseNotFound    = newResponse(404, "not found\n")
	responseSubmitOnly  = newResponse(405, "method not allowed\n").allowing("POST, PUT")
	responseGetOnly     = newResponse(405, "method not allowed\n").allowing("GET, HEAD")
	responseSlow        = newResponse(408, "request timeout: the body did not arrive in time\n").closing()
	responseNoLength    = newResponse(411, "length required\n").closing()
	responseTooLarge    = newResponse(413, "content too large\n").closing()
	responseLongPath    = newResponse(414, "uri too long\n")
	responseFailed      = newResponse(500, "internal server error: the submission was not kept\n")
	responseDraining    = newResponse(503, "service unavailable: shutting down\n").retrying().closing()
	responseOverloaded  = newResponse(503, "service unavailable: overloaded\n").retrying()
	responseUnavailable = newResponse(503, "service unavailable: submissions cannot be kept now\n").retrying()
	responseUnknownYet  = newResponse(503, "service unavailable: whether this namespace is taken is not known now\n").retrying()
	responseNoSpaceLeft = newResponse(507, "insufficient storage\n").retrying()

	textPlain  = []string{"text/plain; charset=utf-8"}
	jsonText   = []string{"application/json"}
	connClose  = []string{"close"}
	retryAfter = []string{retrySeconds}
)

// send sends a response. The keys are in canonical form and their values shared.
func (p *response) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Content-Type"] = textPlain
	h["Content-Length"] = p.length
	if p.allow != nil {
		h["Allow"] = p.allow
	}
	if p.retry {
		h["Retry-After"] = retryAfter
	}
	// In HTTP/2 this closes the connection gracefully: right when draining, too much for an error of one
	// stream.
	if p.close && (r.ProtoMajor == 1 || p == responseDraining) {
		h["Connection"] = connClose
	}
	w.WriteHeader(p.code)
	_, _ = w.Write(p.body) // the client has disconnected
}
