package table

import (
	"fmt"
	"strings"
	"testing"
)

const testHistograms = `{
	"ENUM": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["all"]},
	"CAT": {"kind": "categorical", "labels": ["a", "b"], "record_in_processes": ["main"]},
	"KEYED": {"kind": "linear", "keyed": true, "low": 1, "high": 10, "n_buckets": 5, "record_in_processes": ["main", "content"]},
	"KEYED_CAT": {"kind": "categorical", "keyed": "true", "labels": ["a", "b"], "record_in_processes": ["main"]}
}`

const testScalars = `
sec:
  num: {kind: uint, record_in_processes: [main, content]}
  flag: {kind: boolean, record_in_processes: [main]}
  text: {kind: string, record_in_processes: [main]}
  nums: {kind: uint, keyed: true, record_in_processes: [main]}
  flags: {kind: boolean, keyed: true, record_in_processes: [main]}
  texts: {kind: string, keyed: true, record_in_processes: [main]}
browser.engagement:
  active_ticks: {kind: uint, record_in_processes: [main]}
timestamps:
  first_paint: {kind: uint, record_in_processes: [content]}
`

const testAddonScalars = `
ext.one:
  num: {kind: uint, record_in_processes: [dynamic]}
  num2: {kind: uint, record_in_processes: [dynamic]}
  flag: {kind: boolean, record_in_processes: [dynamic]}
  text: {kind: string, record_in_processes: [dynamic]}
  nums: {kind: uint, keyed: true, record_in_processes: [dynamic]}
  flags: {kind: boolean, keyed: true, record_in_processes: [dynamic]}
  texts: {kind: string, keyed: true, record_in_processes: [dynamic]}
`

func probedTable(t testing.TB) *Pings {
	t.Helper()
	return pingTable(t, "main_summary", probesOf(t, map[string]string{
		"Histograms.json": testHistograms, "Scalars.yaml": testScalars, "AddonScalars.yaml": testAddonScalars,
		"main_summary.yaml": "user_prefs: []\nhistogram_whitelist: [ENUM, CAT, KEYED, KEYED_CAT]\n",
	}))
}

func TestHistogramColumns(t *testing.T) {
	p := probedTable(t)
	for h, want := range map[string]string{
		`{"values":{"0":1,"5":0}}`: `{"0":1,"5":0}`, `{"values":{"0":1,"1":2,"10":3},"sum":9}`: `{"0":1,"1":2,"10":3}`,
		`{"values":{ "0" : 1 } }`:               `{"0":1}`,
		`{"values":{"0":1.9,"1":-1.9,"2":1e2}}`: `{"0":1,"1":-1,"2":100}`, `{"values":{"0":null,"1":1}}`: `{"0":null,"1":1}`,
		`{"values":{"0":2147483647,"1":2147483648,"2":99999999999,"3":1e400,"4":99999999999999999999}}`: `{"0":2147483647,"1":null,"2":null,` +
			`"3":null,"4":null}`,
		`{"values":{"-1":1,"2":1,"0":1}}`: `{"-1":1,"2":1,"0":1}`, `{"values":{"1":1,"01":2}}`: `{"1":2}`,
		`{"values":{"3":1,"1":2,"3":4}}`:      `{"1":2,"3":4}`,
		`{"values":{"1":1},"values":{"2":2}}`: `{"2":2}`, `{"values":{"\u0031":7}}`: `{"1":7}`,
		`{"values":{"999999999":1,"2147483647":2}}`: `{"999999999":1,"2147483647":2}`,
		`{"values":{}}`: `{}`, `{"values":{ }}`: `{}`,
		`{"values":{"0":"1"}}`: `null`, `{"values":{"0":1,"1":true}}`: `null`, `{"values":{"0":{}}}`: `null`, `{"values":{"x":1}}`: `null`,
		`{"values":{"":1}}`: `null`, `{"values":{"1.0":1}}`: `null`,
		`{"values":{" 1":1}}`: `null`, `{"values":{"2147483648":1}}`: `null`, `{"values":{"0":1,"x":null}}`: `null`,
		`{"values":[]}`: `null`, `{"values":null}`: `null`, `{"values":5}`: `null`, `{"sum":1}`: `null`, `{}`: `null`, `null`: `null`,
		`[]`: `null`,
	} {
		for path, process := range map[string]string{
			"payload/histograms": "parent", "payload/processes/content/histograms": "content", "payload/processes/gpu/keyedHistograms": "gpu",
			"payload/keyedHistograms": "parent",
		} {
			row := map[string]string{"parent": "null", "content": "null", "gpu": "null"}
			row[process] = want
			checkPings(t, p, []pingCase{{wrap(path+"/ENUM", h), fmt.Sprintf(
				`{"histogram_parent_enum":%s,"histogram_content_enum":%s,"histogram_gpu_enum":%s}`, row["parent"], row["content"], row["gpu"])}})
		}
		checkPings(t, p, []pingCase{{wrap("payload/processes/parent/histograms/ENUM", h), `{"histogram_parent_enum":null}`}})
	}
}

func TestCategoricalHistograms(t *testing.T) {
	p := probedTable(t)
	for values, want := range map[string]string{
		`{"0":1,"1":0}`: `{"a":1,"b":0}`, `{"1":2,"0":1}`: `{"b":2,"a":1}`, `{"0":1,"1":2,"2":3,"7":4}`: `{"a":1,"b":2,"spill":7}`,
		`{"-1":5,"2":1}`: `{"spill":6}`,
		`{"2":0}`:        `{"spill":0}`, `{}`: `{}`, `{"0":null,"1":2147483648}`: `{"a":null,"b":null}`,
		`{"0":1.5,"2":1.5,"3":1.5}`: `{"a":1,"spill":2}`,
		`{"2":2147483647,"3":1}`:    `{"spill":null}`, `{"2":3000000000,"3":1}`: `{"spill":null}`,
		`{"0":1,"2":null,"3":1}`: `{"a":1,"spill":null}`,
		`{"a":1}`:                `null`, `{"0":"1"}`: `null`, `[]`: `null`,
	} {
		checkPings(t, p, []pingCase{
			{wrap("payload/histograms/CAT/values", values), `{"histogram_parent_cat":` + want + `}`},
			{wrap("payload/keyedHistograms/KEYED_CAT/k/values", values), `{"histogram_parent_keyed_cat":{"k":` + want + `}}`},
		})
	}
}

func TestKeyedHistograms(t *testing.T) {
	p := probedTable(t)
	for h, want := range map[string]string{
		`{"k":{"values":{"0":1}},"bad":{"values":{"x":1}},"none":{},"n":null,"e":{"values":{}},"":{"values":{"1":null}}}`: `{"k":{"0":1},` +
			`"bad":null,"none":null,"n":null,"e":{},"":{"1":null}}`,
		`{"k":{"values":{"0":1}},"k":{"values":{"0":2}}}`: `{"k":{"0":2}}`, `{"k\n\u00e9":{"values":{"0":1}}}`: `{"k\né":{"0":1}}`,
		`{"k":[],"l":5}`: `{"k":null,"l":null}`,
		`{}`:             `{}`, `[]`: `null`, `null`: `null`, `"k"`: `null`,
	} {
		checkPings(t, p, []pingCase{
			{wrap("payload/keyedHistograms/KEYED", h), `{"histogram_parent_keyed":` + want + `,"histogram_content_keyed":null}`},
			{wrap("payload/processes/content/keyedHistograms/KEYED", h), `{"histogram_content_keyed":` + want + `}`},
			{wrap("payload/histograms/KEYED", h), `{"histogram_parent_keyed":` + want + `}`},
		})
	}
}

func TestScalarColumns(t *testing.T) {
	p := probedTable(t)
	for value, want := range map[string]string{ // uint, boolean, string
		`1`: `1,null,"1"`, `-1`: `-1,null,"-1"`, `2147483648`: `null,null,"2147483648"`,
		`99999999999999999999`: `null,null,"99999999999999999999"`, `1.0`: `null,null,null`, `1e3`: `null,null,null`,
		`true`: `null,true,null`, `false`: `null,false,null`, `"x"`: `null,null,"x"`, `""`: `null,null,""`, `"1.5e\u0033"`: `null,null,"1.5e3"`,
		`null`: `null,null,null`, `[]`: `null,null,null`, `{"a":1}`: `null,null,null`,
	} {
		for _, section := range []string{"scalars", "keyedScalars"} {
			body := wrap("payload/processes/parent/"+section, `{"sec.num":`+value+`,"sec.flag":`+value+`,"sec.text":`+value+`}`)
			row := pingRowOf(t, p, usualMeta, body)
			got := toJSON([]any{row["scalar_parent_sec_num"], row["scalar_parent_sec_flag"], row["scalar_parent_sec_text"]})
			if got != "["+want+"]" || row["scalar_content_sec_num"] != nil {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		}
	}
	checkPings(t, p, []pingCase{
		{wrap("payload/processes/content/scalars", `{"sec.num":3,"sec.flag":true}`),
			`{"scalar_content_sec_num":3,"scalar_parent_sec_num":null,"scalar_parent_sec_flag":null}`},
		{wrap("payload/processes/parent/scalars", `{"sec":{"num":3},"sec.num":1,"sec\u002enum":2}`), `{"scalar_parent_sec_num":2}`},
	})
}

func TestKeyedScalars(t *testing.T) {
	p := probedTable(t)
	const mixed = `{"a":1,"b":"x","c":true,"d":1.5,"e":null,"f":[],"g":2147483648,"":0,"h":{"a":1}}`
	for _, section := range []string{"scalars", "keyedScalars"} {
		body := func(v string) string {
			return wrap("payload/processes/parent/"+section, `{"sec.nums":`+v+`,"sec.flags":`+v+`,"sec.texts":`+v+`}`)
		}
		cases := []pingCase{
			{body(mixed), `{"scalar_parent_sec_nums":{"a":1,"":0},"scalar_parent_sec_flags":{"c":true},"scalar_parent_sec_texts":{"a":"1",` +
				`"b":"x","g":"2147483648","":"0"}}`},
			{body(`{"a":1,"a":2}`), `{"scalar_parent_sec_nums":{"a":2}}`}, {body(`{"a":1,"a":null}`), `{"scalar_parent_sec_nums":null}`},
		}
		for _, v := range []string{`{}`, `[]`, `null`, `5`, `"a"`, `true`, `{"a":{}}`} {
			cases = append(cases, pingCase{body(v), `{"scalar_parent_sec_nums":null,"scalar_parent_sec_flags":null,"scalar_parent_sec_texts":null}`})
		}
		checkPings(t, p, cases)
	}
}

// The maps of add-on scalars hold the usable keys and are never null (D9).
func TestAddonScalars(t *testing.T) {
	empty := `"boolean_addon_scalars":{},"string_addon_scalars":{},"uint_addon_scalars":{},"keyed_boolean_addon_scalars":{},` +
		`"keyed_string_addon_scalars":{},"keyed_uint_addon_scalars":{}`
	all := func(scalars string) string { return wrap("payload/processes/dynamic/scalars", scalars) }
	keyed := func(scalars string) string { return wrap("payload/processes/dynamic/keyedScalars", scalars) }
	checkPings(t, probedTable(t), []pingCase{
		{all(`{"ext.one.num":1,"ext.one.num2":0,"ext.one.flag":true,"ext.one.text":"x","other":1}`),
			`{"uint_addon_scalars":{"ext_one_num":1,"ext_one_num2":0},"boolean_addon_scalars":{"ext_one_flag":true},` +
				`"string_addon_scalars":{"ext_one_text":"x"},"keyed_uint_addon_scalars":{}}`},
		{all(`{"ext.one.num":1.0,"ext.one.num2":7,"ext.one.flag":1,"ext.one.text":5}`),
			`{"uint_addon_scalars":{"ext_one_num2":7},"boolean_addon_scalars":{},"string_addon_scalars":{"ext_one_text":"5"}}`},
		{keyed(`{"ext.one.nums":{"a":1,"b":"x"},"ext.one.flags":{"a":true,"b":0},"ext.one.texts":{"a":"t","b":6,"c":6.5}}`),
			`{"keyed_uint_addon_scalars":{"ext_one_nums":{"a":1}},"keyed_boolean_addon_scalars":{"ext_one_flags":{"a":true}},` +
				`"keyed_string_addon_scalars":{"ext_one_texts":{"a":"t","b":"6"}},"uint_addon_scalars":{}}`},
		{keyed(`{"ext.one.nums":{"b":"x"},"ext.one.flags":{},"ext.one.texts":[]}`), `{` + empty + `}`},
		{keyed(`{"ext.one.num":1}`), `{"uint_addon_scalars":{"ext_one_num":1}}`},
		{all(`{"ext.one.nums":{"a":1}}`), `{"keyed_uint_addon_scalars":{"ext_one_nums":{"a":1}}}`},
		{wrap("payload/processes/parent/scalars", `{"ext.one.num":1}`), `{` + empty + `}`}, {all(`[]`), `{` + empty + `}`},
		{`{}`, `{` + empty + `}`},
	})
}

// active_ticks and first_paint prefer the scalar, when it is defined for the
// parent process and usable.
func TestMigratedScalars(t *testing.T) {
	body := func(scalars, simple string) string {
		return `{"payload":{"processes":{"parent":{"scalars":` + scalars + `}},"simpleMeasurements":` + simple + `}}`
	}
	keyed := func(value, scalars, simple string) string { // the keyed section is another
		return body(scalars+`,"keyedScalars":{"browser.engagement.active_ticks":`+value+`}`, simple)
	}
	checkPings(t, probedTable(t), []pingCase{
		{body(`{"browser.engagement.active_ticks":5,"timestamps.first_paint":6}`, `{"activeTicks":7,"firstPaint":8}`),
			`{"active_ticks":5,"first_paint":8}`},
		{body(`{"browser.engagement.active_ticks":0}`, `{"activeTicks":7}`), `{"active_ticks":0,"first_paint":null}`},
		{body(`{"browser.engagement.active_ticks":5.0}`, `{"activeTicks":7.9}`), `{"active_ticks":7}`},
		{body(`{"browser.engagement.active_ticks":"5"}`, `{}`), `{"active_ticks":null}`},
		{body(`{}`, `{"activeTicks":"7","firstPaint":-8}`), `{"active_ticks":null,"first_paint":-8}`},
		{keyed(`5`, `{}`, `{"activeTicks":1000}`), `{"active_ticks":1000}`},
		{keyed(`{"a":1}`, `{"browser.engagement.active_ticks":7}`, `{"activeTicks":1000}`), `{"active_ticks":7}`},
	})
	checkPings(t, mainTable(t), []pingCase{{body(`{"timestamps.first_paint":6}`, `{"firstPaint":8}`), `{"first_paint":6}`}})
}

// Note T.
func TestThresholds(t *testing.T) {
	p := mainTable(t)
	for values, want := range map[string]string{ // above 150, 250, 2500
		`{"0":1,"149":2,"150":4,"151":8,"249":16,"250":32,"2499":64,"2500":128,"100000":256}`: `508,480,384`,
		`{"150":1}`: `1,0,0`, `{"149":1}`: `0,0,0`, `{"-200":1}`: `0,0,0`, `{}`: `0,0,0`, `{"200":1.9,"300":-1.9}`: `0,-1,0`,
		`{"200":1,"x":5,"1.5":5,"":5}`: `1,0,0`, `{"200":1,"0":"5"}`: `0,0,0`, `{"200":1,"300":null}`: `1,0,0`,
		`{"200":1,"300":null,"x":"1"}`: `0,0,0`, `{"200":1,"x":true}`: `0,0,0`, `{"200":1,"x":[]}`: `0,0,0`,
		`{"200":2147483648}`: `2147483648,0,0`, `{"200":9223372036854775807}`: `9223372036854775807,0,0`,
		`{"200":4000000000,"300":4000000000}`: `8000000000,4000000000,0`,
		`{"200":9223372036854775807,"300":1}`: `null,1,0`, `{"200":9223372036854775808,"300":1}`: `null,1,0`,
		`{"200":1e30,"3000":1e3}`: `null,1000,1000`, `{"0":1e30,"200":1}`: `1,0,0`,
		`{"200":1,"200":2}`: `2,0,0`, `{ "0200" : 3 }`: `3,0,0`, `null`: `0,0,0`, `[5]`: `0,0,0`, `7`: `0,0,0`,
	} {
		for path, process := range map[string]string{"payload/histograms": "main", "payload/processes/content/histograms": "content"} {
			row := pingRowOf(t, p, usualMeta, wrap(path+"/GC_MAX_PAUSE_MS_2/values", values))
			for _, other := range []string{"main", "content"} {
				w := want
				if other != process {
					w = "0,0,0"
				}
				name := "gc_max_pause_ms_" + other + "_above_"
				if got := toJSON([]any{row[name+"150"], row[name+"250"], row[name+"2500"]}); got != "["+w+"]" {
					t.Errorf("%s of %s: %s, want %s", name, values, got, w)
				}
			}
		}
		row := pingRowOf(t, p, usualMeta, wrap("payload/processes/gpu/histograms/GC_MAX_PAUSE_MS_2/values", values))
		if got := toJSON(row["gc_max_pause_ms_content_above_150"]); got != "0" {
			t.Errorf("the gpu process counts: %s", got)
		}
	}
	checkPings(t, p, []pingCase{
		{wrap("payload/histograms/GHOST_WINDOWS", `{"values":{"0":1,"1":2,"2":3}}`),
			`{"ghost_windows_main_above_1":5,"ghost_windows_content_above_1":0}`},
		{wrap("payload/histograms/INPUT_EVENT_RESPONSE_COALESCED_MS", `{"sum":1}`), `{"input_event_response_coalesced_ms_main_above_150":0}`},
		{wrap("payload/histograms", `[]`), `{"cycle_collector_max_pause_main_above_2500":0}`},
	})
}

// Sections that stand twice count once: the last of them.
func TestDuplicateSections(t *testing.T) {
	one := `"payload":{"info":{"reason":"daily"},"histograms":{"ENUM":{"values":{"0":1}},"CAT":{"values":{"0":1}}},` +
		`"keyedHistograms":{"SEARCH_COUNTS":{"a.b":{"sum":1}}}}`
	two := `"payload":{"histograms":{"ENUM":{"values":{"1":2}}}}`
	checkPings(t, probedTable(t), []pingCase{
		{"{" + one + "," + two + "}", `{"reason":null,"search_counts":null,"histogram_parent_enum":{"1":2},"histogram_parent_cat":null}`},
		{"{" + two + "," + one + "}", `{"reason":"daily","search_counts":[{"engine":"a","source":"b","count":1}],` +
			`"histogram_parent_enum":{"0":1},"histogram_parent_cat":{"a":1}}`},
		{"{" + one + `,"payload":null}`, `{"reason":null,"histogram_parent_enum":null}`},
		{strings.Replace("{"+one+"}", `"CAT"`, `"ENUM":{"values":{"3":3}},"ENUM"`, 1), `{"histogram_parent_enum":{"0":1}}`},
	})
}
