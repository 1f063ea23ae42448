package main

import (
	"fmt"
	"strings"
)

// How large things get: the edge takes bodies of 1 MiB and paths of 2 KiB, and
// decoding unpacks 32 MiB, a thousand times what came.
const (
	wide    = 100_000
	large   = 16 << 20
	largest = 31 << 20
	longest = 64 << 10 // of the texts that tables take
	maxPath = 2048
)

// attacks returns the corpus.
func attacks() []attack {
	var all []attack
	for _, part := range [][]attack{plain(), texts(), lists(), probes(), shapes(), numbers(), bodies(), paths(), others(), together()} {
		all = append(all, part...)
	}
	return all
}

// plain returns an ordinary submission, for comparison.
func plain() []attack {
	return []attack{{name: "a usual ping", environment: sections{"settings": raw(`{"locale":"de"}`)}}}
}

// texts are as long as may be.
func texts() []attack {
	in := func(name string, size int, more string) sections {
		return sections{"settings": between(`{`+more+`"`+name+`":"`, "a", `"}`, size)}
	}
	return []attack{
		{name: "a locale of one letter, as large as a body", environment: in("locale", largest, "")},
		{name: "a locale of 16 MiB", environment: in("locale", large, "")},
		{name: "a locale that is just short enough", environment: in("locale", longest, "")},
		{name: "a text of escapes", environment: sections{"settings": between(`{"locale":"`, `\u0041`, `"}`, largest)}},
		{name: "a text of NUL characters", environment: sections{"settings": between(`{"locale":"`, `\u0000`, `"}`, largest)}},
		{name: "a text of lone surrogates", environment: sections{"settings": between(`{"locale":"`, `\ud800`, `"}`, largest)}},
		{name: "a text of quotes and backslashes", environment: sections{"settings": between(`{"locale":"`, `\"\\`, `"}`, largest)}},
		{name: "an experiment's name as large as a body", environment: sections{"experiments": between(`{"`, "e", `":{"branch":"b"}}`, largest)}},
		{name: "a build id and a version as large as a body", top: sections{"application": between(
			`{"architecture":"x","channel":"c","name":"Firefox","vendor":"v","xpcomAbi":"x","platformVersion":"58.0",`+
				`"buildId":"20180118215408","version":"58.`, "1", `"}`, largest)}},
		{name: "an operating system's version of numbers and dots",
			environment: sections{"system": between(`{"os":{"version":"`, "1.", `"}}`, largest)}},
		{name: "a search key of dots", payload: sections{"keyedHistograms": between(`{"SEARCH_COUNTS":{"`, ".", `":{"sum":1}}}`, largest)}},
		{name: "a subsession's date as long as a text may be, with 10,000 add-ons",
			environment: sections{"addons": func(t *text) { object(sections{"activeAddons": list("{}", 10_000, `"a%d":{}`)})(t) }},
			payload:     sections{"info": between(`{"subsessionStartDate":"`, "2", `"}`, longest)}},
		{name: "all texts of a client as long as they may be, with 10,000 searches",
			environment: sections{"settings": func(t *text) {
				long := strings.Repeat("l", longest)
				fmt.Fprintf(t, `{"locale":%q,"searchCohort":%q,"defaultSearchEngine":%q,"defaultSearchEngineData":{"name":%q,"loadPath":%q,`+
					`"submissionURL":%q}}`,
					long, long, long, long, long, long)
			}},
			payload: sections{"keyedHistograms": object(sections{"SEARCH_COUNTS": list("{}", 10_000, `"e%d.urlbar":{"sum":1}`)})}},
		{name: "a date header that is no date", date: strings.Repeat("Thu, 01 Mar 2018 12:00:00 GMT", 200)},
	}
}

// lists are as wide as may be.
func lists() []attack {
	addons := func(name string, value func(*text)) sections {
		return sections{"addons": object(sections{name: value})}
	}
	sec := list("[]", wide, `"product %d"`)
	return []attack{
		{name: "250,000 experiments", environment: sections{"experiments": list("{}", 250_000, `"experiment %d":{"branch":"b"}`)}},
		{name: "other 250,000 experiments of the same client", client: crowded,
			environment: sections{"experiments": list("{}", 250_000, `"x%d":{"branch":"b"}`)}},
		{name: "one experiment 1,000,000 times", environment: sections{"experiments": list("{}", 1_000_000, `"e":{"branch":"b"}`)}},
		{name: "100,000 add-ons", environment: addons("activeAddons",
			list("{}", wide, `"addon%d@example.com":{"name":"n","version":"1","scope":1}`))},
		{name: "250,000 empty add-ons", environment: addons("activeAddons", list("{}", 250_000, `"%d":{}`))},
		{name: "an add-on with 100,000 members", environment: addons("activeAddons", func(t *text) {
			t.put(`{"a":`)
			list("{}", wide, `"m%d":1`)(t)
			t.put(`}`)
		})},
		{name: "100,000 plugins with long versions", environment: addons("activePlugins", func(t *text) {
			t.put(`[{"name":"Shockwave Flash","version":"` + strings.Repeat("1.", longest/2-1) + `1"},`)
			list("  ", wide, `{"name":"Shockwave Flash","version":"%d"}`)(t)
			t.put(`]`)
		})},
		{name: "a theme with 100,000 members", environment: addons("theme", list("{}", wide, `"m%d":1`))},
		{name: "100,000 antivirus products, spyware products and firewalls", environment: sections{"system": object(sections{
			"sec": object(sections{"antivirus": sec, "antispyware": sec, "firewall": sec})})}},
		{name: "100,000 preferences", environment: sections{"settings": object(sections{"userPrefs": list("{}", wide, `"pref.%d":1`)})}},
		{name: "100,000 members of the attribution",
			environment: sections{"settings": object(sections{"attribution": list("{}", wide, `"m%d":"x"`)})}},
		{name: "100,000 unknown sections", environment: sections{"unknown": list("{}", wide, `"s%d":{"a":[{}]}`)}},
		{name: "100,000 disabled add-ons", payload: sections{"addonDetails": object(sections{"XPI": list("{}", wide, `"addon%d":{}`)})}},
	}
}

// probes are as many as may be.
func probes() []attack {
	keyed := func(name string, value func(*text)) sections {
		return sections{"keyedHistograms": object(sections{name: value})}
	}
	process := func(name string, value func(*text)) sections {
		return sections{"processes": object(sections{"parent": object(sections{"scalars": raw("{}"), name: value})})}
	}
	return []attack{
		{name: "100,000 histograms", payload: sections{"histograms": list("{}", wide, `"H%d":{"values":{"0":1}}`)}},
		{name: "a histogram with 100,000 buckets", payload: sections{"histograms": object(sections{
			"GC_MAX_PAUSE_MS_2": func(t *text) {
				t.put(`{"sum":1,"values":`)
				list("{}", wide, `"%d":1`)(t)
				t.put(`}`)
			}})}},
		{name: "histograms with one bucket 2,000,000 times", payload: sections{"histograms": object(sections{
			"SSL_HANDSHAKE_RESULT": between(`{"values":{`, `"1":1,`, `"1":1}}`, 2_000_000*6)})}},
		{name: "100,000 keys of a keyed histogram",
			payload: keyed("SUBPROCESS_CRASHES_WITH_DUMP", list("{}", wide, `"k%d":{"sum":1,"values":{"0":1}}`))},
		{name: "100,000 keys of search counts", payload: keyed("SEARCH_COUNTS", list("{}", wide, `"engine%d.urlbar":{"sum":1}`))},
		{name: "other 100,000 keys of search counts of the same client", client: crowded,
			payload: keyed("SEARCH_COUNTS", list("{}", wide, `"x%d.searchbar":{"sum":1}`))},
		{name: "100,000 kinds of popup notifications", payload: keyed("POPUP_NOTIFICATION_STATS", list("{}", wide, `"p%d":{"values":{"0":1}}`))},
		{name: "a popup notification with 300,000 buckets", payload: keyed("POPUP_NOTIFICATION_STATS", func(t *text) {
			t.put(`{"p":{"values":`)
			list("{}", 300_000, `"%d":1`)(t)
			t.put(`}}`)
		})},
		{name: "1,000 keyed histograms with 1,000 keys", payload: sections{"keyedHistograms": func(t *text) {
			t.put("{")
			for i := range 1000 {
				fmt.Fprintf(t, `"K%d":`, i)
				list("{}", 1000, `"k%d":{"sum":1}`)(t)
				t.put(",")
			}
			t.put(`"K":{}}`)
		}}},
		{name: "100,000 scalars", payload: process("scalars", list("{}", wide, `"s.%d":1`))},
		{name: "100,000 keys of keyed scalars", payload: process("keyedScalars", object(sections{
			"browser.search.counts":                list("{}", wide, `"k%d":1`),
			"browser.engagement.navigation.urlbar": list("{}", wide, `"k%d":1`)}))},
		{name: "100,000 events", payload: process("events", list("[]", wide, `[%d,"c","m","o","v",{"k":"v"}]`))},
		{name: "an event with 100,000 extra members", payload: process("events", func(t *text) {
			t.put(`[[1,"c","m","o",null,`)
			list("{}", wide, `"k%d":"v"`)(t)
			t.put(`]]`)
		})},
		{name: "an event of 2,000,000 parts", rejected: true, payload: process("events", func(t *text) {
			t.put(`[`)
			list("[]", 2_000_000, `1`)(t)
			t.put(`]`)
		})},
		{name: "100,000 processes", payload: sections{"processes": func(t *text) {
			t.put(`{"parent":{"scalars":{}},`)
			list("  ", wide, `"p%d":{"scalars":{},"events":[]}`)(t)
			t.put(`}`)
		}}},
		{name: "100,000 simple measurements", payload: sections{"simpleMeasurements": list("{}", wide, `"m%d":1`)}},
		{name: "100,000 threads that hang", payload: sections{"threadHangStats": list("[]", wide, `{"name":"t%d","hangs":[{"stack":["a"]}]}`)}},
	}
}

// shapes are as deep as may be, and deeper.
func shapes() []attack {
	return []attack{
		{name: "500 arrays in each other", environment: sections{"x": raw(strings.Repeat("[", 500) + strings.Repeat("]", 500))}},
		{name: "500 objects in each other",
			environment: sections{"experiments": raw(strings.Repeat(`{"e":`, 500) + "1" + strings.Repeat("}", 500))}},
		{name: "15,000,000 arrays in each other", rejected: true, body: func(t *text) {
			t.put(`{"a":` + strings.Repeat("[", 15_000_000) + strings.Repeat("]", 15_000_000) + "}")
		}},
		{name: "10,000,000 empty arrays", top: sections{"x": between("[", "[],", "[]]", 30_000_000)}},
		{name: "15,000,000 numbers", top: sections{"x": between("[", "1,", "1]", 30_000_000)}},
		{name: "blanks as large as a body", top: sections{"x": between("", " ", "1", largest)}},
		{name: "a member twice, 100,000 times each",
			environment: sections{"settings": between("{", `"locale":"a","e10sEnabled":true,`, `"locale":"b"}`, wide*33)}},
		{name: "the payload 100,000 times", top: sections{"payload": func(t *text) {
			t.put(strings.Repeat(`{"info":{"reason":"daily"}},"payload":`, wide) + `{"info":{"reason":"shutdown"}}`)
		}}},
		{name: "sections of the wrong shape", environment: sections{"settings": raw("{}"), "addons": raw(`{"activeAddons":{"a":{}}}`)},
			payload: sections{"simpleMeasurements": list("{}", 10, `"m%d":[]`), "unknown": raw("[[[]]]")}},
	}
}

// numbers are as large as may be, or none.
func numbers() []attack {
	measured := func(value func(*text)) sections {
		return sections{"simpleMeasurements": object(sections{"activeTicks": value, "firstPaint": value, "main": value})}
	}
	return []attack{
		{name: "numbers of 10,000,000 digits", payload: measured(between("", "9", "", 10_000_000))},
		{name: "fractions of 10,000,000 digits", payload: measured(between("0.", "3", "", 10_000_000))},
		{name: "an exponent of 10,000,000 digits", payload: measured(between("1e", "9", "", 10_000_000))},
		{name: "an exponent that fits no double", payload: measured(raw("-1e400"))},
		{name: "negative zero and the smallest numbers", payload: measured(raw("-0.0e-400"))},
		{name: "the largest integers", payload: measured(raw("9223372036854775808"))},
		{name: "a number that is none", rejected: true, payload: measured(raw("NaN"))},
		{name: "infinity", rejected: true, payload: measured(raw("-Infinity"))},
		{name: "a text of 31 MiB of digits for a number", environment: sections{"system": between(`{"os":{"version":`, "1", `}}`, largest)}},
	}
}

// bodies returns no documents.
func bodies() []attack {
	return []attack{
		{name: "nothing", rejected: true, body: raw("")},
		{name: "an array", rejected: true, body: between("[", "{},", "{}]", large)},
		{name: "zeros, more than a thousand times what was sent", rejected: true, body: between("", "\x00", "", 64<<20)},
		{name: "an object that does not end", rejected: true, body: between(`{"a":"`, "a", "", largest)},
		{name: "bytes that are no UTF-8", rejected: true, body: between(`{"a":"`, "\xff", `"}`, largest)},
		{name: "a client id of 1 MiB", client: strings.Repeat("c", 1<<20), rejected: true},
	}
}

// paths are as long as may be.
func paths() []attack {
	fill := func(before, after string) string {
		return before + strings.Repeat("p", maxPath-len(before)-len(after)) + after
	}
	return []attack{
		{name: "a document id that fills the path", path: func(string) string {
			return fill("/submit/telemetry/", "/main/Firefox/58.0/release/20180118215408")
		}},
		{name: "a document type that fills the path", path: func(id string) string {
			return fill("/submit/telemetry/"+id+"/", "/Firefox/58.0/release/20180118215408")
		}},
		{name: "a channel that fills the path", path: func(id string) string {
			return fill("/submit/telemetry/"+id+"/main/Firefox/58.0/", "/20180118215408")
		}},
		{name: "a query that fills the path", path: func(id string) string {
			return fill("/submit/telemetry/"+id+"/main/Firefox/58.0/release/20180118215408?q=", "")
		}},
		{name: "a version without a schema", docType: "other", path: func(id string) string {
			return "/submit/telemetry/other/" + strings.Repeat("9", 1000) + "/" + id
		}},
	}
}

// others are of the other document types.
func others() []attack {
	settings := sections{"settings": func(t *text) {
		long := strings.Repeat("l", longest)
		fmt.Fprintf(t, `{"locale":%q,"attribution":{"source":%q,"medium":%q,"campaign":%q,"content":%q}}`, long, long, long, long, long)
	}}
	return []attack{
		{name: "a crash with 100,000 annotations", docType: "crash", payload: sections{"metadata": list("{}", wide, `"Annotation%d":"x"`)}},
		{name: "a crash with an annotation as large as a body", docType: "crash",
			payload: sections{"metadata": between(`{"StackTraces":"`, "s", `"}`, largest)}},
		{name: "a crash with 100,000 experiments", docType: "crash",
			environment: sections{"experiments": list("{}", wide, `"e%d":{"branch":"b"}`)}},
		{name: "a new profile with 100,000 partner names", docType: "new-profile",
			environment: sections{"partner": object(sections{"partnerNames": list("[]", wide, `"p%d"`)})}},
		{name: "a new profile with texts as long as they may be", docType: "new-profile", environment: settings},
		{name: "an update with texts as long as they may be", docType: "update", environment: settings},
		{name: "an update with 100,000 members", docType: "update", payload: sections{"x": list("{}", wide, `"targetChannel%d":1`)}},
	}
}

// crowded is a client with much of everything, in several pings.
const crowded = "c0a0ded0-0000-4000-8000-000000000000"

// together is many wide pings of one client.
func together() (all []attack) {
	for i := range 20 {
		all = append(all, attack{
			name: fmt.Sprintf("wide ping %d of one client", i+1), client: crowded,
			environment: sections{"experiments": list("{}", 10_000, fmt.Sprintf(`"e%d-%%d":{"branch":"b"}`, i))},
			payload: sections{"keyedHistograms": object(
				sections{"SEARCH_COUNTS": list("{}", 10_000, fmt.Sprintf(`"e%d-%%d.urlbar":{"sum":1}`, i))})},
		})
	}
	return all
}
