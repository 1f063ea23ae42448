package table

import (
	"sort"
	"strings"
	"testing"
)

// searchesOf lists client, day, engine, source and the three counts of all rows.
func searchesOf(rows day) string {
	var list []string
	for _, r := range rows {
		list = append(list, toJSON([]any{r["client_id"], r["submission_date"], r["engine"], r["source"], r["sap"], r["tagged-sap"],
			r["tagged-follow-on"]}))
	}
	sort.Strings(list)
	return strings.Join(list, "\n")
}

func searchRow(elements ...string) string {
	return `{"client_id":"c","submission_date":"d","search_counts":[` + strings.Join(elements, ",") + `]}`
}

func element(engine, source, count string) string {
	return `{"engine":` + engine + `,"source":` + source + `,"count":` + count + `}`
}

func TestSearchGroups(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []string
		want []string
	}{
		{"two engines and two sources",
			[]string{searchRow(element(`"g"`, `"urlbar"`, `1`), element(`"b"`, `"urlbar"`, `2`), element(`"g"`, `"newtab"`, `3`)),
				searchRow(element(`"g"`, `"urlbar"`, `4`))},
			[]string{`["c","d","b","urlbar",2,null,null]`, `["c","d","g","newtab",3,null,null]`, `["c","d","g","urlbar",5,null,null]`}},
		{"kinds", []string{searchRow(element(`"g"`, `"sap:x"`, `1`), element(`"g"`, `"follow-on:x"`, `2`), element(`"g"`, `"sap"`, `3`),
			element(`"g"`, `"follow-on"`, `4`), element(`"g"`, `"Sap:x"`, `5`),
			element(`"g"`, `null`, `6`), element(`"g"`, `""`, `7`), element(`"g"`, `"xsap:"`, `8`), element(`"g"`, `"sap:"`, `9`))},
			[]string{`["c","d","g","",7,null,null]`, `["c","d","g","Sap:x",5,null,null]`, `["c","d","g","follow-on",4,null,null]`,
				`["c","d","g","follow-on:x",null,null,2]`,
				`["c","d","g","sap",3,null,null]`, `["c","d","g","sap:",null,9,null]`, `["c","d","g","sap:x",null,1,null]`,
				`["c","d","g","xsap:",8,null,null]`, `["c","d","g",null,6,null,null]`}},
		{"limits", []string{searchRow(element(`"a"`, `"s"`, `9999`), element(`"b"`, `"s"`, `10000`), element(`"c"`, `"s"`, `0`),
			element(`"d"`, `"s"`, `-3`), element(`"e"`, `"s"`, `null`), element(`"f"`, `"s"`, `9223372036854775807`))},
			[]string{`["c","d","a","s",9999,null,null]`, `["c","d","c","s",null,null,null]`, `["c","d","d","s",-3,null,null]`}},
		{"a sum of 0 (D4)", []string{searchRow(element(`"a"`, `"s"`, `5`)), searchRow(element(`"a"`, `"s"`, `-5`))},
			[]string{`["c","d","a","s",null,null,null]`}},
		{"without usable counts (D6)",
			[]string{searchRow(element(`"a"`, `"s"`, `10000`), element(`"b"`, `"s"`, `null`)), searchRow(),
				`{"client_id":"c","submission_date":"d"}`}, []string{`["c","d",null,null,null,null,null]`}},
		{"searches without engine and source, and none",
			[]string{searchRow(element(`null`, `null`, `5`)), `{"client_id":"c","submission_date":"d"}`},
			[]string{`["c","d",null,null,5,null,null]`}},
		{"null and empty keys", []string{`{}`, `{"client_id":""}`, `{"submission_date":""}`,
			`{"search_counts":[` + element(`""`, `null`, `1`) + `,` + element(`null`, `""`, `2`) + `]}`},
			[]string{`["",null,null,null,null,null,null]`, `[null,"",null,null,null,null,null]`, `[null,null,"",null,1,null,null]`,
				`[null,null,null,"",2,null,null]`, `[null,null,null,null,null,null,null]`}},
		{"two days", []string{`{"client_id":"c","submission_date":"1"}`, `{"client_id":"c","submission_date":"2"}`},
			[]string{`["c","1",null,null,null,null,null]`, `["c","2",null,null,null,null,null]`}},
		{"sums of 64 bits", []string{searchRow(element(`"a"`, `"s"`, `-9223372036854775808`), element(`"a"`, `"s"`, `-1`),
			element(`"b"`, `"s"`, `-9223372036854775808`))},
			[]string{`["c","d","a","s",null,null,null]`, `["c","d","b","s",-9223372036854775808,null,null]`}},
	} {
		if got := searchesOf(dailyRows(t, "search_clients_daily", c.rows...)); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
}

// Measures are over the exploded rows: a ping counts in each of its groups, and
// twice in a group that it has two elements of.
func TestSearchMeasures(t *testing.T) {
	const more = `"subsession_length":1800,"subsession_counter":1,"active_ticks":720,` +
		`"scalar_parent_browser_engagement_tab_open_event_count":3,` +
		`"scalar_parent_browser_engagement_max_concurrent_tab_count":7,"active_addons":[{"addon_id":"x"}]`
	rows := dailyRows(t, "search_clients_daily",
		`{`+more+`,"search_counts":[`+element(`"a"`, `"s"`, `1`)+`,`+element(`"b"`, `"s"`, `1`)+`,`+element(`"a"`, `"s"`, `1`)+`]}`,
		`{"subsession_length":3600,"scalar_parent_browser_engagement_max_concurrent_tab_count":2,"active_addons":[],"search_counts":[`+
			element(`"b"`, `"s"`, `1`)+`]}`)
	want := map[any]string{
		"a": `{"sap":2,"subsession_hours_sum":1.0,"sessions_started_on_this_day":2,"active_hours_sum":2.0,"tab_open_event_count_sum":6,` +
			`"max_concurrent_tab_count_max":7,"active_addons_count_mean":1.0}`,
		"b": `{"sap":2,"subsession_hours_sum":1.5,"sessions_started_on_this_day":1,"active_hours_sum":1.0,"tab_open_event_count_sum":3,` +
			`"max_concurrent_tab_count_max":7,"active_addons_count_mean":0.5}`,
	}
	for _, r := range rows {
		checkColumns(t, r, want[r["engine"]], "measures")
	}
	if len(rows) != 2 {
		t.Errorf("%d rows", len(rows))
	}
	checkDays(t, "search_clients_daily", []dailyCase{
		{columnRows("subsession_length", `1`, `null`, `1`), `{"subsession_hours_sum":0.0005555555555555556}`},
		{columnRows("subsession_length", `null`), `{"subsession_hours_sum":null,"sessions_started_on_this_day":0}`},
		{columnRows("active_ticks", `1`), `{"active_hours_sum":0.001388888888888889}`},
		{columnRows("active_ticks", `null`), `{"active_hours_sum":null,"max_concurrent_tab_count_max":null,"tab_open_event_count_sum":null}`},
		{[]string{`{"subsession_start_date":"2018-03-01T10","profile_creation_date":17590}`},
			`{"profile_age_in_days":1,"profile_creation_date":17590}`},
	})
}

// A null list does not take part in the mean, an empty one counts 0 (D5).
func TestSearchAddons(t *testing.T) {
	const follow = `{"addon_id":"followonsearch@mozilla.com","version":`
	checkDays(t, "search_clients_daily", []dailyCase{
		{columnRows("active_addons", `null`), `{"active_addons_count_mean":null,"addon_version":null}`},
		{columnRows("active_addons", `[]`), `{"active_addons_count_mean":0.0,"addon_version":null}`},
		{columnRows("active_addons", `null`, `[{"addon_id":"x","version":"1"}]`, `[]`), `{"active_addons_count_mean":0.5,"addon_version":null}`},
		{columnRows("active_addons", `[{"addon_id":"x"},`+follow+`"2"},`+follow+`"3"}]`), `{"active_addons_count_mean":3.0,"addon_version":"2"}`},
		{columnRows("active_addons", `[`+follow+`null},`+follow+`"3"}]`, `null`, `[`+follow+`""}]`, `[`+follow+`"4"}]`),
			`{"active_addons_count_mean":1.3333333333333333,"addon_version":""}`},
		{columnRows("active_addons", `[`+follow+`null}]`), `{"active_addons_count_mean":1.0,"addon_version":null}`},
		{columnRows("active_addons", `[{"addon_id":"Followonsearch@mozilla.com","version":"1"}]`), `{"addon_version":null}`},
	})
}

// The first known value of the group's pings, in order (D7).
func TestSearchFirsts(t *testing.T) {
	rows := dailyRows(t, "search_clients_daily",
		`{"country":null,"os":"","locale":"de","search_counts":[`+element(`"a"`, `"s"`, `1`)+`]}`,
		`{"country":"??","os":"Linux","locale":"en","search_counts":[`+element(`"a"`, `"s"`, `1`)+`,`+element(`"b"`, `"s"`, `1`)+`]}`,
		`{"country":"DE","profile_creation_date":5,"search_counts":[`+element(`"a"`, `"s"`, `1`)+`]}`)
	want := map[any]string{
		"a": `{"country":"??","os":"","locale":"de","profile_creation_date":5,"sample_id":null}`,
		"b": `{"country":"??","os":"Linux","locale":"en","profile_creation_date":null}`,
	}
	for _, r := range rows {
		checkColumns(t, r, want[r["engine"]], "first")
	}
}

// The copies with underscores.
func TestSearchCopies(t *testing.T) {
	for _, r := range dailyRows(t, "search_clients_daily",
		searchRow(element(`"g"`, `"sap:x"`, `1`), element(`"g"`, `"follow-on:x"`, `2`), element(`"g"`, `"x"`, `3`))) {
		if toJSON(r["tagged-sap"]) != toJSON(r["tagged_sap"]) || toJSON(r["tagged-follow-on"]) != toJSON(r["tagged_follow_on"]) {
			t.Errorf("%s", toJSON(r))
		}
	}
}
