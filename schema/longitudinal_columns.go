package schema

// longitudinalFixed returns the columns of longitudinal that no probe definition decides on, in their order.
func longitudinalFixed() []Column {
	return []Column{
		required(ruled("client_id", "string", "meta/clientId", RuleFunc, "Id of the client (a browser profile)")),
		ruled("os", "string", "meta/os", RuleFunc, "Operating system, of the newest ping that has one"),
		ruled("normalized_channel", "string", "meta/normalizedChannel", RuleFunc, "Channel, of the newest ping that has one"),
		eachMeta("submission_date", "string", "meta/submissionDate", "UTC days the pings arrived, YYYY-MM-DDT00:00:00.000Z"),
		eachMeta("sample_id", "double", "meta/sampleId", "crc32 of the client id modulo 100"),
		eachMeta("size", "double", "meta/Size", "Size of the submission, if the ingestion records it"),
		eachMeta("geo_country", "string", "meta/geoCountry", "ISO country of the sender; ?? when unknown"),
		eachMeta("geo_city", "string", "meta/geoCity", "City of the sender; ?? when unknown"),
		eachMeta("dnt_header", "string", "meta/DNT", "DNT header of the submission"),
		each("async_plugin_init", "boolean", "payload/info/asyncPluginInit", "Plugins were started asynchronously"),
		never("flash_version", "string"),
		each("previous_build_id", "string", "payload/info/previousBuildId", "Build id before the update"),
		each("previous_session_id", "string", "payload/info/previousSessionId", "Id of the session before"),
		each("previous_subsession_id", "string", "payload/info/previousSubsessionId", "Id of the subsession before"),
		each("profile_subsession_counter", "int", "payload/info/profileSubsessionCounter", "Number of the subsession in the profile"),
		eachDate("profile_creation_date", "environment/profile/creationDate", "Day the profile was created"),
		eachDate("profile_reset_date", "environment/profile/resetDate", "Day the profile was reset"),
		each("reason", "string", "payload/info/reason", "Why the ping was sent"),
		each("revision", "string", "payload/info/revision", "Revision of the source of the build"),
		each("session_id", "string", "payload/info/sessionId", "Id of the session"),
		each("session_length", "long", "payload/info/sessionLength", "Length of the session so far, seconds"),
		eachDate("session_start_date", "payload/info/sessionStartDate", "Start of the session, by the client's clock"),
		each("subsession_counter", "int", "payload/info/subsessionCounter", "Number of the subsession in the session"),
		each("subsession_id", "string", "payload/info/subsessionId", "Id of the subsession"),
		each("subsession_length", "long", "payload/info/subsessionLength", "Length of the subsession, seconds"),
		eachDate("subsession_start_date", "payload/info/subsessionStartDate", "Start of the subsession, by the client's clock"),
		each("timezone_offset", "int", "payload/info/timezoneOffset", "Offset of the client's zone, minutes"),
		each("build", longBuild, "environment/build", "The build"),
		each("partner", longPartner, "environment/partner", "Distribution and partner"),
		each("settings", longSettings, "environment/settings", "Settings, with the user preferences that telemetry records"),
		each("system", "struct<memory_mb:int,virtual_max_mb:string,is_wow64:boolean>", "environment/system",
			"Memory, and whether 32 bits run on 64"),
		each("system_cpu", longCPU, "environment/system/cpu", "The processor"),
		each("system_device", "struct<model:string,manufacturer:string,hardware:string,is_tablet:boolean>", "environment/system/device",
			"The device"),
		each("system_os", longOS, "environment/system/os", "The operating system"),
		each("system_hdd", "struct<profile:"+longDisk+",binary:"+longDisk+",system:"+longDisk+">", "environment/system/hdd",
			"The disks of profile, program and system"),
		each("system_gfx", longGraphics, "environment/system/gfx", "Graphics: adapters and monitors"),
		each("active_addons", "map<string,"+longAddon+">", "environment/addons/activeAddons", "Active add-ons by id"),
		each("theme", longTheme, "environment/addons/theme", "The theme"),
		each("active_plugins", "array<"+longPlugin+">", "environment/addons/activePlugins", "Active plugins"),
		each("active_gmp_plugins", "map<string,struct<version:string,user_disabled:boolean,apply_background_updates:int>>",
			"environment/addons/activeGMPlugins", "Gecko media plugins by id"),
		each("active_experiment", "struct<id:string,branch:string>", "environment/addons/activeExperiment", "Running Telemetry experiment"),
		each("persona", "string", "environment/addons/persona", "Id of the lightweight theme"),
		never("thread_hang_activity", "map<string,"+longCounts+">"),
		never("thread_hang_stacks", "map<string,map<string,"+longCounts+">>"),
		each("simple_measurements", longSimple, "payload/simpleMeasurements", "Times of startup, of the session and the like"),
	}
}

// Types of the nested columns.
const (
	longCounts = "struct<values:array<int>,sum:long>"
	longBuild  = "struct<application_id:string,application_name:string,architecture:string,architectures_in_binary:string,build_id:string," +
		"version:string,vendor:string,platform_version:string,xpcom_abi:string,hotfix_version:string>"
	longPartner = "struct<distribution_id:string,distribution_version:string,partner_id:string,distributor:string," +
		"distributor_channel:string,partner_names:array<string>>"
	longSettings = "struct<addon_compatibility_check_enabled:boolean,blocklist_enabled:boolean,is_default_browser:boolean," +
		"default_search_engine:string,default_search_engine_data:struct<name:string,load_path:string,submission_url:string>," +
		"search_cohort:string,e10s_enabled:boolean,telemetry_enabled:boolean,locale:string," +
		"update:struct<channel:string,enabled:boolean,auto_download:boolean>,user_prefs:map<string,string>>"
	longCPU = "struct<cores:int,count:int,vendor:string,family:int,model:int,stepping:int,l2cache_kb:int,l3cache_kb:int," +
		"extensions:array<string>,speed_mhz:int>"
	longOS = "struct<name:string,version:string,kernel_version:string,service_pack_major:int,service_pack_minor:int," +
		"windows_build_number:int,windows_ubr:int,install_year:int,locale:string>"
	longDisk     = "struct<model:string,revision:string>"
	longGraphics = "struct<d2d_enabled:boolean,d_write_enabled:boolean,adapters:array<struct<description:string,vendor_id:string," +
		"device_id:string,subsys_id:string,ram:int,driver:string,driver_version:string,driver_date:string,gpu_active:boolean>>," +
		"monitors:array<struct<screen_width:int,screen_height:int,refresh_rate:string,pseudo_display:boolean,scale:double>>>"
	longAddon = "struct<blocklisted:boolean,description:string,name:string,user_disabled:boolean,app_disabled:boolean,version:string," +
		"scope:int,type:string,foreign_install:boolean,has_binary_components:boolean,install_day:long,update_day:long," +
		"signed_state:int,is_system:boolean>"
	longTheme = "struct<id:string,blocklisted:boolean,description:string,name:string,user_disabled:boolean,app_disabled:boolean," +
		"version:string,scope:int,foreign_install:boolean,has_binary_components:boolean,install_day:long,update_day:long>"
	longPlugin = "struct<name:string,version:string,description:string,blocklisted:boolean,disabled:boolean,clicktoplay:boolean," +
		"mime_types:array<string>,update_day:long>"
	longSimple = "struct<active_ticks:long,profile_before_change:long,select_profile:long,session_restore_init:long,first_load_uri:long," +
		"uptime:long,total_time:long,saved_pings:long,start:long,startup_session_restore_read_bytes:long,pings_overdue:long," +
		"first_paint:long,shutdown_duration:long,session_restored:long,startup_window_visible_write_bytes:long," +
		"startup_crash_detection_end:long,startup_session_restore_write_bytes:long,startup_crash_detection_begin:long," +
		"startup_interrupted:long,after_profile_locked:long,delayed_startup_started:long,main:long,create_top_level_window:long," +
		"session_restore_initialized:long,maximal_number_of_concurrent_threads:long,startup_window_visible_read_bytes:long>"
)

// each has an element for each ping, read from the source by its type.
func each(name, typ, source, doc string) Column {
	return col(name, "array<"+typ+">", source, doc)
}

// eachMeta has an element for each ping, from its metadata.
func eachMeta(name, typ, source, doc string) Column {
	return ruled(name, "array<"+typ+">", source, RuleFunc, doc)
}

// eachDate has a date for each ping, which the transform writes in its own way.
func eachDate(name, source, doc string) Column {
	return ruled(name, "array<string>", source, RuleFunc, doc)
}

// never returns a column that the original has and does not fill.
func never(name, typ string) Column {
	return ruled(name, "array<"+typ+">", "nothing", RuleFunc, "Always null")
}
