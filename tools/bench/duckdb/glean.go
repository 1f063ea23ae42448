package duckdb

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// GleanPing returns the table of a Glean ping as DuckDB SQL: read_ndjson with the exact type of the documents, whose
// members become those of structs. It makes no additional_properties, and of metadata the members that no header has to
// be parsed for.
func GleanPing(t *schema.Table, input, output string) string {
	var exprs []string
	document := &typeTree{}
	for i := range t.Columns {
		c := &t.Columns[i]
		if expr := gleanExpr(c); expr != "" {
			exprs = append(exprs, expr+" AS "+quoted(c.Name))
		}
		if c.Source == c.Name && c.Type.Kind == schema.Struct {
			members(document, c.Type, c.Name)
		}
	}
	document.add("STRUCT(category VARCHAR, \"name\" VARCHAR, \"timestamp\" BIGINT, extra MAP(VARCHAR, VARCHAR))[]", "events")
	const meta = "STRUCT(\"timestamp\" BIGINT, documentId VARCHAR, sampleId BIGINT, sourceName VARCHAR, docType VARCHAR, sourceVersion " +
		"VARCHAR, " +
		"geoCountry VARCHAR, geoCity VARCHAR, geoSubdivision1 VARCHAR, geoSubdivision2 VARCHAR, \"Date\" VARCHAR, DNT VARCHAR, " +
		"\"X-Telemetry-Agent\" VARCHAR)"
	return fmt.Sprintf("COPY (SELECT %s FROM read_ndjson(%s, columns = {meta: %s, ping: %s}, maximum_object_size = 67108864) ORDER BY "+
		"meta.timestamp) "+
		"TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 10000)",
		strings.Join(exprs, ", "), Text(input), Text(meta), Text(document.String()), Text(output))
}

// members adds what a struct is made from to the type of the document.
func members(t *typeTree, typ schema.Type, path ...string) {
	for i := range typ.Fields {
		f := &typ.Fields[i]
		at := append(path[:len(path):len(path)], inDocument(f))
		switch {
		case strings.HasPrefix(f.Name, "parsed_"):
		case f.Type.Kind == schema.Struct && f.Type.Present:
			members(t, f.Type, at...)
		default:
			t.add(documentType(f), at...)
		}
	}
}

// inDocument returns the name of a member in the document.
func inDocument(f *schema.Field) string {
	if f.Source != "" {
		return f.Source
	}
	return f.Name
}

// documentType is DuckDB's type of a member in the document, where times are texts, and JSON is any value.
func documentType(f *schema.Field) string {
	switch {
	case f.Type.Kind == schema.Timestamp:
		return "VARCHAR"
	case f.Rule != schema.RulePath && strings.Contains(string(f.Rule), "json"):
		return "JSON"
	}
	typ, _ := schema.TypeIn("duckdb", f.Type)
	return typ
}

// gleanHead are the expressions of the columns that no member of the document alone makes.
var gleanHead = map[string]string{
	"submission_timestamp": "make_timestamp(meta.timestamp // 1000)",
	"document_id":          "meta.documentId",
	"client_id":            "lower(ping.client_info.client_id)",
	"sample_id":            "meta.sampleId",
	"normalized_app_name":  "CASE WHEN starts_with(meta.sourceName, 'firefox-desktop') THEN 'Firefox' END",
	"normalized_channel": "CASE WHEN ping.client_info.app_channel IN ('release', 'esr', 'beta', 'aurora', 'nightly') THEN " +
		"ping.client_info.app_channel WHEN ping.client_info.app_channel IS NOT NULL THEN 'Other' END",
	"normalized_os": "CASE WHEN starts_with(ping.client_info.os, 'Windows') THEN 'Windows' WHEN " +
		"starts_with(ping.client_info.os, 'Darwin') THEN 'Mac' ELSE ping.client_info.os END",
	"normalized_os_version":   "regexp_extract(ping.client_info.os_version, '^[0-9]+(\\.[0-9]+){0,2}')",
	"normalized_country_code": "nullif(meta.geoCountry, '??')",
	"app_version_major":       "try_cast(split_part(ping.client_info.app_display_version, '.', 1) AS BIGINT)",
	"app_version_minor":       "try_cast(split_part(ping.client_info.app_display_version, '.', 2) AS BIGINT)",
	"app_version_patch":       "try_cast(regexp_extract(ping.client_info.app_display_version, '^[0-9]+\\.[0-9]+\\.([0-9]+)', 1) AS BIGINT)",
	"metadata": "{document_namespace: meta.sourceName, document_type: meta.docType, document_version: meta.sourceVersion, " +
		"geo: {city: nullif(meta.geoCity, '??'), country: nullif(meta.geoCountry, '??'), subdivision1: meta.geoSubdivision1, subdivision2: " +
		"meta.geoSubdivision2}, " +
		"header: {date: meta.\"Date\", dnt: meta.DNT, x_telemetry_agent: meta.\"X-Telemetry-Agent\"}}",
	"events":          "ping.events",
	"submission_date": "strftime(make_timestamp(meta.timestamp // 1000), '%Y-%m-%d')",
}

func gleanExpr(c *schema.Column) string {
	if expr, ok := gleanHead[c.Name]; ok {
		return expr
	}
	if c.Type.Kind != schema.Struct {
		return ""
	}
	return packed(c.Type, "ping."+quoted(c.Name))
}

// packed returns the expression of a struct whose members are at a path of the document.
func packed(typ schema.Type, path string) string {
	var parts []string
	for i := range typ.Fields {
		f := &typ.Fields[i]
		from := path + "." + quoted(inDocument(f))
		switch {
		case strings.HasPrefix(f.Name, "parsed_"):
			from = "try_cast(" + path + "." + quoted(strings.TrimPrefix(f.Name, "parsed_")) + " AS TIMESTAMPTZ)"
		case f.Type.Kind == schema.Timestamp:
			from = "try_cast(" + from + " AS TIMESTAMPTZ)"
		case f.Type.Kind == schema.Struct && f.Type.Present:
			from = packed(f.Type, from)
		}
		parts = append(parts, quoted(f.Name)+": "+from)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
