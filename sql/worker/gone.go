package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/pingmill/pingmill/sql/query"
)

// GoneError is the error of a query that failed while files of its views were removed: the same query of the files that are there now may
// have a result.
type FilesRemovedError struct{ Err error }

func (e *FilesRemovedError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the query.
func (e *FilesRemovedError) Unwrap() error { return e.Err }

// ofText are kinds of errors that come of a query's text, whatever its files.
var ofText = []string{"Parser Error", "Binder Error", "Not supported", "Too large"}

// gone makes an error a GoneError if files of the request are gone.
func (q *Request) gone(ctx context.Context, err error) error {
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
