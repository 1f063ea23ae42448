package ingest

import (
	"context"

	"github.com/pingmill/pingmill/internal/panics"
)

// Mentions reports whether in finds its text in the body of a submission, packed or not. It searches the part
// of the body that can be read, up to the size that decoding would unpack, until ctx ends.
func Mentions(ctx context.Context, in func([]byte) bool, body []byte, headers map[string]string, limits Config) (found bool) {
	if in(body) {
		return true
	}
	if ctx.Err() != nil {
		return false
	}
	_ = panics.Try(func() error { // a decoder may panic: then the rest cannot be read
		text, _ := limits.Unpack(body, headers)
		found = in(text)
		return nil
	})
	return found
}
