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

// Problem answers with a problem, where no operation does.
func Problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: detail}) // who asked may be gone
}

// Accounts is an error of the accounts as those who asked may see it.
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

// WithLog gives a context in which operations say what went wrong to a log.
func WithLog(ctx context.Context, log *slog.Logger) context.Context {
	return context.WithValue(ctx, logKey{}, log)
}

// unexpected is an error that is no problem yet, as strangers may see it: it may name files, tables or hosts, so the log has it alone.
func unexpected(ctx context.Context, op *huma.Operation, err error) error {
	if known := huma.StatusError(nil); errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return huma.NewError(499, "whoever asked has gone") // nobody reads it
	}
	log, _ := ctx.Value(logKey{}).(*slog.Logger)
	if log == nil {
		log = slog.Default()
	}
	log.Error("an operation failed", "operation", op.OperationID, "err", err)
	return huma.Error500InternalServerError("this failed, and the log of the service says why")
}
