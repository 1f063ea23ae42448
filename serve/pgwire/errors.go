package pgwire

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/worker"
)

// failure is an error of this package, with its SQLSTATE.
type failure struct {
	code, message, hint string
	position            int32 // character of the text as the client sent it, from 1; 0: none
}

func (f *failure) Error() string { return f.message }

// unsupported returns the failure of a feature that does not exist.
func unsupported(message string) error { return &failure{code: "0A000", message: message} }

// states maps kinds of query errors to SQLSTATEs. Other kinds have the code of a general query error.
var states = map[string]string{
	"Parser Error": "42601", "Binder Error": "42703", "Catalog Error": "42P01", "Not supported": "0A000", "Conversion Error": "22P02",
	"Out of Range Error": "22003", "Too large": "54000", "Invalid Input Error": "22023", "Limit": "54000", "Not allowed": "42501",
}

// placed is the error of a statement with the statement's offset in the text that the client sent.
type placed struct {
	err  error
	text string // of the statement
	from int    // characters before it
}

func (p *placed) Error() string { return p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

// response converts an error for the client.
func (s *Server) response(err error) *pgproto3.ErrorResponse {
	r := &pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: "XX000"}
	var own *failure
	var wrong *queryservice.Failure
	var system *query.Error
	var limit *worker.LimitError
	switch {
	case errors.As(err, &own):
		r.Code, r.Message, r.Hint, r.Position = own.code, own.message, own.hint, own.position
	case errors.As(err, &wrong):
		r.Code, r.Message, r.Hint = "42000", wrong.Kind+": "+wrong.Message, wrong.Hint
		if state, ok := states[wrong.Kind]; ok {
			r.Code = state
		}
		var at *placed // the positions of wrong are relative to its text
		if errors.As(err, &at) {
			r.Position = at.position(wrong)
		}
	case errors.As(err, &system): // from a catalog query; its positions belong to the translation
		r.Code, r.Message = "42000", system.Kind+": "+system.Message
	case errors.As(err, &limit):
		r.Code, r.Message = "54000", limit.Text
	case errors.Is(err, queryservice.ErrFull):
		r.Code, r.Message = "53300", err.Error()
	case errors.Is(err, bi.ErrMemory):
		r.Code, r.Message = "53200", err.Error()
	case errors.Is(err, queryservice.ErrNotFound):
		r.Code, r.Message = "42501", "your rights have changed since the query was asked: run it again"
	default:
		s.Log.Error("a query over PostgreSQL's protocol failed", "error", err)
		r.Message = "the query could not be run; the log of the server says why"
	}
	return r
}

// position returns the position of an error in characters of the whole text that the client sent.
func (p *placed) position(e *queryservice.Failure) int32 {
	if e.Line == 0 {
		return 0
	}
	n, lines := p.from, strings.SplitAfter(p.text, "\n")
	for _, l := range lines[:min(e.Line-1, len(lines))] {
		n += len([]rune(l))
	}
	return int32(n + e.Column)
}
