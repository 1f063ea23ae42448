package etl

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

func mustRun(t testing.TB, s *site.Site, o RunOptions) job.Report {
	t.Helper()
	if o.Days == nil {
		o.Days = []string{sitetest.Day}
	}
	o.Now = time.Now
	r, err := Run(context.Background(), s, o)
	require.NoError(t, err)
	return r
}
