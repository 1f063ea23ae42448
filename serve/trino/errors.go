package trino

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/worker"
)

// code is one of Trino's error codes: number and name decide what clients do.
type code struct {
	number int
	name   string
}

// Types of errors, by the first number of their codes.
const (
	internalErrors = 65536
	resourceErrors = 131072
)

func (c code) kind() string {
	switch {
	case c.number >= resourceErrors:
		return "INSUFFICIENT_RESOURCES"
	case c.number >= internalErrors:
		return "INTERNAL_ERROR"
	}
	return "USER_ERROR"
}

// The codes that statements end with.
var (
	genericUser     = code{0, "GENERIC_USER_ERROR"}
	syntaxError     = code{1, "SYNTAX_ERROR"}
	userCanceled    = code{3, "USER_CANCELED"}
	denied          = code{4, "PERMISSION_DENIED"}
	notFound        = code{5, "NOT_FOUND"}
	noFunction      = code{6, "FUNCTION_NOT_FOUND"}
	wrongArgument   = code{7, "INVALID_FUNCTION_ARGUMENT"}
	byZero          = code{8, "DIVISION_BY_ZERO"}
	wrongCast       = code{9, "INVALID_CAST_ARGUMENT"}
	notSupported    = code{13, "NOT_SUPPORTED"}
	wrongProperty   = code{14, "INVALID_SESSION_PROPERTY"}
	outOfRange      = code{19, "NUMERIC_VALUE_OUT_OF_RANGE"}
	noCatalog       = code{44, "CATALOG_NOT_FOUND"}
	noSchema        = code{45, "SCHEMA_NOT_FOUND"}
	noTable         = code{46, "TABLE_NOT_FOUND"}
	noColumn        = code{47, "COLUMN_NOT_FOUND"}
	typeMismatch    = code{58, "TYPE_MISMATCH"}
	wrongParameters = code{80, "INVALID_PARAMETER_USAGE"}
	internalError   = code{internalErrors, "GENERIC_INTERNAL_ERROR"}
	resources       = code{resourceErrors, "GENERIC_INSUFFICIENT_RESOURCES"}
	queueFull       = code{resourceErrors + 2, "QUERY_QUEUE_FULL"}
	timeLimit       = code{resourceErrors + 3, "EXCEEDED_TIME_LIMIT"}
	scanLimit       = code{resourceErrors + 9, "EXCEEDED_SCAN_LIMIT"}
)

// codes maps the kinds of a query's errors. Other kinds are errors of the user.
var codes = map[string]code{
	"Parser Error": syntaxError, "Binder Error": typeMismatch, "Catalog Error": noTable, "Not supported": notSupported,
	"Conversion Error": wrongCast, "Invalid Input Error": wrongArgument, "Out of Range Error": outOfRange, "Too large": scanLimit,
	"Limit": resources, "Not allowed": denied, "Cancelled": userCanceled,
}

// exact finds more exact codes in messages.
var exact = []struct {
	begins, ends string
	code         code
}{
	{"there is no table ", "", noTable}, {"there is no schema ", "", noSchema}, {"there is no catalog ", "", noCatalog},
	{"there is no function ", "", noFunction}, {"column ", " is not known", noColumn}, {"Cannot cast ", "", wrongCast},
	{"Division by zero", "", byZero},
}

// problem is an error of this package, with its code.
type problem struct {
	code    code
	message string
}

func (p *problem) Error() string { return p.message }

// failure is the error of a statement in the form of the protocol.
type failure struct {
	Message  string    `json:"message"`
	Code     int       `json:"errorCode"`
	Name     string    `json:"errorName"`
	Type     string    `json:"errorType"`
	Location *location `json:"errorLocation,omitempty"`
	Info     any       `json:"failureInfo"`
}

type location struct {
	Line   int `json:"lineNumber"`
	Column int `json:"columnNumber"`
}

// failureInfo is what clients make an exception of.
type failureInfo struct {
	Type       string    `json:"type"`
	Message    string    `json:"message"`
	Suppressed []string  `json:"suppressed"`
	Stack      []string  `json:"stack"`
	Location   *location `json:"errorLocation,omitempty"`
}

// failureOf converts the error of a statement; ctx is the statement's.
func (s *Server) failureOf(ctx context.Context, err error) *failure {
	c, message, at := s.explain(ctx, err)
	if at != nil {
		message = fmt.Sprintf("line %d:%d: %s", at.Line, at.Column, message)
	}
	f := &failure{Message: message, Code: c.number, Name: c.name, Type: c.kind(), Location: at}
	f.Info = failureInfo{Type: "io.trino.spi.TrinoException", Message: message, Suppressed: []string{}, Stack: []string{}, Location: at}
	return f
}

func (s *Server) explain(ctx context.Context, err error) (code, string, *location) {
	var own *problem
	var wrong *queryservice.Failure
	var parsed *syntax.Error
	var system *query.Error
	var limit *worker.LimitError
	var placed *unplaced
	switch {
	case errors.Is(context.Cause(ctx), bi.ErrEnded):
		return denied, bi.ErrEnded.Error(), nil
	case errors.Is(context.Cause(ctx), errTime):
		return timeLimit, errTime.Error(), nil
	case errors.Is(context.Cause(ctx), errCanceled):
		return userCanceled, errCanceled.Error(), nil
	case errors.As(err, &own):
		return own.code, own.message, nil
	case errors.As(err, &wrong):
		message, at := hinted(wrong.Message, wrong.Hint), (*location)(nil)
		if wrong.Line > 0 && !errors.As(err, &placed) {
			at = &location{wrong.Line, wrong.Column}
		}
		return codeOf(wrong.Kind, wrong.Message), message, at
	case errors.As(err, &parsed):
		at := &location{parsed.Line, parsed.Column}
		if parsed.Line == 0 || errors.As(err, &placed) {
			at = nil
		}
		return parsedCode(parsed), hinted(parsed.Message, parsed.Hint), at
	case errors.As(err, &system): // of a statement about the catalog; its place is in the translation
		return codeOf(system.Kind, system.Message), system.Message, nil
	case errors.As(err, &limit):
		return resources, limit.Text, nil
	case errors.Is(err, queryservice.ErrFull):
		return queueFull, err.Error(), nil
	case errors.Is(err, bi.ErrMemory), errors.Is(err, queryservice.ErrCatalogResult):
		return resources, err.Error(), nil
	case errors.Is(err, queryservice.ErrNotFound):
		return denied, "your rights have changed since the query was asked: run it again", nil
	case errors.Is(err, queryservice.ErrResultRemoved):
		return notFound, "the result was removed to make room: run the query again", nil
	case ctx.Err() != nil:
		return userCanceled, errCanceled.Error(), nil
	}
	s.Log.Error("a query over Trino's protocol failed", "error", err)
	return internalError, "the query could not be run; the log of the server says why", nil
}

func hinted(message, hint string) string {
	if hint == "" {
		return message
	}
	return message + " (" + hint + ")"
}

// unplaced is the error of a statement whose text is not the one that the client sent, so that places mean nothing.
type unplaced struct{ err error }

func (u *unplaced) Error() string { return u.err.Error() }
func (u *unplaced) Unwrap() error { return u.err }

func codeOf(kind, message string) code {
	for _, u := range exact {
		if strings.HasPrefix(message, u.begins) && strings.HasSuffix(message, u.ends) {
			return u.code
		}
	}
	if c, ok := codes[kind]; ok {
		return c
	}
	return genericUser
}

func parsedCode(e *syntax.Error) code {
	switch e.Kind {
	case syntax.NotSQL:
		return syntaxError
	case syntax.NotSupported:
		return notSupported
	}
	return codeOf("Binder Error", e.Message)
}
