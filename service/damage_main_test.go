package service

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/privacy/retain"
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

func mustLoad(t testing.TB, s *site.Site, content []byte) loader.Loaded {
	t.Helper()
	l, err := loader.Load(context.Background(), s, bytes.NewReader(content), loader.LoadOptions{Decode: ingest.DefaultConfig()})
	require.NoError(t, err)
	return l
}

// mustRetain removes what is past its time and lists what went and what waits, as "name day".
func mustRetain(t *testing.T, s *site.Site, now time.Time) (removed, waits []string) {
	t.Helper()
	r, err := retain.Apply(t.Context(), s, retain.Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	for _, i := range r.Removed {
		removed = append(removed, i.Name()+" "+i.Day)
	}
	for _, i := range r.Waiting {
		waits = append(waits, i.Name()+" "+i.Day+": "+i.Waits)
	}
	return removed, waits
}
