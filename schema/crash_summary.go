package schema

import "github.com/pingmill/pingmill/ping"

// CrashSummary returns the table of crash pings.
func CrashSummary() *Table {
	return &Table{
		Name: "crash_summary", Dir: "crash_summary", Version: "v1",
		Doc:     "Crash pings of the desktop browser: build, system, experiments and crash metadata.",
		Grain:   "crash ping",
		Refresh: "daily, shortly after midnight UTC",
		Use:     "Crashes of the desktop browser by build, system, graphics and experiment, and counts of them over time.",
		Notes: []string{
			"It was the main process if payload.processType is null or main.",
			"It has a part of the ping only.",
			"Its days are written 2018-03-01.",
		},
		DocType: "crash", Namespace: ping.Telemetry, DocVersion: "4", Apps: DesktopApps, DashedDays: true,
		PartitionKeys: []string{"submission_date"},
		Columns: []Column{
			identity(col("client_id", "string", "clientId", "Id of the client (a browser profile)")),
			col("normalized_channel", "string", "meta/normalizedChannel", "release, esr, beta, aurora, nightly or Other"),
			col("build_version", "string", "environment/build/version", "Version of the build"),
			col("build_id", "string", "environment/build/buildId", "Build id"),
			col("channel", "string", "application/channel", "Update channel as the client names it"),
			col("application", "string", "application/name", "Application name"),
			col("os_name", "string", "environment/system/os/name", "Operating system"),
			col("os_version", "string", "environment/system/os/version", "Version of the operating system"),
			col("architecture", "string", "application/architecture", "Architecture of the application"),
			col("country", "string", "meta/geoCountry", "ISO country of the sender; ?? when unknown"),
			computed("experiment_id", "string", "environment/addons/activeExperiment/id", "Running Telemetry experiment, if its branch is known"),
			computed("experiment_branch", "string", "environment/addons/activeExperiment/branch",
				"Branch of the running experiment, if its id is known"),
			computed("experiments", "map<string,string>", "environment/experiments", "Branch by running experiment; empty when none"),
			col("e10s_enabled", "boolean", "environment/settings/e10sEnabled", "Several processes in use"),
			col("gfx_compositor", "string", "environment/system/gfx/features/compositor", "Compositor in use"),
			col("profile_created", "int", "environment/profile/creationDate", "Day the profile was created, days since epoch"),
			computed("payload", "struct<crashDate:string,processType:string,hasCrashEnvironment:boolean,metadata:map<string,string>,version:int>",
				"payload", "The crash: processType null or main is a crash of the main process"),
			partition("submission_date", "meta/submissionDate", "UTC day the ping arrived, YYYY-MM-DD"),
		},
		Checks: []Check{{
			Name: "one_per_ping", Kind: AsManyAsPings, Key: []string{"client_id"}, Field: ping.ClientID,
			Rule: "there are as many rows as crash pings of the day that the table takes",
		}},
	}
}
