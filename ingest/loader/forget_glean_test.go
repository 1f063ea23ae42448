package loader

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site/sitetest"
)

// gleanRecord returns a submission of Glean.
func gleanRecord(docType string, n int, body string) *spool.Record {
	return &spool.Record{
		Timestamp: sitetest.Arrival.Add(time.Duration(n) * time.Second).UnixNano(), RemoteAddr: []byte("10.1.2.3"), Body: []byte(body),
		URI: fmt.Appendf(nil, "/submit/firefox-desktop/%s/1/00000000-0000-4000-8000-%012d", docType, n),
	}
}

// baseline returns a Glean ping of a client, with its id in legacy telemetry.
func baseline(client, legacy string) string {
	return `{"ping_info":{"seq":0,"start_time":"2018-03-01+00:00","end_time":"2018-03-01+00:00"},"client_info":{"client_id":"` + client +
		`","app_build":"","app_display_version":"","architecture":"","first_run_date":"","os":"","os_version":"","telemetry_sdk_build":""},` +
		`"metrics":{"uuid":{"legacy.telemetry.client_id":"` + legacy + `"}}}`
}

// TestForgetGlean forgets clients by requests of Glean: by their ids in Glean and
// in telemetry. Of requests nothing is kept, but of one that names nobody.
func TestForgetGlean(t *testing.T) {
	const gleanA, gleanB, gleanC = "44f8f368-3219-41d5-b94a-000000000001", "44f8f368-3219-41d5-b94a-000000000002",
		"44f8f368-3219-41d5-b94a-000000000003"
	const gleanD, gleanE = "44f8f368-3219-41d5-b94a-00000000000d", "44f8f368-3219-41d5-b94a-00000000000e"
	const profile = "86a34ab4-d3c7-467d-98de-8c11496af418"
	records := spoolRecords(sitetest.FromClients(3))
	records = append(records,
		// A forgotten client of telemetry takes the pings along that name it, also those with another client id of Glean.
		gleanRecord("baseline", 98, baseline(gleanD, strings.ToUpper(sitetest.ClientOf(0)))),
		gleanRecord("baseline", 99, baseline(gleanE, "5e6c8e3a-2d9a-4b56-8a51-00000000000a")),
		gleanRecord("baseline", 101, baseline(gleanA, sitetest.ClientOf(0))),
		gleanRecord("baseline", 102, baseline(gleanB, sitetest.ClientOf(1))),
		gleanRecord("baseline", 103, baseline(gleanC, sitetest.ClientOf(2))),
		gleanRecord("usage-reporting", 104, `{"metrics":{"uuid":{"usage.profile_id":"`+profile+`"}}}`),
		gleanRecord("deletion-request", 111, baseline(gleanA, sitetest.ClientOf(0))),
		gleanRecord("deletion-request", 112, `{"client_info":{"client_id":"`+gleanB+`"}}`),
		gleanRecord("usage-deletion-request", 113, `{"metrics":{"uuid":{"usage.profile_id":"`+profile+`"}}}`),
		gleanRecord("deletion-request", 114, `{"client_info":{"client_id":"c0ffeec0-ffee-c0ff-eec0-ffeec0ffeec0"}}`),
		// Forgotten is the client of one id already when the other is named with it.
		gleanRecord("deletion-request", 115, baseline(gleanC, sitetest.ClientOf(0))),
	)
	for name, feed := range feeds(t, records) {
		s := sitetest.Local(t)
		feed(s)
		set, err := s.Forgotten.Set(context.Background())
		require.NoError(t, err)
		for id, want := range map[string]bool{gleanA: true, gleanB: true, gleanC: true, profile: true, gleanD: false, gleanE: false,
			sitetest.ClientOf(0): true, sitetest.ClientOf(1): false, sitetest.ClientOf(2): false} {
			if set.Has([]byte(id)) != want {
				t.Errorf("%s: %s is forgotten: %v", name, id, !want)
			}
		}
		mustForget(t, s)
		for id, want := range map[string]int{gleanA: 0, gleanB: 0, gleanC: 0, profile: 0, gleanD: 0, gleanE: 1, sitetest.ClientOf(0): 0,
			sitetest.ClientOf(1): 1, sitetest.ClientOf(2): 1} {
			if got := sitetest.Mentioned(t, s, id); got != want {
				t.Errorf("%s: %d pings mention %s, want %d", name, got, id, want)
			}
		}
		groups, err := RejectedGroups(context.Background(), s.Archive, RejectedFilter{})
		require.NoError(t, err)
		if len(groups) != 1 || groups[0].Rows != 1 || groups[0].DocType != "firefox-desktop/deletion-request" ||
			!strings.Contains(groups[0].Example, "names no client") {
			t.Errorf("%s: rejected %+v", name, groups)
		}
		if again := mustForget(t, s); again.Cycle != nil {
			t.Errorf("%s: a second removal did %+v", name, again.Cycle)
		}
	}
}
