package erase

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestUnknownTable removes the rows of the known tables, and ends no request while the lake has partitions of another one. It
// does so once for each state of requests and tables.
func TestUnknownTable(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.Pings(t, s.Archive, 5, 200)
	_, err := etl.Run(t.Context(), s, etl.RunOptions{Tables: []string{"addons", "clients_daily"}, Days: []string{sitetest.Day}, Now: time.Now})
	require.NoError(t, err)
	sitetest.AskToForget(t, s, "a", time.Now(), "client-3")
	all := s.Tables
	s.Tables = slices.DeleteFunc(slices.Clone(all), func(t *schema.Table) bool { return t.Name == "addons" })
	_, err = Run(t.Context(), s, forgetOptions())
	require.ErrorContains(t, err, "tables are not known: lake/addons/v2: give their definitions")
	require.Equal(t, 1, sitetest.Pending(t, s))
	for _, row := range sitetest.RowsOf(t, s, "clients_daily", sitetest.Day) {
		require.NotEqual(t, "client-3", row["client_id"])
	}

	ctx, cancel := context.WithCancel(t.Context())
	o := forgetOptions()
	var log strings.Builder
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	rounds := 0
	o.Wait = func(ctx context.Context, _ time.Duration) error {
		switch rounds++; rounds {
		case 3:
			sitetest.AskToForget(t, s, "b", time.Now(), "client-2")
		case 5:
			s.Tables = all
		case 6:
			cancel()
		}
		return ctx.Err()
	}
	require.NoError(t, Repeat(ctx, s, Timing{Every: time.Hour}, o))
	require.Equal(t, 3, strings.Count(log.String(), "removing the rows of forgotten clients"), log.String())
	require.Equal(t, 5, strings.Count(log.String(), "it is tried again"), log.String())
	require.Zero(t, sitetest.Pending(t, s))
	for _, row := range sitetest.RowsOf(t, s, "addons", sitetest.Day) {
		require.NotContains(t, []any{"client-2", "client-3"}, row["client_id"])
	}
}
