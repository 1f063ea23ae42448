package table

import (
	"strings"
	"testing"
)

const nullEnvironment = `"build":null,"partner":null,"settings":null,"system":null,"profile":null`

func newProfile(t testing.TB) *Pings {
	return pingTable(t, "telemetry_new_profile_parquet", defaultProbes(t))
}
func update(t testing.TB) *Pings { return pingTable(t, "telemetry_update_parquet", defaultProbes(t)) }

func TestNewProfile(t *testing.T) {
	meta :=
		`{"documentId":"not this","clientId":"nor this","submissionDate":"20180301","timestamp":1519862400123456789,"Date":"Thu","normalizedChannel":"beta","geoCountry":"??","geoCity":"",
		"geoSubdivision1":"BE","creationTimestamp":1519862390000000000,"X-PingSender-Version":"1.0"}`
	row := pingRowOf(t, newProfile(t), meta, `{"id":"i","clientId":"c","payload":{"reason":"startup","other":1},"environment":{
		"build":{"applicationName":"Firefox","architecture":"x86","version":"58.0","buildId":20180118,"vendor":"Mozilla","hotfixVersion":null,"xpcomAbi":"no"},
		"partner":{"distributionId":"d","distributionVersion":1.0,"partnerId":"p","distributor":"q","distributorChannel":"r","partnerNames":["a",null,1,true]},
		"settings":{"isDefaultBrowser":true,"defaultSearchEngine":"google","defaultSearchEngineData":{"name":"G","loadPath":"l","origin":"o","submissionURL":"u"},
			"telemetryEnabled":false,"locale":"de","attribution":{"source":"s"},"update":{"channel":"beta","enabled":true,"autoDownload":false}},
		"system":{"os":{"name":"Linux","version":4,"locale":"de"}},"profile":{"creationDate":17000.9}}}`)
	checkColumns(t, row, `{"id":"i","client_id":"c","submission":"20180301","payload":{"reason":"startup"},
		"metadata":{"timestamp":1519862400123456789,"date":"Thu","normalized_channel":"beta","geo_country":"??","geo_city":"","geo_subdivision1":"BE","geo_subdivision2":null,
			"creation_timestamp":1519862390000000000,"x_ping_sender_version":"1.0"},
		"environment":{"build":{"application_name":"Firefox","architecture":"x86","version":"58.0","build_id":"20180118","vendor":"Mozilla","hotfix_version":null},
			"partner":{"distribution_id":"d","distribution_version":"1.0","partner_id":"p","distributor":"q","distributor_channel":"r","partner_names":["a",null,"1",null]},
			"settings":{"is_default_browser":true,"default_search_engine":"google","default_search_engine_data":{"name":"G","load_path":"l","origin":"o","submission_url":"u"},
				"telemetry_enabled":false,"locale":"de","attribution":{"source":"s","medium":null,"campaign":null,"content":null},"update":{"channel":"beta","enabled":true,"auto_download":false}},
			"system":{"os":{"name":"Linux","version":"4","locale":"de"}},"profile":{"creation_date":17000}}}`, "full")
	checkColumns(t, pingRowOf(t, newProfile(t), `{}`, `{}`), `{"id":null,"client_id":null,"environment":null,"payload":null,"submission":null,
		"metadata":{"timestamp":null,"date":null,"normalized_channel":null,"geo_country":null,"geo_city":null,"geo_subdivision1":null,"geo_subdivision2":null,"creation_timestamp":null,"x_ping_sender_version":null}}`, "empty")
}

func TestUpdate(t *testing.T) {
	row := pingRowOf(t, update(t), `{"submissionDate":"20180301","timestamp":1,"geoSubdivision1":"BE"}`,
		`{"id":1,"clientId":"c","application":{"displayVersion":"58.0","version":"x"},
		"payload":{"reason":"ready","targetChannel":"beta","targetVersion":"59.0","targetBuildId":20180201,"targetDisplayVersion":"59.0b1","previousChannel":null,"previousVersion":true,"previousBuildId":"b"},
		"environment":{"settings":{"telemetryEnabled":true,"locale":"de","update":[],"isDefaultBrowser":true}}}`)
	checkColumns(t, row, `{"id":"1","client_id":"c","application":{"displayVersion":"58.0"},"submission_date_obj":"20180301",
		"payload":{"reason":"ready","target_channel":"beta","target_version":"59.0","target_build_id":"20180201","target_display_version":"59.0b1","previous_channel":null,"previous_version":null,"previous_build_id":"b"},
		"metadata":{"timestamp":1,"date":null,"normalized_channel":null,"geo_country":null,"geo_city":null,"creation_timestamp":null,"x_ping_sender_version":null},
		"environment":{"build":null,"partner":null,"settings":{"telemetry_enabled":true,"locale":"de","update":{"channel":null,"enabled":null,"auto_download":null}},"system":null,"profile":null}}`, "update")
	checkPings(t, update(t), []pingCase{
		{`{"application":{"display_version":"1"}}`, `{"application":{"displayVersion":null}}`},
		{`{"application":{"DisplayVersion":"1"}}`, `{"application":{"displayVersion":null}}`},
		{`{"application":[]}`, `{"application":{"displayVersion":null}}`}, {`{"application":["58.0"]}`, `{"application":null}`},
		{`{"application":"58.0"}`, `{"application":null}`},
	})
}

// A missing, null or wrong-typed group is null, an empty one a struct of nulls.
func TestDirectGroups(t *testing.T) {
	for _, c := range []struct{ value, environment, system, names string }{
		{`{}`, `{` + nullEnvironment + `}`, `{"os":null}`, `[]`}, {`[]`, `{` + nullEnvironment + `}`, `{"os":null}`, `[]`},
		{`[ ]`, `{` + nullEnvironment + `}`, `{"os":null}`, `[]`},
		{`null`, `null`, `null`, `null`}, {`"x"`, `null`, `null`, `null`}, {`5`, `null`, `null`, `null`}, {`true`, `null`, `null`, `null`},
		{`[{}]`, `null`, `null`, `[null]`}, {`["x"]`, `null`, `null`, `["x"]`},
		{`[null,1.50,[],{},""]`, `null`, `null`, `[null,"1.5",null,null,""]`},
	} {
		for _, p := range []*Pings{newProfile(t), update(t)} {
			names := `{"distribution_id":null,"distribution_version":null,"partner_id":null,"distributor":null,"distributor_channel":null,` +
				`"partner_names":` + c.names + `}`
			checkPings(t, p, []pingCase{
				{wrap("environment", c.value), `{"environment":` + c.environment + `}`},
				{wrap("environment/system", c.value),
					`{"environment":` + strings.Replace(`{`+nullEnvironment+`}`, `"system":null`, `"system":`+c.system, 1) + `}`},
				{wrap("environment/partner/partnerNames", c.value),
					`{"environment":` + strings.Replace(`{`+nullEnvironment+`}`, `"partner":null`, `"partner":`+names, 1) + `}`},
			})
		}
	}
	checkPings(t, newProfile(t), []pingCase{{`{"environment":{"partner":{"partnerNames":{"a":1}}}}`,
		`{"environment":{"build":null,"partner":{"distribution_id":null,"distribution_version":null,"partner_id":null,"distributor":null,` +
			`"distributor_channel":null,"partner_names":null},"settings":null,"system":null,"profile":null}}`}})
}

// Members are read by the rules of their types (D2).
func TestDirectWrongTypes(t *testing.T) {
	p := newProfile(t)
	for value, want := range map[string]string{ // S, L, B
		`"1"`: `"1",null,null`, `10`: `"10",10,null`, `-1.5`: `"-1.5",-1,null`, `1e3`: `"1000.0",1000,null`,
		`9223372036854775808`: `"9223372036854775808",null,null`,
		`true`:                `null,null,true`, `null`: `null,null,null`, `[]`: `null,null,null`, `{}`: `null,null,null`,
		`["a"]`: `null,null,null`,
	} {
		row := pingRowOf(t, p, usualMeta,
			`{"id":`+value+`,"environment":{"build":{"vendor":`+value+`},"settings":{"telemetryEnabled":`+value+`},"profile":{"creationDate":`+value+
				`}}}`)
		e := row["environment"].(map[string]any)
		at := func(group, name string) any { return e[group].(map[string]any)[name] }
		got := toJSON([]any{at("build", "vendor"), at("profile", "creation_date"), at("settings", "telemetry_enabled")})
		if got != "["+want+"]" || toJSON(row["id"]) != strings.Split(want, ",")[0] {
			t.Errorf("%s: %s and id %s, want %s", value, got, toJSON(row["id"]), want)
		}
	}
}

// Names of the document count in their hive-compatible form; the last of several
// wins.
func TestDirectNames(t *testing.T) {
	for _, c := range []struct{ members, buildID string }{
		{`"buildId":"a"`, `"a"`}, {`"build_id":"a"`, `"a"`}, {`"BuildId":"a"`, `"a"`}, {`"build-id":"a"`, `"a"`}, {`"build\u0049d":"a"`, `"a"`},
		{`"buildID":"a"`, `"a"`},
		{`"buildid":"a"`, `null`}, {`"build id":"a"`, `"a"`}, {`"BUILD_ID":"a"`, `"a"`}, {`"build__id":"a"`, `null`},
		{`"buildId":"a","buildId":"b"`, `"b"`}, {`"buildId":"a","build_id":"b"`, `"b"`},
		{`"build_id":"b","buildId":null`, `null`},
	} {
		row := pingRowOf(t, newProfile(t), usualMeta, `{"environment":{"build":{`+c.members+`}}}`)
		build := row["environment"].(map[string]any)["build"].(map[string]any)
		if got := toJSON(build["build_id"]); got != c.buildID {
			t.Errorf("%s: %s, want %s", c.members, got, c.buildID)
		}
	}
}
