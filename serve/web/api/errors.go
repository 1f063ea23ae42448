package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
)

// Problem writes a problem response outside of operations.
func Problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// the client may have disconnected
	_ = json.NewEncoder(w).Encode(huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: detail})
}

// Accounts converts an error of package access into a problem.
func Accounts(err error) error {
	var bad *access.InvalidError
	switch {
	case errors.Is(err, access.ErrSignIn):
		return huma.Error401Unauthorized(err.Error())
	case errors.Is(err, access.ErrNotFound):
		return huma.Error404NotFound(err.Error())
	case errors.Is(err, access.ErrTaken), errors.Is(err, access.ErrLastAdministrator), errors.Is(err, access.ErrOnlyWayIn):
		return huma.Error409Conflict(err.Error())
	case errors.Is(err, access.ErrBusy):
		return huma.Error503ServiceUnavailable(err.Error())
	case errors.As(err, &bad):
		return huma.Error422UnprocessableEntity(err.Error())
	}
	return err
}

type logKey struct{}

// WithLog returns a context with the log for errors of operations.
func WithLog(ctx context.Context, log *slog.Logger) context.Context {
	return context.WithValue(ctx, logKey{}, log)
}

// unexpected converts any other error into a problem without details. They go to the log only, because they may name
// files, tables or hosts.
func unexpected(ctx context.Context, op *huma.Operation, err error) error {
	if known := huma.StatusError(nil); errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return huma.NewError(499, "the client has disconnected") // nobody reads it
	}
	log, _ := ctx.Value(logKey{}).(*slog.Logger)
	if log == nil {
		log = slog.Default()
	}
	log.Error("an operation failed", "operation", op.OperationID, "err", err)
	return huma.Error500InternalServerError("this failed, and the log of the service says why")
}
