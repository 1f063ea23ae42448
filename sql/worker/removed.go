package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/pingmill/pingmill/sql/query"
)

// FilesRemovedError means that a query failed and files of its views were removed meanwhile. A retry on the files that
// exist now may succeed.
type FilesRemovedError struct{ Err error }

func (e *FilesRemovedError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the query.
func (e *FilesRemovedError) Unwrap() error { return e.Err }

// ofText lists the kinds of errors that depend on the query's text alone, not on its files.
var ofText = []string{"Parser Error", "Binder Error", "Not supported", "Too large"}

// wrapRemoved wraps err in a FilesRemovedError if files of the request's views were removed and could be the cause.
func (q *Request) wrapRemoved(ctx context.Context, err error) error {
	var wrong *query.Error
	var limit *LimitError
	switch {
	case err == nil || q.FilesRemoved == nil || ctx.Err() != nil || errors.As(err, &limit):
		return err
	case errors.As(err, &wrong) && slices.Contains(ofText, wrong.Kind):
		return err
	case q.FilesRemoved(ctx):
		return &FilesRemovedError{err}
	}
	return err
}
