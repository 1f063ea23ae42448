package cli

import (
	"io"
	"log/slog"
	"strings"
	"time"
)

// NewLog returns a logger that writes text to a terminal and JSON elsewhere. Durations are text in both.
func NewLog(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{ReplaceAttr: logged}
	if IsTerminal(w) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}

// logged converts an attribute for output.
func logged(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case time.Duration:
		a.Value = slog.StringValue(v.String())
	case error:
		a.Value = slog.StringValue(strings.ReplaceAll(v.Error(), "\n", "; "))
	}
	return a
}
