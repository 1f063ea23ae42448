package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// dailyCase is rows of main_summary and columns of the only row made of them.
type dailyCase struct {
	rows []string
	want string
}

func checkDays(t *testing.T, table string, cases []dailyCase) {
	t.Helper()
	for _, c := range cases {
		rows := dailyRows(t, table, c.rows...)
		if len(rows) != 1 {
			t.Errorf("%v: %d rows", c.rows, len(rows))
			continue
		}
		checkColumns(t, rows[0], c.want, strings.Join(c.rows, " "))
	}
}

// column makes rows of one column.
func columnRows(name string, values ...string) []string {
	var rows []string
	for _, v := range values {
		rows = append(rows, `{"`+name+`":`+v+`}`)
	}
	return rows
}

func TestDailyCommonRules(t *testing.T) {
	checkDays(t, "clients_daily", []dailyCase{
		// first: "", false and 0 are values; each column on its own (D7).
		{columnRows("os", `null`, `""`, `"Linux"`), `{"os":""}`}, {columnRows("e10s_enabled", `null`, `false`, `true`), `{"e10s_enabled":false}`},
		{columnRows("cpu_count", `null`, `0`, `4`), `{"cpu_count":0}`},
		{columnRows("install_year", `null`, `9223372036854775807`, `1`), `{"install_year":9223372036854775807}`},
		{[]string{`{"os":"a"}`, `{"channel":"b","os":"c"}`, `{"locale":"d","channel":"e"}`},
			`{"os":"a","channel":"b","locale":"d","vendor":null}`},
		// sums: of 64 bits, nulls skipped.
		{columnRows("plugin_hangs", `null`, `2147483647`, `2147483647`, `null`, `-1`), `{"plugin_hangs_sum":4294967293}`},
		{columnRows("plugin_hangs", `null`, `null`), `{"plugin_hangs_sum":null}`},
		{columnRows("plugin_hangs", `null`, `0`), `{"plugin_hangs_sum":0}`},
		// means: doubles, nulls skipped.
		{columnRows("first_paint", `1`, `null`, `2`), `{"first_paint_mean":1.5}`},
		{columnRows("first_paint", `null`), `{"first_paint_mean":null}`},
		{columnRows("first_paint", `0`, `-1`, `0`, `0`), `{"first_paint_mean":-0.25}`},
		{columnRows("first_paint", `3`), `{"first_paint_mean":3.0}`},
		{columnRows("client_clock_skew", `9223372036854775807`, `9223372036854775807`), `{"client_clock_skew_mean":9.223372036854776e+18}`},
		// the largest
		{columnRows("scalar_parent_browser_engagement_unique_domains_count", `-5`, `null`, `-7`),
			`{"scalar_parent_browser_engagement_unique_domains_count_max":-5,"scalar_parent_browser_engagement_unique_domains_count_mean":-6.0}`},
		{columnRows("scalar_parent_browser_engagement_max_concurrent_tab_count", `null`),
			`{"scalar_parent_browser_engagement_max_concurrent_tab_count_max":null}`},
		// sessions begun: never null
		{columnRows("subsession_counter", `1`, `2`, `null`, `1`, `-1`), `{"sessions_started_on_this_day":2}`},
		{columnRows("subsession_counter", `null`), `{"sessions_started_on_this_day":0}`},
		{columnRows("submission_date_obj", `"20180301"`), `{"submission_date_obj":"20180301","sample_id":null}`},
		// both processes of the same row
		{[]string{`{"scalar_parent_webrtc_nicer_turn_401s":1}`, `{"scalar_content_webrtc_nicer_turn_401s":2}`},
			`{"scalar_combined_webrtc_nicer_turn_401s_sum":null}`},
		{[]string{`{"scalar_parent_webrtc_nicer_turn_401s":1,"scalar_content_webrtc_nicer_turn_401s":2}`,
			`{"scalar_content_webrtc_nicer_turn_401s":9}`,
			`{"scalar_parent_webrtc_nicer_turn_401s":0,"scalar_content_webrtc_nicer_turn_401s":2147483647}`},
			`{"scalar_combined_webrtc_nicer_turn_401s_sum":2147483650,"scalar_combined_webrtc_nicer_turn_403s_sum":null}`},
	})
}

// Seconds are hours of six decimals, each row rounded half away from zero.
func TestDailyHours(t *testing.T) {
	for _, c := range []struct{ seconds, want string }{
		{`0`, `"0.000000"`}, {`1`, `"0.000278"`}, {`2`, `"0.000556"`}, {`3600`, `"1.000000"`}, {`-1`, `"-0.000278"`}, {`9`, `"0.002500"`},
		{`1,1`, `"0.000556"`}, {`1,null,-1`, `"0.000000"`},
		{`null`, `null`}, {`null,null`, `null`}, {`2147483647`, `"596523.235278"`}, {`-2147483648`, `"-596523.235556"`},
		{`2147483647,2147483647`, `"1193046.470556"`},
	} {
		checkDays(t, "clients_daily", []dailyCase{
			{columnRows("total_time", strings.Split(c.seconds, ",")...), `{"total_hours_sum":` + c.want + `,"subsession_hours_sum":null}`},
			{columnRows("subsession_length", strings.Split(c.seconds, ",")...), `{"subsession_hours_sum":` + c.want + `,"total_hours_sum":null}`},
		})
	}
	for _, c := range []struct{ seconds, want string }{ // 64 bits; 2^63 / 3600 is 2562047788015215.502222…
		{`9223372036854775807`, `"2562047788015215.501944"`}, {`-9223372036854775808`, `"-2562047788015215.502222"`},
		{`9223372036854775807,9223372036854775807`, `"5124095576030431.003888"`}, {`1125899906842624`, `"312749974122.951111"`},
		{`-1125899906842623`, `"-312749974122.950833"`},
		{`1125899906842623`, `"312749974122.950833"`},
	} {
		checkDays(t, "clients_daily", []dailyCase{
			{columnRows("subsession_length", strings.Split(c.seconds, ",")...), `{"subsession_hours_sum":` + c.want + `}`}})
	}
}

// Ticks of five seconds are hours of eleven decimals.
func TestDailyActiveHours(t *testing.T) {
	checkDays(t, "clients_daily", []dailyCase{
		{columnRows("active_ticks", `1`), `{"active_hours_sum":0.00138888889}`},
		{columnRows("active_ticks", `-1`), `{"active_hours_sum":-0.00138888889}`},
		{columnRows("active_ticks", `720`, `null`, `360`), `{"active_hours_sum":1.5}`},
		{columnRows("active_ticks", `0`), `{"active_hours_sum":0.0}`},
		{columnRows("active_ticks", `null`), `{"active_hours_sum":null}`},
		{columnRows("active_ticks", `721`), `{"active_hours_sum":1.00138888889}`},
	})
}

// The first row with a known country decides all four columns.
func TestDailyPlaces(t *testing.T) {
	place := func(country, city, one, two string) string {
		return `{"country":` + country + `,"city":` + city + `,"geo_subdivision1":` + one + `,"geo_subdivision2":` + two + `}`
	}
	for _, c := range []struct {
		rows []string
		want string
	}{
		{[]string{place(`"DE"`, `"Berlin"`, `"BE"`, `"x"`)}, place(`"DE"`, `"Berlin"`, `"BE"`, `"x"`)},
		{[]string{place(`"DE"`, `null`, `null`, `null`)}, place(`"DE"`, `"??"`, `"??"`, `"??"`)},
		{[]string{place(`"DE"`, `"??"`, `""`, `null`)}, place(`"DE"`, `"??"`, `""`, `"??"`)},
		{[]string{place(`"??"`, `"Berlin"`, `"BE"`, `"x"`), place(`null`, `"Bonn"`, `"y"`, `"z"`)}, place(`null`, `null`, `null`, `null`)},
		{[]string{place(`null`, `"Bonn"`, `"y"`, `"z"`), place(`"DE"`, `null`, `"BE"`, `null`), place(`"US"`, `"Reno"`, `"NV"`, `"w"`)},
			place(`"DE"`, `"??"`, `"BE"`, `"??"`)},
		{[]string{place(`""`, `"Bonn"`, `null`, `null`), place(`"DE"`, `"Berlin"`, `null`, `null`)}, place(`""`, `"Bonn"`, `"??"`, `"??"`)},
	} {
		checkDays(t, "clients_daily", []dailyCase{{c.rows, c.want}})
	}
	// Catalog and schema show the docs of the columns.
	for _, c := range schema.ClientsDaily().Columns {
		if c.Rule == schema.RulePlace {
			require.Equal(t, c.Name != "country", strings.Contains(c.Doc, "??"), c.Doc)
			require.Contains(t, c.Doc, "null when there is none", c.Name)
		}
	}
}

func TestDailyExperiments(t *testing.T) {
	checkDays(t, "clients_daily", []dailyCase{
		{columnRows("experiments", `null`), `{"experiments":{}}`}, {columnRows("experiments", `{}`, `null`), `{"experiments":{}}`},
		{columnRows("experiments", `{"a":null}`), `{"experiments":{}}`},
		{columnRows("experiments", `{"a":"1"}`, `{"a":"2","b":""}`, `null`, `{"c":null}`), `{"experiments":{"a":"1","b":""}}`},
		{columnRows("experiments", `{"a":null,"b":"1","c":null}`, `{}`, `{"a":"2","b":null}`, `{"":"3"}`),
			`{"experiments":{"a":"2","b":"1","":"3"}}`},
	})
}

// Ids of any length, once each.
func TestDailyDocuments(t *testing.T) {
	id := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	for _, c := range []struct {
		ids  []string
		want int
	}{
		{[]string{`null`}, 0}, {[]string{`null`, `""`}, 1}, {[]string{`""`, `""`, `null`}, 1}, {[]string{id(36), id(36)}, 1},
		{[]string{id(35), id(36), id(37), id(36), id(37), id(35)}, 3},
		{[]string{`"a"`, `"b"`, `"a"`, id(1000), id(1001), id(1000)}, 4},
	} {
		checkDays(t, "clients_daily", []dailyCase{
			{columnRows("document_id", c.ids...), fmt.Sprintf(`{"pings_aggregated_by_this_row":%d}`, c.want)}})
	}
	// The same id counts for each client.
	rows := dailyRows(t, "clients_daily", `{"client_id":"a","document_id":`+id(36)+`}`, `{"client_id":"b","document_id":`+id(36)+`}`,
		`{"client_id":"a","document_id":"x"}`, `{"client_id":"b","document_id":null}`)
	for i, want := range []string{`{"client_id":"a","pings_aggregated_by_this_row":2}`, `{"client_id":"b","pings_aggregated_by_this_row":1}`} {
		checkColumns(t, rows[i], want, "client")
	}
}

func TestDailyProfile(t *testing.T) {
	row := func(start, created string) string {
		return `{"subsession_start_date":` + start + `,"profile_creation_date":` + created + `}`
	}
	checkDays(t, "clients_daily", []dailyCase{ // 2018-03-01 is day 17591
		{[]string{row(`"2018-03-01T23:30:00.0-08:00"`, `17590`)}, `{"profile_age_in_days":1,"profile_creation_date":"2018-02-28 00:00:00"}`},
		{[]string{row(`"2018-3-1"`, `17592`)}, `{"profile_age_in_days":-1,"profile_creation_date":"2018-03-02 00:00:00"}`},
		{[]string{row(`"bad"`, `17591`), row(`"2018-03-01"`, `null`), row(`"2018-03-01"`, `17000`), row(`"2018-03-01"`, `17001`)},
			`{"profile_age_in_days":591,"profile_creation_date":"2018-03-01 00:00:00"}`},
		{[]string{row(`"2018-03-01"`, `null`), row(`null`, `17000`)},
			`{"profile_age_in_days":null,"profile_creation_date":"2016-07-18 00:00:00"}`},
		{[]string{row(`"2018-03-01"`, `-9223372036854775808`), row(`"2018-03-01"`, `0`)},
			`{"profile_age_in_days":17591,"profile_creation_date":"1970-01-01 00:00:00"}`},
		{[]string{row(`"2018-03-01"`, `2932897`), row(`"2018-03-01"`, `17000`), row(`"2018-03-01"`, `0`)},
			`{"profile_age_in_days":591,"profile_creation_date":"2016-07-18 00:00:00"}`},
		{[]string{row(`"2018"`, `17532`), row(`"2018-3"`, `0`)}, `{"profile_age_in_days":0}`},
		{[]string{row(`"2018-03"`, `17590`)}, `{"profile_age_in_days":1}`},
		{[]string{row(`"2018-03-01"`, `9223372036854775807`)}, `{"profile_age_in_days":null,"profile_creation_date":null}`},
		{[]string{row(`"2018-03-01"`, `2932896`)}, `{"profile_age_in_days":-2915305}`},
		{[]string{row(`"2018-03-01"`, `2932897`)}, `{"profile_age_in_days":null}`},
		{[]string{row(`"2018-03-01"`, `-719162`)}, `{"profile_age_in_days":736753}`},
		{[]string{row(`"2018-03-01"`, `-719163`)}, `{"profile_age_in_days":null}`},
		{[]string{row(`null`, `null`)}, `{"profile_age_in_days":null,"profile_creation_date":null}`},
	})
}

// TestDailySearchSources counts searches from further parts of the browser, and all others together.
func TestDailySearchSources(t *testing.T) {
	p := probesOf(t, map[string]string{"main_summary.yaml": "search_sources: [urlbar-handoff, webextension]\n"})
	d := openDailyOf(t, schema.NewSet(p).Tables, "clients_daily")
	search := func(source, count string) string {
		return `{"engine":"e","source":` + source + `,"count":` + count + `}`
	}
	row := fromJSON(t, `{"client_id":"c","search_counts":[`+strings.Join([]string{
		search(`"urlbar"`, "1"), search(`"system"`, "2"), search(`"urlbar-handoff"`, "4"), search(`"webextension"`, "8"),
		search(`"smartbar"`, "16"),
		search(`null`, "32"), search(`"sap:urlbar"`, "64"), search(`"smartbar"`, "-1"), search(`"urlbar-handoff"`, "null"),
	}, ",")+`]}`).(map[string]any)
	d.add(t, day{row}, 2)
	rows := d.finish(t)
	require.Len(t, rows, 1)
	checkColumns(t, rows[0],
		`{"search_count_all":3,"search_count_urlbar":1,"search_count_system":2,"search_count_newtab":0,"search_count_urlbar_handoff":4,
		"search_count_webextension":8,"search_count_other":48,"search_count_sap_all":63}`, "sources")
}

func TestDailySearches(t *testing.T) {
	search := func(source, count string) string {
		return `{"engine":"e","source":` + source + `,"count":` + count + `}`
	}
	zero := `"search_count_abouthome":0,"search_count_contextmenu":0,"search_count_newtab":0,"search_count_searchbar":0,` +
		`"search_count_system":0,"search_count_urlbar":0`
	checkDays(t, "clients_daily", []dailyCase{
		{columnRows("search_counts", `null`), `{"search_count_all":0,` + zero + `}`},
		{columnRows("search_counts", `[]`), `{"search_count_all":0,` + zero + `}`},
		{columnRows("search_counts", "["+search(`"urlbar"`, `1`)+","+search(`"urlbar"`, `10000`)+","+search(`"system"`, `2`)+"]",
			"["+search(`"newtab"`, `4`)+"]", `null`, "["+search(`"urlbar"`, `8`)+"]"),
			`{"search_count_all":10015,"search_count_urlbar":10009,"search_count_system":2,"search_count_newtab":4,"search_count_abouthome":0}`},
		{columnRows("search_counts", "["+search(`"urlbar"`, `-5`)+","+search(`"urlbar"`, `null`)+","+search(`"urlbar"`, `0`)+","+
			search(`null`, `3`)+","+search(`"Urlbar"`, `3`)+","+search(`"sap:urlbar"`, `3`)+","+search(`""`, `3`)+"]"),
			`{"search_count_all":0,` + zero + `}`},
		{columnRows("search_counts", "["+search(`"contextmenu"`, `1`)+","+search(`"abouthome"`, `2`)+","+
			search(`"searchbar"`, `9223372036854775804`)+"]"),
			`{"search_count_all":9223372036854775807,"search_count_contextmenu":1,"search_count_abouthome":2,` +
				`"search_count_searchbar":9223372036854775804}`},
		{columnRows("search_counts", "["+search(`"urlbar"`, `9223372036854775807`)+","+search(`"newtab"`, `1`)+"]"),
			`{"search_count_all":null,"search_count_urlbar":9223372036854775807,"search_count_newtab":1}`},
	})
}

// One row for each client, those without an id together, the others by id.
func TestDailyClients(t *testing.T) {
	rows := dailyRows(t, "clients_daily", `{"client_id":"b","os":"1"}`, `{"os":"2"}`, `{"client_id":"","os":"3"}`, `{"client_id":"a"}`,
		`{"client_id":"b","os":"4","plugin_hangs":1}`, `{"os":"5"}`)
	var got []string
	for _, r := range rows {
		got = append(got, toJSON([]any{r["client_id"], r["os"], r["plugin_hangs_sum"]}))
	}
	if want := `["",` + `"3",null] ["a",null,null] ["b","1",1] [null,"2",null]`; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if rows := dailyRows(t, "clients_daily"); len(rows) != 0 {
		t.Errorf("%d rows of nothing", len(rows))
	}
}
