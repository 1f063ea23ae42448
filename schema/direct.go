package schema

import "github.com/pingmill/pingmill/ping"

// The direct-to-parquet tables: nested columns whose member names are the
// hive-compatible forms of the names in the document (see HiveName).

const (
	buildType   = "struct<application_name:string,architecture:string,version:string,build_id:string,vendor:string,hotfix_version:string>"
	partnerType = "struct<distribution_id:string,distribution_version:string,partner_id:string,distributor:string," +
		"distributor_channel:string,partner_names:array<string>>"
	updateType = "struct<channel:string,enabled:boolean,auto_download:boolean>"
	tailType   = "system:struct<os:struct<name:string,version:string,locale:string>>,profile:struct<creation_date:long>"
	engineType = "struct<name:string,load_path:string,origin:string,submission_url:string>"
	originType = "struct<source:string,medium:string,campaign:string,content:string>"
)

// newProfile returns the table of new-profile pings.
func newProfile() *Table {
	return &Table{
		Name: "telemetry_new_profile_parquet", Dir: "telemetry-new-profile-parquet", Version: "v2", Root: PipelineRoot,
		Doc:     "New-profile pings: sent once in the life of a profile.",
		Grain:   "new-profile ping",
		Refresh: "generated automatically by direct-to-parquet ingestion",
		Use:     "New profiles: how many, from where, and through which campaigns or partners they came.",
		Notes: []string{
			"Rows are visible some seconds after the ping arrived.",
			"It has a part of the ping only, nested as in the ping.",
			"Its partition key is called submission.",
		},
		DocType: "new-profile", Namespace: ping.Telemetry, Direct: true,
		PartitionKeys: []string{"submission"},
		Columns: []Column{
			col("id", "string", "id", "Id of the document"),
			identity(col("client_id", "string", "clientId", "Id of the client (a browser profile)")),
			computed("metadata", "struct<timestamp:long,date:string,normalized_channel:string,geo_country:string,geo_city:string,"+
				"geo_subdivision1:string,geo_subdivision2:string,creation_timestamp:long,x_ping_sender_version:string>",
				"meta", "What ingestion adds: arrival, channel, place"),
			computed("environment", "struct<build:"+buildType+",partner:"+partnerType+
				",settings:struct<is_default_browser:boolean,default_search_engine:string,default_search_engine_data:"+engineType+
				",telemetry_enabled:boolean,locale:string,attribution:"+originType+",update:"+updateType+">,"+tailType+">",
				"environment", "Build, partner, settings, system and profile"),
			computed("payload", "struct<reason:string>", "payload", "Why the ping was sent"),
			partition("submission", "meta/submissionDate", "UTC day the ping arrived, YYYYMMDD"),
		},
		Checks: []Check{{
			Name: "one_per_ping", Kind: AsManyAsPings, Key: []string{"id"}, Field: ping.DocumentID,
			Rule: "there are as many rows as new-profile pings of the day",
		}},
	}
}

// updates returns the table of update pings.
func updates() *Table {
	return &Table{
		Name: "telemetry_update_parquet", Dir: "telemetry-update-parquet", Version: "v1", Root: PipelineRoot,
		Doc:     "Update pings: sent when an update is ready and after it was applied.",
		Grain:   "update ping",
		Refresh: "generated automatically by direct-to-parquet ingestion",
		Use:     "How updates reach clients: which builds were ready, and which were applied.",
		Notes: []string{
			"Rows are visible some seconds after the ping arrived.",
			"A client sends a ping when an update is ready, and another once it was applied: payload.reason tells which.",
			"It has a part of the ping only, nested as in the ping.",
		},
		DocType: "update", Namespace: ping.Telemetry, Direct: true,
		PartitionKeys: []string{"submission_date_obj"},
		Columns: []Column{
			col("id", "string", "id", "Id of the document"),
			identity(col("client_id", "string", "clientId", "Id of the client (a browser profile)")),
			computed("metadata", "struct<timestamp:long,date:string,normalized_channel:string,geo_country:string,geo_city:string,"+
				"creation_timestamp:long,x_ping_sender_version:string>", "meta", "What ingestion adds: arrival, channel, place"),
			computed("application", "struct<displayVersion:string>", "application", "Version as shown to the user"),
			computed("environment", "struct<build:"+buildType+",partner:"+partnerType+
				",settings:struct<telemetry_enabled:boolean,locale:string,update:"+updateType+">,"+tailType+">",
				"environment", "Build, partner, settings, system and profile"),
			computed("payload", "struct<reason:string,target_channel:string,target_version:string,target_build_id:string,"+
				"target_display_version:string,previous_channel:string,previous_version:string,previous_build_id:string>",
				"payload", "Reason and the builds before and after"),
			partition("submission_date_obj", "meta/submissionDate", "UTC day the ping arrived, YYYYMMDD"),
		},
		Checks: []Check{{
			Name: "one_per_ping", Kind: AsManyAsPings, Key: []string{"id"}, Field: ping.DocumentID,
			Rule: "there are as many rows as update pings of the day",
		}},
	}
}
