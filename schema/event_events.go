package schema

import "github.com/pingmill/pingmill/ping"

// eventEvents returns the table of the events in event pings, which browsers send since the middle of 2018.
func eventEvents() *Table {
	return &Table{
		Name: "event_events", Dir: "event_events", Version: "v1",
		Doc:     "Events of event pings, one row for each: what users did in the browser, and when.",
		Grain:   "event in an event ping",
		Refresh: "daily, shortly after midnight UTC",
		Use: "Uses of single features, and steps that follow each other, of browsers since the middle of 2018. Older ones have events " +
			"in main_summary.",
		Notes: []string{
			"A ping has any number of rows. Events that are not well-formed have none.",
			"event_timestamp counts from the start of the browser's process; session_start_time is that start, to the minute, by the client's " +
				"clock.",
			"The same document may be there more than once: count by document_id where that matters.",
		},
		DocType: "event", Namespace: ping.Telemetry, DocVersion: "4", Apps: DesktopApps, Made: PerEvent, Reach: Reach{Sparse: true},
		Identity:      []ping.MetaField{ping.DocumentID},
		PartitionKeys: []string{"submission_date_obj"},
		Columns: []Column{
			required(col("document_id", "string", "meta/documentId", "Document id of the submission; not de-duplicated")),
			identity(col("client_id", "string", "meta/clientId", "Id of the client (a browser profile)")),
			col("sample_id", "string", "meta/sampleId", "crc32 of the client id modulo 100, as text"),
			col("profile_group_id", "string", "profileGroupId", "Id of the group of profiles"),
			col("timestamp", "long", "meta/timestamp", "Arrival at the server, ns since epoch"),
			col("creation_date", "string", "creationDate", "When the client made the ping, ISO 8601 UTC"),
			col("normalized_channel", "string", "meta/normalizedChannel", "release, esr, beta, aurora, nightly or Other"),
			col("normalized_os_version", "string", "meta/normalizedOSVersion", "Leading numbers of the OS version"),
			col("country", "string", "meta/geoCountry", "ISO country of the sender; ?? when unknown"),
			col("city", "string", "meta/geoCity", "City of the sender; ?? when unknown or small"),
			col("geo_subdivision1", "string", "meta/geoSubdivision1", "First subdivision of the country"),
			col("app_name", "string", "application/name", "Application name"),
			col("app_version", "string", "application/version", "Application version"),
			col("app_display_version", "string", "application/displayVersion", "Version as shown to the user"),
			col("app_build_id", "string", "application/buildId", "Build id of the application"),
			col("app_architecture", "string", "application/architecture", "Architecture of the application"),
			col("channel", "string", "application/channel", "Update channel as the client names it"),
			col("os", "string", "environment/system/os/name", "Operating system"),
			col("os_version", "string", "environment/system/os/version", "Version of the operating system"),
			col("locale", "string", "environment/settings/locale", "Locale of the browser"),
			computed("experiments", "map<string,string>", "environment/experiments", "Branch by running experiment"),
			col("session_id", "string", "payload/sessionId", "Id of the session"),
			col("subsession_id", "string", "payload/subsessionId", "Id of the subsession"),
			computed("session_start_time", "timestamp", "payload/processStartTimestamp", "Start of the browser's process by the client's clock"),
			col("reason", "string", "payload/reason", "Why the ping was sent"),
			required(computed("event_timestamp", "long", "payload/events", "When the event happened, ms since the start of the browser's process")),
			required(computed("event_category", "string", "payload/events", "Category of the event")),
			required(computed("event_method", "string", "payload/events", "What happened")),
			required(computed("event_object", "string", "payload/events", "To what it happened")),
			computed("event_string_value", "string", "payload/events", "Value of the event"),
			computed("event_map_values", "map<string,string>", "payload/events", "Further values of the event, by name"),
			required(computed("event_process", "string", "payload/events", "Process of the event, such as parent or content")),
			partition("submission_date_obj", "meta/submissionDate", "UTC day the ping arrived, YYYYMMDD"),
		},
		Checks: []Check{{
			Name: "of_pings", Kind: OfPings, Key: []string{"document_id"}, Field: ping.DocumentID,
			Rule: "every row is of an event ping of the day that the table takes",
		}, {
			Name: "required", Kind: NeverNull, Key: []string{"event_category", "event_method", "event_object", "event_process"},
			Rule: "event_category, event_method, event_object and event_process are never null",
		}},
	}
}
