package ingest

import (
	"context"

	"github.com/pingmill/pingmill/internal/panics"
)

// Mentions says whether the body of a submission, packed or not, has what is looked
// for. It is looked through as far as it can be read, and as far as
// it would be unpacked to be decoded; to the end of the context at the longest.
func Mentions(ctx context.Context, in func([]byte) bool, body []byte, headers map[string]string, limits Config) (found bool) {
	if in(body) {
		return true
	}
	if ctx.Err() != nil {
		return false
	}
	_ = panics.Try(func() error { // of a decoder: it cannot be read further
		text, _ := limits.Unpack(body, headers)
		found = in(text)
		return nil
	})
	return found
}
