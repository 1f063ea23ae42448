package table

import (
	"fmt"
	"strings"
	"testing"
)

// addonStruct writes an addon struct with an id and some members; the others are null.
func addonStruct(id, members string) string {
	s := `{"addon_id":` + id
	for _, k := range []string{"blocklisted", "name", "user_disabled", "app_disabled", "version", "scope", "type", "foreign_install",
		"has_binary_components",
		"install_day", "update_day", "signed_state", "is_system", "is_web_extension", "multiprocess_compatible"} {
		if !strings.Contains(members, `"`+k+`"`) {
			s += `,"` + k + `":null`
		}
	}
	if members != "" {
		s += "," + members
	}
	return s + "}"
}

const fullAddon = `{"blocklisted":false,"name":"N","userDisabled":true,"appDisabled":false,"version":"1.0","scope":1,` +
	`"type":"extension","foreignInstall":true,` +
	`"hasBinaryComponents":false,"installDay":17000,"updateDay":17001,"signedState":2,"isSystem":true,"isWebExtension":false,` +
	`"multiprocessCompatible":true,"description":"no"}`

const fullStruct = `"blocklisted":false,"name":"N","user_disabled":true,"app_disabled":false,"version":"1.0","scope":1,` +
	`"type":"extension","foreign_install":true,` +
	`"has_binary_components":false,"install_day":17000,"update_day":17001,"signed_state":2,"is_system":true,"is_web_extension":false,` +
	`"multiprocess_compatible":true`

func TestActiveAddons(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("environment/addons/activeAddons",
		pingCase{`{"x":` + fullAddon + `}`, `{"active_addons_count":1,"active_addons":[` + addonStruct(`"x"`, fullStruct) + `]}`},
		pingCase{`{"x":{"name":1.50,"version":2,"type":true,"blocklisted":1,"userDisabled":"true","appDisabled":null,"foreignInstall":0,` +
			`"scope":2147483648,"installDay":17000.9,"updateDay":"1","signedState":-1,"isSystem":[]}}`,
			`{"active_addons_count":1,"active_addons":[` + addonStruct(`"x"`, `"name":"1.5","version":"2","install_day":17000,"signed_state":-1`) +
				`]}`},
		pingCase{`{"a\"b":{},"\u0000":null,"":[],"n":5}`, `{"active_addons_count":4,"active_addons":[` +
			addonStruct(`"a\"b"`, "") + `,` + addonStruct(`"\u0000"`, "") + `,` + addonStruct(`""`, "") + `,` + addonStruct(`"n"`, "") + `]}`},
		pingCase{`{"x":{"name":"1"},"y":{},"x":{"version":"2"}}`,
			`{"active_addons_count":2,"active_addons":[` + addonStruct(`"y"`, "") + `,` + addonStruct(`"x"`, `"version":"2"`) + `]}`},
		pingCase{`{"x":{"name":"1","name":"2","\u006eame":"3"}}`, `{"active_addons":[` + addonStruct(`"x"`, `"name":"3"`) + `]}`},
		pingCase{`{}`, `{"active_addons_count":0,"active_addons":[]}`},
		pingCase{`[]`, `{"active_addons_count":null,"active_addons":null}`},
		pingCase{`null`, `{"active_addons_count":null,"active_addons":null}`},
		pingCase{`"x"`, `{"active_addons_count":null,"active_addons":null}`},
		pingCase{`[{"x":{}}]`, `{"active_addons_count":null,"active_addons":null}`},
	))
}

func TestDisabledAddons(t *testing.T) {
	p := mainTable(t)
	body := func(xpi, active string) string {
		return `{"payload":{"addonDetails":{"XPI":` + xpi + `}},"environment":{"addons":{"activeAddons":` + active + `}}}`
	}
	checkPings(t, p, []pingCase{
		{body(`{"b":{},"x":null,"a":5}`, `{"x":{}}`), `{"disabled_addons_ids":["b","a"]}`},
		{body(`{"\u0078":{},"a":{}}`, `{"x":{}}`), `{"disabled_addons_ids":["a"]}`},
		{body(`{"x":{}}`, `{"\u0078":null}`), `{"disabled_addons_ids":[]}`},
		{body(`{}`, `{"x":{}}`), `{"disabled_addons_ids":[]}`},
		{body(`{"a":{},"b":{}}`, `[]`), `{"disabled_addons_ids":["a","b"]}`},
		{body(`{"a":{},"b":{}}`, `null`), `{"disabled_addons_ids":["a","b"]}`},
		{body(`[]`, `{}`), `{"disabled_addons_ids":null}`}, {body(`null`, `{}`), `{"disabled_addons_ids":null}`},
		{body(`"a"`, `{}`), `{"disabled_addons_ids":null}`},
		{`{"payload":{"addonDetails":{"XPI":{"a":{}}}}}`, `{"disabled_addons_ids":["a"]}`},
		{`{"payload":{"addonDetails":[]}}`, `{"disabled_addons_ids":null}`},
	})
}

func TestActiveTheme(t *testing.T) {
	p := mainTable(t)
	missing := `{"active_theme":` + addonStruct(`"MISSING"`, "") + `}`
	checkPings(t, p, within("environment/addons/theme",
		pingCase{`{"id":"x",` + fullAddon[1:], `{"active_theme":` + addonStruct(`"x"`, fullStruct) + `}`},
		pingCase{`{"id":5,"name":true}`, `{"active_theme":` + addonStruct(`"5"`, "") + `}`},
		pingCase{`{"id":true,"name":"n"}`, `{"active_theme":` + addonStruct(`"MISSING"`, `"name":"n"`) + `}`},
		pingCase{`{"id":""}`, `{"active_theme":` + addonStruct(`""`, "") + `}`},
		pingCase{`{"id":"\ud83d\ude00"}`, `{"active_theme":` + addonStruct(`"😀"`, "") + `}`},
		pingCase{`{}`, missing}, pingCase{`null`, missing}, pingCase{`[]`, missing}, pingCase{`"x"`, missing}, pingCase{`{"id":null}`, missing},
	))
}

func TestQuantumReady(t *testing.T) {
	p := mainTable(t)
	const ready = `{"id":"{972ce4c6-7e08-4474-a285-3208198ce6fd}"}`
	for _, c := range []struct{ e10s, addons, theme, want string }{
		{`true`, `{}`, ready, `true`}, {`false`, `{}`, ready, `false`},
		{`true`, `{}`, `{"id":"firefox-compact-light@mozilla.org"}`, `true`}, {`true`, `{}`, `{"id":"firefox-compact-dark@mozilla.org"}`, `true`},
		{`true`, `{}`, `{"id":"other"}`, `false`}, {`true`, `{}`, `{"id":17}`, `false`}, {`true`, `{}`, `{"id":""}`, `false`},
		{`true`, `{"a":{"isSystem":true},"b":{"isWebExtension":true},"c":{"isSystem":true,"isWebExtension":false}}`, ready, `true`},
		{`true`, `{"a":{"isSystem":true},"b":{"isSystem":false,"isWebExtension":false}}`, ready, `false`},
		{`true`, `{"a":{}}`, ready, `false`}, {`true`, `{"a":null}`, ready, `false`},
		{`true`, `{"a":{"isSystem":1,"isWebExtension":"true"}}`, ready, `false`},
		{`false`, `{"a":{}}`, `{"id":"other"}`, `false`},
		{`null`, `{}`, ready, `null`}, {`1`, `{}`, ready, `null`}, {`"true"`, `{}`, ready, `null`},
		{`true`, `[]`, ready, `null`}, {`true`, `null`, ready, `null`},
		{`true`, `{}`, `{}`, `null`}, {`true`, `{}`, `null`, `null`}, {`true`, `{}`, `{"id":null}`, `null`},
		{`true`, `{}`, `{"id":"MISSING"}`, `null`}, {`true`, `{}`, `{"id":true}`, `null`},
	} {
		body := fmt.Sprintf(`{"environment":{"settings":{"e10sEnabled":%s},"addons":{"activeAddons":%s,"theme":%s}}}`, c.e10s, c.addons, c.theme)
		checkPings(t, p, []pingCase{{body, `{"quantum_ready":` + c.want + `}`}})
	}
}

// A ping's add-ons are not those of the ping before.
func TestAddonsOfTwoPings(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, []pingCase{
		{wrap("environment/addons/activeAddons", `{"a":{"name":"A"},"b":{"version":"B"}}`), `{"active_addons_count":2}`},
		{wrap("environment/addons/activeAddons", `{"c":{}}`), `{"active_addons":[` + addonStruct(`"c"`, "") + `]}`},
		{`{}`, `{"active_addons":null,"active_addons_count":null}`},
	})
}

func TestEvents(t *testing.T) {
	p := mainTable(t)
	event := func(timestamp, value, m string) string {
		return `{"timestamp":` + timestamp + `,"category":"c","method":"m","object":"o","string_value":` + value + `,"map_values":{` + m + `}}`
	}
	const parent = `"telemetry_process":"parent"`
	var cases []pingCase
	for _, c := range []struct{ events, want string }{
		{`[[1,"c","m","o"]]`, event("1", "null", parent)},
		{`[[1,"c","m","o","v"]]`, event("1", `"v"`, parent)},
		{`[[1,"c","m","o",null,{}]]`, event("1", "null", parent)},
		{`[[-9223372036854775808,"c","m","o","v",{"k":"x"}]]`, event("-9223372036854775808", `"v"`, parent+`,"k":"x"`)},
		{`[[1,"c","m","o","",{"a":null,"b":true,"c":false,"d":1.0,"e":0,"f":"","g":1e7,"h":"\u00e9"}]]`,
			event("1", `""`, parent+`,"a":"null","b":"true","c":"false","d":"1.0","e":"0","f":"","g":"1.0E7","h":"é"`)},
		{`[[1,"c","m","o",null,{"telemetry_process":"mine","k":1}]]`, event("1", "null", `"telemetry_process":"mine","k":"1"`)},
		{`[[1,"c","m","o",null,{"k":1,"k":2}]]`, event("1", "null", parent+`,"k":"2"`)},
		{`[ [ 1 , "c" , "m" , "\u006f" ] ]`, event("1", "null", parent)},
		// Malformed ones are skipped alone (D8).
		{`[[1,"c","m","o"],null,[],{},7,"x",[2,"c","m","o","v"]]`, event("1", "null", parent) + `,` + event("2", `"v"`, parent)},
		{`[[1,"c","m"]]`, ``}, {`[[1,"c","m","o",null]]`, ``}, {`[[1,"c","m","o",5]]`, ``}, {`[[1,"c","m","o",{}]]`, ``},
		{`[[1,"c","m","o",null,null]]`, ``},
		{`[[1,"c","m","o","v",null]]`, ``}, {`[[1,"c","m","o","v",[]]]`, ``}, {`[[1,"c","m","o",5,{}]]`, ``}, {`[[1,"c","m","o","v",{},1]]`, ``},
		{`[[1,"c","m","o",null,{},null]]`, ``},
		{`[[1.0,"c","m","o"]]`, ``}, {`[["1","c","m","o"]]`, ``}, {`[[null,"c","m","o"]]`, ``}, {`[[9223372036854775808,"c","m","o"]]`, ``},
		{`[[1,null,"m","o"]]`, ``}, {`[[1,"c",5,"o"]]`, ``}, {`[[1,"c","m",true]]`, ``}, {`[[1,2,3,4]]`, ``},
		{`[]`, ``}, {`{}`, ``}, {`{"a":[1,"c","m","o"]}`, ``}, {`[1,"c","m","o"]`, ``}, {`null`, ``}, {`"x"`, ``},
	} {
		want := "null"
		if c.want != "" {
			want = "[" + c.want + "]"
		}
		cases = append(cases, pingCase{wrap("payload/processes/parent/events", c.events), `{"events":` + want + `}`})
	}
	var all, wants []string
	for _, p := range []string{"gpu", "parent", "socket", "dynamic", "content"} {
		all = append(all, `"`+p+`":{"events":[[1,"c","m","o"],[2,"c","m","o"]]}`)
	}
	for _, p := range []string{"dynamic", "parent", "content", "gpu"} {
		wants = append(wants, event("1", "null", `"telemetry_process":"`+p+`"`), event("2", "null", `"telemetry_process":"`+p+`"`))
	}
	cases = append(cases, pingCase{`{"payload":{"processes":{` + strings.Join(all, ",") + `}}}`,
		`{"events":[` + strings.Join(wants, ",") + `]}`})
	checkPings(t, p, cases)
}
