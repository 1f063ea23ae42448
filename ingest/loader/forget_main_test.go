package loader

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// forgetOptions returns the options of a removal that waits for nothing.
func forgetOptions() erase.Options {
	return erase.Options{Clock: clock.Clock{Now: time.Now, Wait: sitetest.NoWait}}
}

func mustForget(t testing.TB, s *site.Site) erase.Result {
	t.Helper()
	r, err := erase.Run(context.Background(), s, forgetOptions())
	require.NoError(t, err)
	return r
}
