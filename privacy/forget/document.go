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

// Rules adds requests of Glean to those that every installation honours. The zero value adds none.
type Rules struct {
	// Metrics lists ids of metrics of the types uuid and string, such as contextual.services.context_id. Their values in
	// pings whose document type ends in -deletion-request are ids to forget.
	Metrics []string
}

// moreRequests is the end of the document types of further requests.
const moreRequests = "-deletion-request"

// IsRequest reports whether pings of a namespace and document type request that an id is forgotten. One of a further
// type is a request only if it has one of the metrics.
func (r Rules) IsRequest(namespace, docType string) bool {
	if namespace == ping.Telemetry {
		return slices.Contains(DocTypes, docType)
	}
	return slices.Contains(gleanTypes, docType) || len(r.Metrics) > 0 && strings.HasSuffix(docType, moreRequests)
}

// ErrNobody means a request of Glean that names no client.
var ErrNobody = errors.New("the deletion request names no client")

// Clients returns the ids that the document of a ping asks to forget. There are none if it is no request, and may be none
// in one of telemetry or of a further type; another request of Glean without any is ErrNobody.
func (r Rules) Clients(m *ping.Meta, document []byte) ([]string, error) {
	namespace, docType := m.Namespace(), string(m.Text(ping.DocTypeField))
	if !r.IsRequest(namespace, docType) {
		return nil, nil
	}
	var ids []string
	add := func(id []byte) {
		if client := withoutBraces(string(id)); CheckClient(client) == nil && !slices.Contains(nobody, strings.ToLower(client)) &&
			!slices.Contains(ids, client) {
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
	known := slices.Contains(gleanTypes, docType)
	for _, slot := range []ping.Slot{glean.client, glean.plain} {
		if id, ok := doc.Value(slot).Str(nil); ok && known { // of a further type, the client asks for another id
			add(id)
		}
	}
	for _, slot := range []ping.Slot{glean.uuids, glean.strings} {
		for _, metric := range doc.Value(slot).Members(nil) {
			name := string(metric.Key)
			if id, ok := metric.Value.Str(nil); ok && (slot == glean.uuids && known && namesClient(name) || slices.Contains(r.Metrics, name)) {
				add(id)
			}
		}
	}
	if ids == nil && known {
		return nil, ErrNobody
	}
	return ids, nil
}

// glean finds the ids in pings of Glean.
var glean = func() (g struct {
	program              *ping.Program
	client, plain, uuids ping.Slot
	strings              ping.Slot
}) {
	var p ping.PathSet
	g.client = p.Add("client_info", "client_id")
	g.plain = p.Add("clientId")
	g.uuids = p.Add("metrics", "uuid")
	g.strings = p.Add("metrics", "string")
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

// withoutBraces returns the UUID in an id such as {2f6a…}, which some metrics have in braces, or the id itself.
func withoutBraces(id string) string {
	if inner := strings.TrimSuffix(strings.TrimPrefix(id, "{"), "}"); len(inner) == len(id)-2 && isUUID([]byte(inner)) {
		return inner
	}
	return id
}

// nobody are the ids that browsers write where a client must have none.
var nobody = []string{
	"00000000-0000-0000-0000-000000000000",
	"c0ffeec0-ffee-c0ff-eec0-ffeec0ffeec0",
	"beefbeef-beef-beef-beef-beeefbeefbee",
}
