package glean

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Transforms of the tables of events and of crashes.
const (
	MadeEvents  = "glean events"
	MadeCrashes = "glean crashes"
)

// crashPing is the ping of crashes.
const crashPing = "crash"

// eventsTable returns events_stream, with a row for each event of any ping of the application.
func (a *Application) eventsTable() *schema.Table {
	info := clientInfoColumn(false)
	all := pingInfoColumn()
	var times []schema.Field
	for _, name := range []string{"seq", "start_time", "parsed_start_time", "end_time", "parsed_end_time", "ping_type"} {
		i := slices.IndexFunc(all.Type.Fields, func(f schema.Field) bool { return f.Name == name })
		times = append(times, all.Type.Fields[i])
	}
	all.Type = present(times...)
	head := headColumns()
	columns := []schema.Column{
		head[0], head[1],
		column("document_type", "string", "meta/docType", "Ping of the event"),
		head[3], head[2],
		column("profile_group_id", "string", "metrics/uuid/legacy.telemetry.profile_group_id", "Id of the group of profiles"),
		column("legacy_telemetry_client_id", "string", "metrics/uuid/legacy.telemetry.client_id", "Client id of legacy telemetry"),
		head[4], head[5], head[8], head[6], head[7],
	}
	columns = append(columns, versionColumns()...)
	metrics := column(Metrics, "string", Metrics, "Metrics of the ping, as JSON; null without metrics")
	columns = append(columns, column("reason", "string", "ping_info/reason", "Why the ping was sent"), info, all,
		column("experiments", experiments, "ping_info/experiments", "Experiments by id; null without any"), metrics, metadataColumn(),
		column("event_timestamp", "timestamp", "events", "When the event happened, by the clock of the client"),
		column("event_category", "string", "events/category", "Category of the event"),
		column("event_name", "string", "events/name", "Name of the event"),
		column("event", "string", "events", "Category and name with a point between them"),
		column("event_extra", "map<string,string>", "events/extra", "Extras as they were sent"))
	if extras, any := a.extrasColumn(); any {
		columns = append(columns, extras)
	}
	columns = append(columns, column("session", session, "events/session", "Session of the event"),
		column("document_event_number", "long", "events", "Number of the event in its ping, from 1 on"),
		column("event_id", "string", "events", "Document id and number of the event"), dayColumn())
	return &schema.Table{
		Name: TableName(a.ID, eventsName), Dir: TableName(a.ID) + "/" + eventsName, Version: version,
		Doc: "Events of all pings of " + a.ID + ".", Grain: "event", Refresh: "daily, shortly after midnight UTC", Made: MadeEvents,
		DocType: "events", Namespace: a.ID, Identity: []ping.MetaField{ping.DocumentID}, Reach: schema.Reach{AllTypes: true, Sparse: true},
		PartitionKeys: []string{"submission_date"}, DashedDays: true, Columns: columns,
		Checks: []schema.Check{{
			Name: "unique", Kind: schema.Unique, Key: []string{"event_id"}, Rule: "no two rows have the same event_id",
		}},
	}
}

// extrasColumn returns the column of the extras that definitions give a type.
func (a *Application) extrasColumn() (c schema.Column, any bool) {
	byType := map[string]map[string]bool{}
	for _, m := range a.Metrics {
		for key, types := range m.Extra {
			for typ := range strings.FieldsSeq(types) {
				if m.Type != Event {
					continue
				}
				if byType[typ] == nil {
					byType[typ] = map[string]bool{}
				}
				byType[typ][key] = true
			}
		}
	}
	types := map[string]string{"boolean": "boolean", "quantity": "long", "string": "string"}
	var fields []schema.Field
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		var members []schema.Field
		names := map[string]bool{}
		for _, key := range slices.Sorted(maps.Keys(byType[typ])) {
			name := ColumnName(key)
			if name == "" || names[name] {
				continue // event_extra has it
			}
			names[name] = true
			f := typed(name, types[typ], "Extra "+key)
			f.Source = key
			members = append(members, f)
		}
		fields = append(fields, schema.Field{Name: typ, Type: present(members...), Doc: "Extras of type " + typ})
	}
	return schema.Column{Name: "extras", Type: present(fields...), Rule: schema.RuleFunc, Source: "events/extra",
		Doc: "Extras by type and key"}, len(fields) > 0
}

// crashesTable returns the table of crashes, made from the table of crash pings.
func (a *Application) crashesTable(pings *schema.Table) *schema.Table {
	last := len(pings.Columns) - 1
	columns := slices.Concat(pings.Columns[:last], []schema.Column{
		column("crash_date", "date", "metrics/datetime/crash_time", "Day of the crash by the clock of the client, or else of the arrival")},
		pings.Columns[last:])
	return &schema.Table{
		Name: TableName(a.ID, crashesName), Dir: TableName(a.ID) + "/" + crashesName, Version: version,
		Doc: "Crashes of " + a.ID + ", one for each minidump.", Grain: "crash", Refresh: "daily, shortly after midnight UTC", Made: MadeCrashes,
		Needs: []string{pings.Name}, Namespace: a.ID, PartitionKeys: []string{"submission_date"}, DashedDays: true, Columns: columns,
		Reach: schema.Reach{Joined: true, Earlier: pings.Name, Window: 365, Sparse: true},
		Checks: []schema.Check{{
			Name: "one_per_ping", Kind: schema.SomeKeys, Key: []string{"document_id"},
			Rule: "no crash ping has two rows, and every row is of a crash ping of the day",
		}},
	}
}
