package forget

import (
	"errors"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
)

// DocTypes are the document types of telemetry pings by which a client asks to be
// forgotten, which its id names. The last two are of browsers up to 2018, and
// optout mostly names no client.
var DocTypes = []string{"deletion-request", "optout", "deletion"}

// gleanTypes lists the document types of Glean's deletion requests. Any application sends them, so they occur
// in any namespace except telemetry.
var gleanTypes = []string{"deletion-request", "usage-deletion-request"}

// IsRequest reports whether pings of a namespace and document type request that their client is forgotten.
func IsRequest(namespace, docType string) bool {
	if namespace == ping.Telemetry {
		return slices.Contains(DocTypes, docType)
	}
	return slices.Contains(gleanTypes, docType)
}

// ErrNobody means a request of Glean that names no client.
var ErrNobody = errors.New("the deletion request names no client")

// Clients are the ids that the document of a ping asks to forget. There are none
// if it is no request, and may be none in one of telemetry; a request of Glean
// without any is ErrNobody.
func Clients(m *ping.Meta, document []byte) ([]string, error) {
	namespace := m.Namespace()
	if !IsRequest(namespace, string(m.Text(ping.DocTypeField))) {
		return nil, nil
	}
	var ids []string
	add := func(id []byte) {
		if client := string(id); CheckClient(client) == nil && !slices.Contains(nobody, strings.ToLower(client)) && !slices.Contains(ids, client) {
			ids = append(ids, client)
		}
	}
	if namespace == ping.Telemetry {
		add(m.Text(ping.ClientID))
		return ids, nil
	}
	var doc ping.Doc
	if err := doc.Scan(glean.program, document); err != nil {
		return nil, err
	}
	for _, slot := range []ping.Slot{glean.client, glean.plain} {
		if id, ok := doc.Value(slot).Str(nil); ok {
			add(id)
		}
	}
	for _, metric := range doc.Value(glean.uuids).Members(nil) {
		if id, ok := metric.Value.Str(nil); ok && namesClient(string(metric.Key)) {
			add(id)
		}
	}
	if ids == nil {
		return nil, ErrNobody
	}
	return ids, nil
}

// glean finds the ids in pings of Glean.
var glean = func() (g struct {
	program              *ping.Program
	client, plain, uuids ping.Slot
}) {
	var p ping.PathSet
	g.client = p.Add("client_info", "client_id")
	g.plain = p.Add("clientId")
	g.uuids = p.Add("metrics", "uuid")
	g.program = p.Compile()
	return g
}()

// namesClient reports whether a metric has an id that the client gives up with its
// request: that of telemetry (legacy.telemetry.client_id, legacy.ids.client_id),
// or that of usage reports (usage.profile_id). Other ids are older than the
// request and stay in use after it.
func namesClient(metric string) bool {
	return strings.HasSuffix(metric, "client_id") || metric == "usage.profile_id"
}

// nobody are the ids that browsers write where a client must have none.
var nobody = []string{
	"00000000-0000-0000-0000-000000000000",
	"c0ffeec0-ffee-c0ff-eec0-ffeec0ffeec0",
	"beefbeef-beef-beef-beef-beeefbeefbee",
}
