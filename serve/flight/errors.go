package flight

import (
	"context"
	"errors"
	"strconv"
	"unicode/utf8"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// domain is the domain in the details of errors.
const domain = "pingmill"

// maxText is the maximum length of an error text in bytes. The text is sent in a header, and clients accept headers up
// to 8 KiB.
const maxText = 2 << 10

// problem converts an error into a gRPC status: the text has kind, message and place, and details repeat them for
// programs.
func (c *Config) problem(ctx context.Context, err error) error {
	var wrong *queryservice.Failure
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), bi.ErrEnded):
		return errToken
	case ctx.Err() != nil:
		return status.FromContextError(ctx.Err()).Err()
	case errors.As(err, &wrong):
		return detailed(wrong)
	case errors.Is(err, bi.ErrMemory):
		return status.Error(codes.ResourceExhausted, err.Error())
	case errors.Is(err, queryservice.ErrNotFound):
		return status.Error(codes.PermissionDenied, "your rights have changed since the query was asked: run it again")
	case errors.Is(err, queryservice.ErrFull):
		return status.Error(codes.Unavailable, err.Error())
	}
	c.Log.Error("a query over Flight SQL failed", "error", err)
	return status.Error(codes.Internal, "the query could not be run; the log of the server says why")
}

// detailed converts the error of a wrong query, or of one that exceeded a limit.
func detailed(f *queryservice.Failure) error {
	e := query.Error{Kind: f.Kind, Message: f.Message, Hint: f.Hint, Line: f.Line, Column: f.Column, Text: f.Text}
	code := codes.InvalidArgument
	if f.Kind == "Limit" {
		code = codes.ResourceExhausted
	}
	s := status.New(code, short(e.Error()))
	info := &errdetails.ErrorInfo{Reason: short(e.Kind), Domain: domain, Metadata: map[string]string{"message": short(e.Message)}}
	if e.Hint != "" {
		info.Metadata["hint"] = short(e.Hint)
	}
	if e.Line > 0 {
		info.Metadata["line"], info.Metadata["column"] = strconv.Itoa(e.Line), strconv.Itoa(e.Column)
	}
	if with, err := s.WithDetails(info); err == nil {
		s = with
	}
	return s.Err()
}

// short truncates a text to maxText bytes.
func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
