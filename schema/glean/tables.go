package glean

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/metric"
)

// Transforms of the tables, which those of all applications share.
const MadePing = "glean ping" // a row for each ping

// version is the part of the location of the tables of pings.
const version = "v1"

// Tables returns the tables of the applications, each after those it is made from.
func (d Definitions) Tables() (tables []*schema.Table) {
	for _, id := range slices.Sorted(maps.Keys(d)) {
		tables = append(tables, d[id].Tables()...)
	}
	return tables
}

// Tables returns the tables of the application.
func (a *Application) Tables() (tables []*schema.Table) {
	for _, p := range a.Pings {
		if !p.deletes() {
			tables = append(tables, a.pingTable(p))
		}
	}
	direct := tables
	for _, t := range direct {
		switch generic := a.Ping(t.DocType).Generic; {
		case t.DocType == crashPing && !generic:
			tables = append(tables, a.crashesTable(t))
		case t.DocType == usagePing && !generic:
			tables = append(tables, a.usageTables(t)...)
		}
	}
	if !a.Generic() {
		tables = append(tables, a.eventsTable())
	}
	tables = append(tables, a.clientTables()...)
	for _, t := range tables {
		t.Columns = marked(t.Columns)
	}
	return tables
}

// pingTable returns the table of a ping.
func (a *Application) pingTable(p *Ping) *schema.Table {
	t := &schema.Table{
		Name: TableName(a.ID, p.Name), Dir: TableName(a.ID) + "/" + TableName(p.Name), Version: version,
		Doc:     pingDoc(a, p),
		Grain:   "ping",
		Refresh: "daily, shortly after midnight UTC",
		DocType: p.Name, Namespace: a.ID, Made: MadePing,
		Identity:      []ping.MetaField{ping.DocumentID},
		PartitionKeys: []string{"submission_date"}, DashedDays: true,
		Checks: []schema.Check{{
			Name: "one_per_ping", Kind: schema.OnePerPing, Key: []string{"document_id"}, Field: ping.DocumentID,
			Rule: "every " + p.Name + " ping of the day that the table takes has one row, and every row is of such a ping",
		}},
	}
	t.Columns = headColumns()
	if p.InfoSection {
		t.Columns = append(t.Columns, versionColumns()...)
	}
	t.Columns = append(t.Columns, metadataColumn())
	if p.InfoSection {
		t.Columns = append(t.Columns, clientInfoColumn(p.ClientID), pingInfoColumn())
	}
	if metrics, any := a.metricsColumn(p.Name); any && !p.Generic {
		t.Columns = append(t.Columns, metrics)
	}
	if events, any := a.eventsOf(p.Name); any && !p.Generic {
		c := eventsColumn()
		c.Events = events
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, restColumn(), dayColumn())
	return t
}

func pingDoc(a *Application, p *Ping) string {
	doc := fmt.Sprintf("Pings %s of %s.", p.Name, a.ID)
	if p.Description != "" {
		doc += " " + oneLine(p.Description)
	}
	return doc
}

// metricsColumn returns the column of the metrics of a ping: a struct for each metric type, with a member for each
// metric. any reports whether there is one.
func (a *Application) metricsColumn(ping string) (c schema.Column, any bool) {
	byType := map[string][]schema.Field{}
	for _, m := range a.Metrics {
		if m.Type == Event || !m.in(ping) || !a.hasColumn(ping, m) {
			continue
		}
		field := schema.Field{Name: m.column(), Type: columnTypes[m.Type], Source: m.ID, ID: m.Type == "uuid", Doc: oneLine(m.Description),
			Metric: m.entry()}
		if m.Type == "object" {
			field.Rule = RuleJSON
		}
		byType[m.Type] = append(byType[m.Type], field)
		if m.Type == "datetime" {
			byType[m.Type] = append(byType[m.Type], schema.Field{Name: "raw_" + field.Name, Type: schema.MustType("string"),
				Source: m.ID, Rule: RuleRaw, Doc: oneLine(m.Description)})
		}
	}
	types := make([]schema.Field, 0, len(byType))
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		slices.SortFunc(byType[typ], func(a, b schema.Field) int {
			if a.Name < b.Name {
				return -1
			}
			return 1
		})
		types = append(types, schema.Field{Name: typ, Type: present(byType[typ]...), Doc: "Metrics of type " + typ})
	}
	return schema.Column{Name: Metrics, Type: present(types...), Source: Metrics, Rule: schema.RuleFunc, Doc: "Metrics by type"},
		len(types) > 0
}

// eventsOf returns the definitions of the events of a ping that have an id. any reports whether the ping has events.
func (a *Application) eventsOf(ping string) (events []*metric.Definition, any bool) {
	for _, m := range a.Metrics {
		if m.Type != Event || !m.in(ping) {
			continue
		}
		if any = true; m.ID != "" {
			events = append(events, m.entry())
		}
	}
	return events, any
}

// hasColumn reports whether a metric gets a column of a ping: all do, but for those that the settings leave out of the
// metrics ping.
func (a *Application) hasColumn(ping string, m *Metric) bool {
	return ping != "metrics" || a.Columns == nil || slices.Contains(a.Columns, m.ID) || slices.Contains(a.Columns, m.column())
}
