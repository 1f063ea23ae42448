package glean

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Names of the columns that hold parts of a document, which the transforms look for.
const (
	ClientInfo = "client_info"
	PingInfo   = "ping_info"
	Metrics    = "metrics"
	Events     = "events"
	Metadata   = "metadata"
	Rest       = "additional_properties"
)

func text(name, doc string) schema.Field { return typed(name, "string", doc) }

func typed(name, typ, doc string) schema.Field {
	return schema.Field{Name: name, Type: schema.MustType(typ), Doc: doc}
}

// present returns the type of a struct that every row has.
func present(fields ...schema.Field) schema.Type {
	return schema.Type{Kind: schema.Struct, Fields: fields, Present: true}
}

// ids are the columns with an id of a client, by which rows of forgotten clients are found.
var ids = []string{"client_id", "legacy_telemetry_client_id", "usage_profile_id"}

// mentions reports whether texts of the column are as the client sent them: any of them may have an id.
func mentions(c *schema.Column) bool {
	ingested := c.Source == "meta" || strings.HasPrefix(c.Source, "meta/") || strings.HasPrefix(c.Name, "normalized_")
	return c.Type.HasText() && !ingested && c.Name != "submission_date"
}

// defined are the columns whose type the definitions determine: published partitions without a new metric stay as they
// are.
var defined = []string{ClientInfo, Metrics, Events, "extras"}

// marked marks the columns with ids of clients, and those that the definitions determine.
func marked(columns []schema.Column) []schema.Column {
	for i := range columns {
		c := &columns[i]
		c.Probe = slices.Contains(defined, c.Name)
		c.ID, c.Mentions = slices.Contains(ids, c.Name), mentions(c)
	}
	return columns
}

func column(name, typ, source, doc string) schema.Column {
	return schema.Column{Name: name, Type: schema.MustType(typ), Source: source, Rule: schema.RuleFunc, Doc: doc}
}

// headColumns returns the first columns of tables that have rows of pings.
func headColumns() []schema.Column {
	document := column("document_id", "string", "meta/documentId",
		"Document id of the submission: a UUID, the same for every attempt to send the ping")
	document.NotNull = true
	arrival := column("submission_timestamp", "timestamp", "meta/timestamp", "Time of the arrival, UTC")
	return []schema.Column{
		arrival, document,
		column("client_id", "string", "client_info/client_id",
			"Id of the client (a profile of the application), in lower case; null in pings without one"),
		column("sample_id", "long", "client_info/client_id", "Sample of the client: crc32 of the client id modulo 100"),
		column("normalized_app_name", "string", "meta/sourceName", "Name of the application: Firefox, or null"),
		column("normalized_channel", "string", "client_info/app_channel", "Release channel: release, esr, beta, aurora, nightly or Other"),
		column("normalized_os", "string", "client_info/os", "Operating system: Windows, Mac, Linux, iOS, Android or Other"),
		column("normalized_os_version", "string", "client_info/os_version", "Version of the operating system, as far as it is digits and points"),
		column("normalized_country_code", "string", "meta/geoCountry", "ISO code of the sender's country in upper case; null if it is unknown"),
	}
}

func versionColumns() []schema.Column {
	const source = "client_info/app_display_version"
	return []schema.Column{
		column("app_version_major", "long", source, "First number of the application's version"),
		column("app_version_minor", "long", source, "Second number of the application's version"),
		column("app_version_patch", "long", source, "Third number of the application's version"),
	}
}

func metadataColumn() schema.Column {
	geo := present(text("city", "City of the sender"), text("country", "ISO country of the sender"),
		text("subdivision1", "First subdivision of the country"), text("subdivision2", "Second subdivision of the country"))
	header := present(text("date", "Header Date"), text("dnt", "Header DNT"), typed("parsed_date", "timestamp", "Header Date as a time"),
		typed("parsed_x_source_tags", "array<string>", "The tags of header X-Source-Tags"),
		text("x_debug_id", "Header X-Debug-ID: a developer's tag"),
		text("x_pingsender_version", "Header X-PingSender-Version"), text("x_source_tags", "Header X-Source-Tags"),
		text("x_telemetry_agent", "Header X-Telemetry-Agent: the SDK that sent the ping"))
	agent := present(text("browser", "Browser by header User-Agent"), text("os", "Operating system by header User-Agent"),
		text("version", "Major version by header User-Agent"))
	return schema.Column{Name: Metadata, Rule: schema.RuleFunc, Source: "meta", Doc: "What ingestion adds to the ping", Type: present(
		text("document_namespace", "Application id of the submission"), text("document_type", "Document type of the submission: the ping's name"),
		text("document_version", "Version of the submission"), schema.Field{Name: "geo", Type: geo}, schema.Field{Name: "header", Type: header},
		schema.Field{Name: "user_agent", Type: agent})}
}

// clientInfoColumn returns the column of the member client_info. Not all pings have a client id.
func clientInfoColumn(clientID bool) schema.Column {
	fields := []schema.Field{
		text("android_sdk_version", "API level of Android"),
		text("app_build", "Build of the application"),
		text("app_channel", "Release channel of the application"),
		text("app_display_version", "Version of the application as people see it"),
		text("architecture", "Architecture of the processor"),
		typed("attribution", "struct<campaign:string,content:string,medium:string,source:string,term:string>",
			"Where the installation came from"),
		text("build_date", "Time of the build"),
		text("client_id", "Id of the client, in lower case"),
		text("device_manufacturer", "Manufacturer of the device"),
		text("device_model", "Model of the device"),
		typed("distribution", "struct<name:string>", "Distribution of the application"),
		text("first_run_date", "Day of the first run, with the offset of its time zone"),
		text("locale", "Locale of the application"),
		text("os", "Operating system"),
		text("os_version", "Version of the operating system"),
		typed("session_count", "long", "Number of the client's sessions"),
		text("session_id", "Id of the session"),
		text("telemetry_sdk_build", "Version of the SDK"),
		typed("windows_build_number", "long", "Build of Windows"),
	}
	if !clientID {
		fields = slices.DeleteFunc(fields, func(f schema.Field) bool { return f.Name == "client_id" })
	}
	return schema.Column{Name: ClientInfo, Rule: schema.RuleFunc, Source: ClientInfo, Doc: "The client, as the ping has it",
		Type: present(fields...)}
}

// experiments is the type of the experiments of a ping.
const experiments = "map<string,struct<branch:string,extra:struct<enrollment_id:string,type:string>>>"

func pingInfoColumn() schema.Column {
	knobs := text("server_knobs_config", "Remote settings of metrics, as JSON")
	knobs.Rule = RuleJSON
	return schema.Column{Name: PingInfo, Rule: schema.RuleFunc, Source: PingInfo, Doc: "The ping, as it describes itself", Type: present(
		text("end_time", "When the ping was made, in the client's time"), typed("experiments", experiments, "Experiments by id"),
		text("ping_type", "Name of the ping, of old SDKs"), text("reason", "Why the ping was sent"),
		typed("seq", "long", "Number of the ping among those of its type"), knobs,
		text("start_time", "Begin of what the ping measures, in the client's time"),
		typed("parsed_start_time", "timestamp", "start_time in UTC"), typed("parsed_end_time", "timestamp", "end_time in UTC"))}
}

// session is the type of the session of an event.
const session = "struct<event_seq:long,session_id:string,session_sample_rate:double,session_seq:long,session_start_time:string>"

func eventsColumn() schema.Column {
	return schema.Column{Name: Events, Rule: schema.RuleFunc, Source: Events, Doc: "Events in the order of the ping",
		Type: schema.MustType("array<struct<category:string,name:string,timestamp:long,extra:map<string,string>,session:" + session + ">>")}
}

func restColumn() schema.Column {
	return schema.Column{Name: Rest, Type: schema.MustType("string"), Rule: RuleJSON,
		Doc: "All parts of the ping that have no column, as JSON; null if there are none"}
}

func dayColumn() schema.Column {
	return schema.Column{Name: "submission_date", Type: schema.MustType("string"), Source: "meta/timestamp",
		Rule: schema.RulePartition, Doc: "UTC day the ping arrived, YYYY-MM-DD"}
}
