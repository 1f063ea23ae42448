package forget

import (
	"errors"
	"slices"
	"testing"

	"github.com/pingmill/pingmill/ping"
)

const (
	idA = "44f8f368-3219-41d5-b94a-9ff2cf3b6c63"
	idB = "bfa6651e-c8e2-459b-b4c9-af9274711171"
	idC = "86a34ab4-d3c7-467d-98de-8c11496af418"
)

// TestClients reads requests of telemetry and of Glean.
func TestClients(t *testing.T) {
	more := Rules{Metrics: []string{"contextual.services.context_id", "characteristics.client_identifier"}}
	for _, c := range []struct {
		namespace, docType, client, document string

		rules Rules
		want  []string
		err   error
	}{
		{docType: "deletion-request", client: idA, document: `{}`, want: []string{idA}},
		{namespace: "telemetry", docType: "deletion", client: idA, document: `{}`, want: []string{idA}},
		{docType: "optout", document: `{}`},
		{docType: "main", client: idA, document: `{}`},
		{docType: "deletion-request", client: "c0ffeec0-ffee-c0ff-eec0-ffeec0ffeec0", document: `{}`},
		{docType: "deletion-request", client: "no id", document: `{}`},
		{docType: "deletion-request", client: idA, document: `{"client_info":{"client_id":"` + idB + `"}}`, want: []string{idA}},
		{docType: "usage-deletion-request", client: idA, document: `{}`},

		{namespace: "firefox-desktop", docType: "deletion-request", document: `{"client_info":{"client_id":"` + idA + `"}}`, want: []string{idA}},
		{namespace: "thunderbird-desktop", docType: "deletion-request", client: idB,
			document: `{"clientId":"` + idB + `","client_info":{"client_id":"` + idA + `"}}`, want: []string{idA, idB}},
		{namespace: "org-mozilla-focus", docType: "deletion-request",
			document: `{"client_info":{"client_id":"` + idA + `"},"metrics":{"uuid":{"legacy.ids.client_id":"` + idB + `","x.context_id":"` + idC +
				`"}}}`, want: []string{idA, idB}},
		{namespace: "firefox-desktop", docType: "deletion-request",
			document: `{"client_info":{"client_id":"` + idA + `"},"metrics":{"uuid":{"legacy_telemetry_client_id":"` + idA + `"}}}`,
			want:     []string{idA}},
		{namespace: "firefox-desktop", docType: "usage-deletion-request", document: `{"metrics":{"uuid":{"usage.profile_id":"` + idC + `"}}}`,
			want: []string{idC}},
		{namespace: "firefox-desktop", docType: "usage-deletion-request",
			document: `{"metrics":{"uuid":{"usage.profile_id":"beefbeef-beef-beef-beef-beeefbeefbee"}}}`, err: ErrNobody},
		{namespace: "firefox-desktop", docType: "deletion-request",
			document: `{"client_info":{"client_id":"C0FFEEC0-FFEE-C0FF-EEC0-FFEEC0FFEEC0"}}`, err: ErrNobody},
		{namespace: "firefox-desktop", docType: "deletion-request", document: `{"client_info":{"client_id":7},"metrics":{"uuid":[]}}`,
			err: ErrNobody},
		{namespace: "firefox-desktop", docType: "optout", client: idA, document: `{}`},
		{namespace: "firefox-desktop", docType: "baseline", document: `{"client_info":{"client_id":"` + idA + `"}}`},

		{namespace: "firefox-desktop", docType: "context-id-deletion-request", rules: more,
			document: `{"client_info":{"client_id":"` + idA + `"},"metrics":{"uuid":{"contextual.services.context_id":"{` + idB +
				`}","x.client_id":"` + idC + `"}}}`, want: []string{idB}},
		{namespace: "firefox-desktop", docType: "quick-suggest-deletion-request", rules: more,
			document: `{"metrics":{"string":{"characteristics.client_identifier":"some-id","other":"` + idC + `"}}}`, want: []string{"some-id"}},
		{namespace: "firefox-desktop", docType: "quick-suggest-deletion-request", rules: more,
			document: `{"metrics":{"uuid":{"other":"` + idC + `"}}}`},
		{namespace: "firefox-desktop", docType: "context-id-deletion-request",
			document: `{"metrics":{"uuid":{"contextual.services.context_id":"` + idB + `"}}}`},
		{namespace: "firefox-desktop", docType: "baseline", rules: more,
			document: `{"metrics":{"uuid":{"contextual.services.context_id":"` + idB + `"}}}`},
		{docType: "context-id-deletion-request", rules: more, document: `{"metrics":{"uuid":{"contextual.services.context_id":"` + idB + `"}}}`},
		{namespace: "firefox-desktop", docType: "deletion-request", rules: more,
			document: `{"client_info":{"client_id":"` + idA + `"},"metrics":{"uuid":{"contextual.services.context_id":"` + idB + `"}}}`,
			want:     []string{idA, idB}},
	} {
		var m ping.Meta
		m.SetString(ping.DocTypeField, c.docType)
		if c.namespace != "" {
			m.SetString(ping.SourceName, c.namespace)
		}
		if c.client != "" {
			m.SetString(ping.ClientID, c.client)
		}
		got, err := c.rules.Clients(&m, []byte(c.document))
		if !slices.Equal(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s/%s %s: clients %q, %v, want %q, %v", m.Namespace(), c.docType, c.document, got, err, c.want, c.err)
		}
	}
}
