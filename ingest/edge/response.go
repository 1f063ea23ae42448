package edge

import (
	"net/http"
	"strconv"
)

// answer is a complete response, made once so that giving it costs nothing.
type answer struct {
	code   int
	body   []byte
	length []string // Content-Length
	allow  []string // Allow, with 405
	retry  bool     // Retry-After
	close  bool     // the connection cannot be used any more
}

func newAnswer(code int, text string) *answer {
	return &answer{code: code, body: []byte(text), length: []string{strconv.Itoa(len(text))}}
}

func (a answer) closing() *answer             { a.close = true; return &a }
func (a answer) retrying() *answer            { a.retry = true; return &a }
func (a answer) allowing(m ...string) *answer { a.allow = m; return &a }

var (
	answerOK          = newAnswer(200, "OK")
	answerBadPath     = newAnswer(400, "bad request: the path is not that of a submission\n")
	answerBadBody     = newAnswer(400, "bad request: the body is incomplete or malformed\n").closing()
	answerNamespace   = newAnswer(404, "not found: unknown namespace\n")
	answerNotFound    = newAnswer(404, "not found\n")
	answerSubmitOnly  = newAnswer(405, "method not allowed\n").allowing("POST, PUT")
	answerGetOnly     = newAnswer(405, "method not allowed\n").allowing("GET, HEAD")
	answerSlow        = newAnswer(408, "request timeout: the body did not arrive in time\n").closing()
	answerNoLength    = newAnswer(411, "length required\n").closing()
	answerTooLarge    = newAnswer(413, "content too large\n").closing()
	answerLongPath    = newAnswer(414, "uri too long\n")
	answerFailed      = newAnswer(500, "internal server error: the submission was not kept\n")
	answerDraining    = newAnswer(503, "service unavailable: shutting down\n").retrying().closing()
	answerOverloaded  = newAnswer(503, "service unavailable: overloaded\n").retrying()
	answerNoSpaceLeft = newAnswer(507, "insufficient storage\n").retrying()

	textPlain  = []string{"text/plain; charset=utf-8"}
	jsonText   = []string{"application/json"}
	connClose  = []string{"close"}
	retryAfter = []string{retrySeconds}
)

// give sends a response. The keys are in canonical form and their values shared.
func (a *answer) give(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Content-Type"] = textPlain
	h["Content-Length"] = a.length
	if a.allow != nil {
		h["Allow"] = a.allow
	}
	if a.retry {
		h["Retry-After"] = retryAfter
	}
	// On HTTP/2 this ends the connection gently: right when draining, too much
	// for the fault of one stream.
	if a.close && (r.ProtoMajor == 1 || a == answerDraining) {
		h["Connection"] = connClose
	}
	w.WriteHeader(a.code)
	_, _ = w.Write(a.body) // the client is gone
}
