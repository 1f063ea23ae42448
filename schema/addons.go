package schema

// Addons returns the table of add-on entries.
func Addons() *Table {
	return &Table{
		Name: "addons", Dir: "addons", Version: "v2",
		Doc:     "One row for each active add-on of each main ping with a client id.",
		Grain:   "addon entry in a main-ping record; a record whose ping had no active addons yields one row with nulls in all addon fields",
		Refresh: "daily, after the main_summary job has finished",
		Use:     "Which add-ons clients have, in which versions and states.",
		Notes: []string{
			"Every main ping with a client id has a row at least; one without active add-ons has a row with nulls about the add-on.",
			"Pings without a client id have none.",
			"The same document may be there more than once: count by document_id where that matters.",
		},
		Needs:         []string{"main_summary"},
		Requires:      []string{"client_id"},
		PartitionKeys: []string{"submission_date_obj", "sample_id"},
		Columns: []Column{
			copied("document_id"),
			identity(copied("client_id")),
			copied("subsession_start_date"),
			copied("normalized_channel"),
			element("addon_id", "string", "Id of the add-on; null in the row of a ping without add-ons"),
			element("blocklisted", "boolean", "The add-on is on the blocklist"),
			element("name", "string", "Name of the add-on"),
			element("user_disabled", "boolean", "The user has disabled it"),
			element("app_disabled", "boolean", "The application has disabled it"),
			element("version", "string", "Version of the add-on"),
			element("scope", "int", "Where it is installed (a bit mask)"),
			element("type", "string", "Type of the add-on"),
			element("foreign_install", "boolean", "Another program installed it"),
			element("has_binary_components", "boolean", "It has binary components"),
			element("install_day", "int", "Day of installation, days since epoch"),
			element("update_day", "int", "Day of the last update, days since epoch"),
			element("signed_state", "int", "State of its signature"),
			element("is_system", "boolean", "It is part of the browser"),
			copied("submission_date_obj"),
			copied("sample_id"),
		},
		Checks: []Check{{
			Name: "cover", Kind: EveryRow, Key: []string{"document_id", "client_id"},
			Rule: "every main_summary record with a client id has at least one row, and every row is of such a record",
		}},
	}
}

func copied(name string) Column {
	doc := upperFirst(about(name))
	switch name {
	case "submission_date_obj":
		doc = "UTC day the ping arrived, YYYYMMDD"
	case "sample_id":
		doc = "crc32 of the client id modulo 100, as text"
	}
	return ruled(name, "string", name, RuleCopy, doc)
}

func element(name, typ, doc string) Column {
	c := ruled(name, typ, "active_addons", RuleElem, doc)
	c.Arg = name
	return c
}
