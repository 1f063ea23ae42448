package table

import (
	"strings"
	"testing"
)

func TestCrashSummary(t *testing.T) {
	p := pingTable(t, "crash_summary", defaultProbes(t))
	const meta = `{"documentId":"d","submissionDate":"20180301","timestamp":1,"normalizedChannel":"release","geoCountry":"??",` +
		`"clientId":"not this"}`
	row := pingRowOf(t, p, meta, `{"clientId":"c","application":{"channel":"esr","name":"Firefox","architecture":"x86"},
		"environment":{"build":{"version":"58.0","buildId":20180118215408},"system":{"os":{"name":"Windows_NT","version":13},"gfx":{"features":{"compositor":"d3d11"}}},
			"settings":{"e10sEnabled":true},"profile":{"creationDate":17000.5},"addons":{"activeExperiment":{"id":"i","branch":"b"}},"experiments":{"e":{"branch":"f"},"g":{},"h":null}},
		"payload":{"crashDate":"2018-03-01","processType":"main","hasCrashEnvironment":true,"metadata":{"a":"b","n":1,"f":1.5,"x":null},"version":1,"other":5}}`)
	checkColumns(t, row,
		`{"client_id":"c","normalized_channel":"release","build_version":"58.0","build_id":"20180118215408","channel":"esr","application":"Firefox","os_name":"Windows_NT","os_version":"13",
		"architecture":"x86","country":"??","experiment_id":"i","experiment_branch":"b","experiments":{"e":"f","g":null,"h":null},"e10s_enabled":true,"gfx_compositor":"d3d11","profile_created":17000,
		"payload":{"crashDate":"2018-03-01","processType":"main","hasCrashEnvironment":true,"metadata":{"a":"b","n":"1","f":"1.5","x":null},"version":1},"submission_date":"2018-03-01"}`, "full")
	for name, got := range pingRowOf(t, p, `{}`, `{}`) {
		if want := map[bool]string{true: `{}`, false: `null`}[name == "experiments"]; toJSON(got) != want {
			t.Errorf("%s of an empty ping is %s, want %s", name, toJSON(got), want)
		}
	}
}

// Wrong types are null and keep the row (D2).
func TestCrashWrongTypes(t *testing.T) {
	p := pingTable(t, "crash_summary", defaultProbes(t))
	for value, want := range map[string]string{ // S, B, I
		`"1"`: `"1",null,null`, `10`: `"10",null,10`, `1.5`: `"1.5",null,1`, `true`: `null,true,null`, `null`: `null,null,null`,
		`[]`: `null,null,null`, `{}`: `null,null,null`, `[1]`: `null,null,null`, `2147483648`: `"2147483648",null,null`,
	} {
		body := strings.ReplaceAll(
			`{"clientId":V,"application":{"name":V,"channel":V,"architecture":V},"environment":{"build":{"version":V,"buildId":V},"system":{"os":{"name":V,"version":V},
			"gfx":{"features":{"compositor":V}}},"settings":{"e10sEnabled":V},"profile":{"creationDate":V},"experiments":{"x":{"branch":V}}},
			"payload":{"crashDate":V,"processType":V,"hasCrashEnvironment":V,"version":V,"metadata":{"m":V}}}`, "V", value)
		w := strings.Split(want, ",")
		s, b, i := w[0], w[1], w[2]
		wants := `{"experiments":{"x":` + s + `},"e10s_enabled":` + b + `,"profile_created":` + i +
			`,"payload":{"crashDate":` + s + `,"processType":` + s + `,"hasCrashEnvironment":` + b + `,"version":` + i + `,"metadata":{"m":` + s +
			`}}`
		for _, name := range []string{"client_id", "application", "channel", "architecture", "build_version", "build_id", "os_name", "os_version",
			"gfx_compositor"} {
			wants += `,"` + name + `":` + s
		}
		checkColumns(t, pingRowOf(t, p, usualMeta, body), wants+"}", value)
		if value[0] != '{' { // no section has the right type
			body := strings.ReplaceAll(`{"application":V,"environment":V,"payload":V}`, "V", value)
			checkColumns(t, pingRowOf(t, p, usualMeta, body), `{"application":null,"experiments":{},"payload":null,"os_name":null}`, body)
			body = strings.ReplaceAll(`{"environment":{"experiments":V,"addons":{"activeExperiment":V}},"payload":{"metadata":V}}`, "V", value)
			checkColumns(t, pingRowOf(t, p, usualMeta, body), `{"experiments":{},"experiment_id":null,"experiment_branch":null,
				"payload":{"crashDate":null,"processType":null,"hasCrashEnvironment":null,"metadata":null,"version":null}}`, body)
		}
	}
}

func TestCrashExperiment(t *testing.T) {
	p := pingTable(t, "crash_summary", defaultProbes(t))
	null := `{"experiment_id":null,"experiment_branch":null}`
	checkPings(t, p, within("environment/addons/activeExperiment",
		pingCase{`{"id":"i","branch":"b"}`, `{"experiment_id":"i","experiment_branch":"b"}`},
		pingCase{`{"id":1,"branch":""}`, `{"experiment_id":"1","experiment_branch":""}`},
		pingCase{`{"id":"i"}`, null}, pingCase{`{"branch":"b"}`, null}, pingCase{`{}`, null}, pingCase{`null`, null},
		pingCase{`{"id":"i","branch":null}`, `{"experiment_id":"i","experiment_branch":null}`},
		pingCase{`{"id":null,"branch":"ab"}`, `{"experiment_id":null,"experiment_branch":"ab"}`},
		pingCase{`{"id":null,"branch":null}`, null}, pingCase{`{"id":"i","branch":{}}`, null}, pingCase{`{"id":true,"branch":"b"}`, null},
	))
	checkPings(t, p, within("payload",
		pingCase{`{}`, `{"payload":{"crashDate":null,"processType":null,"hasCrashEnvironment":null,"metadata":null,"version":null}}`},
		pingCase{`{"metadata":{}}`, `{"payload":{"crashDate":null,"processType":null,"hasCrashEnvironment":null,"metadata":{},"version":null}}`},
		pingCase{`{"metadata":{"a":1,"b":{},"a":true,"\u0000":""}}`, `{"payload":{"crashDate":null,"processType":null,` +
			`"hasCrashEnvironment":null,"metadata":{"b":null,"a":null,"\u0000":""},"version":null}}`},
	))
}

// A day that is no day gives no partition value.
func TestCrashDay(t *testing.T) {
	p := pingTable(t, "crash_summary", defaultProbes(t))
	for meta, want := range map[string]string{`{"submissionDate":"20180301"}`: `"2018-03-01"`, `{"submissionDate":"2018-03-01"}`: `null`,
		`{"timestamp":1}`: `null`, `{"submissionDate":null}`: `null`} {
		checkColumns(t, pingRowOf(t, p, meta, `{}`), `{"submission_date":`+want+`}`, meta)
	}
}
