package table

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// wrap puts a text into objects: wrap("a/b", x) is {"a":{"b":x}}.
func wrap(path, inner string) string {
	names := strings.Split(path, "/")
	return `{"` + strings.Join(names, `":{"`) + `":` + inner + strings.Repeat("}", len(names))
}

// within makes cases of one section of a ping.
func within(path string, cases ...pingCase) []pingCase {
	for i := range cases {
		cases[i].body = wrap(path, cases[i].body)
	}
	return cases
}

// A row of main_summary has no value that its ping and metadata do not have,
// but these.
func TestEmptyPing(t *testing.T) {
	p := mainTable(t)
	row := pingRowOf(t, p, usualMeta, `{}`)
	want := map[string]string{
		"document_id": `"d"`, "submission_date": `"20180301"`, "timestamp": `1519862400000000000`, "submission_date_obj": `"20180301"`,
		"ssl_handshake_result_failure": `0`,
		"active_theme": `{"addon_id":"MISSING","app_disabled":null,"blocklisted":null,"foreign_install":null,"has_binary_components":null,` +
			`"install_day":null,` +
			`"is_system":null,"is_web_extension":null,"multiprocess_compatible":null,"name":null,"scope":null,"signed_state":null,"type":null,` +
			`"update_day":null,"user_disabled":null,"version":null}`,
	}
	for _, s := range []string{"boolean", "keyed_boolean", "string", "keyed_string", "uint", "keyed_uint"} {
		want[s+"_addon_scalars"] = `{}`
	}
	for name, got := range row {
		w := "null"
		if strings.Contains(name, "_above_") {
			w = "0"
		}
		if s, ok := want[name]; ok {
			w = s
		}
		if toJSON(got) != w {
			t.Errorf("%s is %s, want %s", name, toJSON(got), w)
		}
	}
}

func TestRowNeedsMetadata(t *testing.T) {
	for meta, want := range map[string]bool{
		usualMeta: true,
		`{"documentId":"","submissionDate":"","timestamp":0}`:             true,
		`{"documentId":1,"submissionDate":20180301,"timestamp":1.5}`:      true,
		`{"submissionDate":"20180301","timestamp":1}`:                     false,
		`{"documentId":null,"submissionDate":"20180301","timestamp":1}`:   false,
		`{"documentId":true,"submissionDate":"20180301","timestamp":1}`:   false,
		`{"documentId":"d","timestamp":1}`:                                false,
		`{"documentId":"d","submissionDate":[],"timestamp":1}`:            false,
		`{"documentId":"d","submissionDate":"20180301"}`:                  false,
		`{"documentId":"d","submissionDate":"20180301","timestamp":"1"}`:  false,
		`{"documentId":"d","submissionDate":"20180301","timestamp":1e20}`: false,
	} {
		var m ping.Meta
		require.NoError(t, m.ParseJSON([]byte(meta)))
		p := mainTable(t)
		out := column.NewBatch(p.Table.Columns)
		ok, err := p.Append(out, &m, []byte(`{}`))
		if err != nil || ok != want || (out.Rows == 1) != want {
			t.Errorf("%s: %v, %v, %d rows", meta, ok, err, out.Rows)
		}
	}
}

// A ping that does not parse has no row and leaves nothing behind.
func TestBrokenPing(t *testing.T) {
	p := mainTable(t)
	out := column.NewBatch(p.Table.Columns)
	var m ping.Meta
	require.NoError(t, m.ParseJSON([]byte(usualMeta)))
	for _, body := range []string{`{"creationDate":"x"}`, ``, `[]`, `null`, `{"environment":{`, `{"creationDate":"y"}`} {
		if ok, err := p.Append(out, &m, []byte(body)); ok != (err == nil) || ok != strings.Contains(body, "creationDate") {
			t.Errorf("%s: %v, %v", body, ok, err)
		}
	}
	rows := rowsOf(t, out)
	if len(rows) != 2 || rows[0]["creation_date"] != "x" || rows[1]["creation_date"] != "y" {
		t.Errorf("%d rows", len(rows))
	}
}

// The metadata of a row is read by rules S and L.
func TestMetaColumns(t *testing.T) {
	p := mainTable(t)
	row := pingRowOf(t, p,
		`{"documentId":12,"submissionDate":"20180301","timestamp":1519862400123456789,"clientId":"c","sampleId":4.0,"appUpdateChannel":"beta-cck-x",
		"normalizedChannel":"beta","normalizedOSVersion":10.0,"geoCountry":"??","geoCity":"","geoSubdivision1":null,"geoSubdivision2":true,"Date":"no date","appName":"Other"}`,
		`{"clientId":"other","application":{"channel":"release","name":"Firefox"},"os":"x"}`)
	checkColumns(t, row,
		`{"document_id":"12","timestamp":1519862400123456789,"client_id":"c","sample_id":"4","channel":"beta-cck-x","normalized_channel":"beta",
		"normalized_os_version":"10.0","country":"??","city":"","geo_subdivision1":null,"geo_subdivision2":null,"client_submission_date":"no date","client_clock_skew":null,
		"app_name":"Firefox","os":null,"submission_date":"20180301","submission_date_obj":"20180301"}`, "meta")
}

// One column of each rule over all kinds of values: S, I, L, B.
func TestPlainRules(t *testing.T) {
	p := mainTable(t)
	for value, want := range map[string]string{
		`"a"`: `"a",null,null,null`, `""`: `"",null,null,null`, `"1"`: `"1",null,null,null`, `"true"`: `"true",null,null,null`,
		`1`: `"1",1,1,null`, `-0`: `"0",0,0,null`, `1.0`: `"1.0",1,1,null`, `-1.9`: `"-1.9",-1,-1,null`, `1e1`: `"10.0",10,10,null`,
		`2147483648`: `"2147483648",null,2147483648,null`, `9223372036854775808`: `"9223372036854775808",null,null,null`,
		`1e19`: `"1.0E19",null,null,null`,
		`true`: `null,null,null,true`, `false`: `null,null,null,false`, `null`: `null,null,null,null`, `[]`: `null,null,null,null`,
		`[1]`: `null,null,null,null`, `{}`: `null,null,null,null`,
	} {
		body := `{"environment":{"system":{"os":{"name":` + value + `,"installYear":` + value + `},"cpu":{"count":` + value + `},"isWow64":` +
			value + `}}}`
		row := pingRowOf(t, p, usualMeta, body)
		got := toJSON([]any{row["os"], row["cpu_count"], row["install_year"], row["is_wow64"]})
		if got != "["+want+"]" {
			t.Errorf("%s: %s, want [%s]", value, got, want)
		}
	}
}

func TestSecurityProducts(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("environment/system/sec",
		pingCase{`{"antivirus":["a",1,1.5,true,null,{},[],"b",""],"antispyware":[],"firewall":[null,true,["x"]]}`,
			`{"antivirus":["a","1","1.5","b",""],"antispyware":[],"firewall":[]}`},
		pingCase{`{"antivirus":null,"antispyware":"a","firewall":{}}`, `{"antivirus":null,"antispyware":null,"firewall":null}`},
		pingCase{`{"antivirus":1,"antispyware":true}`, `{"antivirus":null,"antispyware":null,"firewall":null}`},
		pingCase{`[]`, `{"antivirus":null}`},
	))
}

func TestAttribution(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("environment/settings/attribution",
		pingCase{`{"source":"s","medium":1,"campaign":true,"other":"o"}`,
			`{"attribution":{"source":"s","medium":"1","campaign":null,"content":null}}`},
		pingCase{`{"content":""}`, `{"attribution":{"source":null,"medium":null,"campaign":null,"content":""}}`},
		pingCase{`{}`, `{"attribution":null}`}, pingCase{`{"source":null,"content":[]}`, `{"attribution":null}`},
		pingCase{`null`, `{"attribution":null}`}, pingCase{`[]`, `{"attribution":null}`}, pingCase{`"s"`, `{"attribution":null}`},
	))
}

func TestExperiments(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("environment/experiments",
		pingCase{`{"a":{"branch":"b"},"c":{},"d":null,"e":{"branch":1},"f":{"branch":true},"g":"h","":{"branch":""},"a\n":{"branch":"\u00e9"}}`,
			`{"experiments":{"a":"b","c":null,"d":null,"e":"1","f":null,"g":null,"":"","a\n":"é"}}`},
		pingCase{`{"a":{"branch":"1"},"a":{"branch":"2"}}`, `{"experiments":{"a":"2"}}`},
		pingCase{`{}`, `{"experiments":null}`}, pingCase{`[]`, `{"experiments":null}`}, pingCase{`null`, `{"experiments":null}`},
		pingCase{`"a"`, `{"experiments":null}`},
	))
}

func TestUserPrefs(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("environment/settings/userPrefs",
		pingCase{`{"dom.ipc.processCount":4,"extensions.allow-non-mpc-extensions":true,"dom.ipc.plugins.sandbox-level.flash":-1,` +
			`"general.config.filename":"f","extensions.legacy.enabled":false}`,
			`{"user_prefs":{"dom_ipc_process_count":4,"extensions_allow_non_mpc_extensions":true},"user_pref_dom_ipc_processcount":4,"user_pref_extensions_allow_non_mpc_extensions":true,
			"user_pref_dom_ipc_plugins_sandbox_level_flash":-1,"user_pref_general_config_filename":"f","user_pref_extensions_legacy_enabled":false,"user_pref_browser_search_widget_innavbar":null}`},
		pingCase{`{"dom.ipc.processCount":4.0,"extensions.allow-non-mpc-extensions":1,"general.config.filename":7,` +
			`"browser.search.widget.inNavBar":"true"}`,
			`{"user_prefs":null,"user_pref_dom_ipc_processcount":null,"user_pref_extensions_allow_non_mpc_extensions":null,` +
				`"user_pref_general_config_filename":null,"user_pref_browser_search_widget_innavbar":null}`},
		pingCase{`{"dom.ipc.processCount":2147483648,"extensions.allow-non-mpc-extensions":false}`,
			`{"user_prefs":{"dom_ipc_process_count":null,"extensions_allow_non_mpc_extensions":false},"user_pref_dom_ipc_processcount":null}`},
		pingCase{`{"dom.ipc.processCount":0}`, `{"user_prefs":{"dom_ipc_process_count":0,"extensions_allow_non_mpc_extensions":null}}`},
		pingCase{`{"dom":{"ipc":{"processCount":4}}}`, `{"user_prefs":null}`}, pingCase{`[]`, `{"user_prefs":null}`},
		pingCase{`null`, `{"user_prefs":null}`},
	))
}

// The clock of the server counts whole seconds; the difference is cut toward zero.
func TestClocks(t *testing.T) {
	p := mainTable(t)
	for _, c := range []struct{ meta, created, want string }{
		{`"Date":"Thu, 01 Mar 2018 00:00:03 GMT","timestamp":1519862400999999999`, `"2018-02-28T23:59:52.676Z"`,
			`{"client_clock_skew":-3,"client_submission_latency":7}`},
		{`"Date":"Wed, 28 Feb 2018 23:59:50 GMT","timestamp":1519862400000000000`, `"2018-03-01T00:00:02.500Z"`,
			`{"client_clock_skew":10,"client_submission_latency":-2}`},
		{`"Date":"Thu, 01 Mar 2018 01:00:00 +0100","timestamp":1519862400000000000`, `"2018-03-01T00:00:00.500Z"`,
			`{"client_clock_skew":0,"client_submission_latency":0}`},
		{`"Date":"Thu, 01 Mar 2018","timestamp":1519862400000000000`, `"2018-03-01"`,
			`{"client_clock_skew":null,"client_submission_latency":null}`},
		{`"Date":20180301,"timestamp":1519862400000000000`, `20180301`, `{"client_clock_skew":null,"client_submission_latency":null}`},
		{`"timestamp":1519862400000000000`, `null`, `{"client_clock_skew":null,"client_submission_latency":null,"creation_date":null}`},
		{`"timestamp":1519862400000000000`, `"2018-03-01T01:00:00+01:00"`,
			`{"client_submission_latency":0,"creation_date":"2018-03-01T01:00:00+01:00"}`},
		{`"timestamp":1519862400000000000`, `"2018\u002d02-28T23:59:59.000Z"`, `{"client_submission_latency":1}`},
		{`"timestamp":1519862400000000000`, `"2018-02-28T23:59:59.999Z"`, `{"client_submission_latency":0}`},
		{`"timestamp":1519862400000000000`, `"2018-03-01T00:00:01.001Z"`, `{"client_submission_latency":-1}`},
	} {
		row := pingRowOf(t, p, `{"documentId":"d","submissionDate":"20180301",`+c.meta+`}`, `{"creationDate":`+c.created+`}`)
		checkColumns(t, row, c.want, c.meta+" "+c.created)
	}
}

func TestFlashVersion(t *testing.T) {
	p := mainTable(t)
	plugin := func(version string) string {
		return `{"name":"Shockwave Flash","version":` + version + `,"disabled":true,"blocklisted":true}`
	}
	list := func(versions ...string) string {
		s := `[{"name":"Other","version":"99"}`
		for _, v := range versions {
			s += `,` + plugin(v)
		}
		return s + `]`
	}
	var cases []pingCase
	for _, c := range []struct{ body, want string }{
		{list(), `null`}, {list(`"28.0.0.137"`), `"28.0.0.137"`}, {list(`"28.0.0.14"`, `"28.0.0.137"`), `"28.0.0.137"`},
		{list(`"28.0.0.137"`, `"28.0.0.14"`), `"28.0.0.137"`},
		{list(`"9"`, `"10"`), `"10"`}, {list(`"28.0"`, `"28.0.0.0"`), `"28.0"`}, {list(`"28.0.0.0"`, `"28.0"`), `"28.0.0.0"`},
		{list(`"28"`, `"28.0.0.1"`), `"28.0.0.1"`},
		{list(`"x"`, `"1"`), `"1"`}, {list(`"1"`, `"x"`), `"1"`}, {list(`"x"`, `"y"`), `"x"`}, {list(`"1..2"`, `"0"`), `"0"`},
		{list(`"1.2.r3"`, `"1"`), `"1"`}, {list(`""`, `"0"`), `"0"`},
		{list(`28`, `"1"`), `"1"`}, {list(`null`, `28.5`), `null`}, {list(`"1"`, `"3"`, `"2"`), `"3"`},
		// Empty parts at the end do not count, others are no numbers.
		{list(`"28.0.0.160"`, `"28.0.0.161."`), `"28.0.0.161."`}, {list(`"28.0.0.161."`, `"28.0.0.160"`), `"28.0.0.161."`},
		{list(`"29"`, `"29.."`), `"29"`},
		{list(`"x"`, `"..."`), `"..."`}, {list(`"0"`, `"..."`), `"0"`}, {list(`"..."`, `"0.0"`), `"..."`}, {list(`"..."`, `"1"`), `"1"`},
		{list(`""`, `"."`), `"."`},
		{list(`".1"`, `"0"`), `"0"`}, {list(`"1 ."`, `"0"`), `"0"`}, {list(`"+2"`, `"1"`), `"+2"`}, {list(`"-1"`, `"."`), `"."`},
		{list(`"2147483648"`, `"1"`), `"1"`}, {list(`"2147483647"`, `"2147483646"`), `"2147483647"`}, {list(`"1.-2147483649"`, `"0"`), `"0"`},
		{`{"a":` + plugin(`"1"`) + `,"b":` + plugin(`"2"`) + `,"c":null,"d":5}`, `"2"`}, {`[null,7,"Shockwave Flash",[],{}]`, `null`},
		{`[{"name":"shockwave flash","version":"1"},{"name":"Shockwave Flash ","version":"2"},{"name":"Shockwave Flash"}]`, `null`},
		{`[{"name":"Shockwave\u0020Flash","version":"\u0031.0"}]`, `"1.0"`}, {`null`, `null`}, {`"Shockwave Flash"`, `null`}, {`{}`, `null`},
	} {
		cases = append(cases, pingCase{wrap("environment/addons/activePlugins", c.body), `{"flash_version":` + c.want + `}`})
	}
	checkPings(t, p, cases)
}
