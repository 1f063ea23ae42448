package sitetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
)

func AskToForget(t testing.TB, s *site.Site, name string, at time.Time, clients ...string) {
	t.Helper()
	q := forget.Request{Name: name, Time: at, Source: forget.Operator, Clients: clients}
	require.NoError(t, s.Forgotten.Record(context.Background(), q))
}

func Pending(t testing.TB, s *site.Site) int {
	t.Helper()
	q, err := s.Forgotten.Pending(context.Background())
	require.NoError(t, err)
	return len(q)
}

func Mentioned(t testing.TB, s *site.Site, client string) (n int) {
	t.Helper()
	for _, p := range PingsOf(t, s.Archive) {
		if strings.Contains(p, client) {
			n++
		}
	}
	return n
}
