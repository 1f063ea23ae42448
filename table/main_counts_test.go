package table

import (
	"fmt"
	"strings"
	"testing"
)

// sum(H) is rule I on the member sum.
func TestSums(t *testing.T) {
	p := mainTable(t)
	for value, want := range map[string]string{
		`{"sum":5}`: `5`, `{"sum":0}`: `0`, `{"sum":-1.9}`: `-1`, `{"sum":2147483648}`: `null`, `{"sum":"5"}`: `null`, `{"sum":null}`: `null`,
		`{"sum":true}`: `null`,
		`{}`:           `null`, `[]`: `null`, `null`: `null`, `5`: `null`, `{"sum":1,"sum":2}`: `2`, `{"\u0073um":3}`: `3`,
	} {
		checkPings(t, p, []pingCase{
			{wrap("payload/histograms/PUSH_API_NOTIFY", value), `{"push_api_notify":` + want + `}`},
			{wrap("payload/keyedHistograms/SUBPROCESS_CRASHES_WITH_DUMP/pluginhang", value),
				`{"plugin_hangs":` + want + `,"crashes_detected_plugin":null}`},
			{wrap("payload/keyedHistograms/SUBPROCESS_KILL_HARD/ShutDownKill", value), `{"shutdown_kill":` + want + `}`},
			{wrap("payload/processes/content/histograms/PUSH_API_NOTIFY", value), `{"push_api_notify":null}`},
		})
	}
}

func TestSyncColumns(t *testing.T) {
	p := mainTable(t)
	for values, want := range map[string]string{
		`{"1":1}`: `true`, `{"0":2}`: `false`, `{"0":1,"1":0}`: `false`, `{"0":1,"1":1}`: `true`, `{"0":0,"1":0}`: `null`,
		`{"1":-1,"0":1}`: `false`,
		`{"1":1.0}`:      `null`, `{"1":"1"}`: `null`, `{"1":true,"0":3}`: `false`, `{}`: `null`, `[]`: `null`, `null`: `null`, `{"2":1}`: `null`,
		`{"1":99999999999999999999}`: `true`, `{"1":-99999999999999999999,"0":99999999999999999999}`: `false`,
		`{"1":9223372036854775808}`: `true`, `{"1":-9223372036854775808}`: `null`, `{"1":-9223372036854775809}`: `null`,
		`{"1":-18446744073709551615,"0":1}`: `false`,
	} {
		checkPings(t, p, []pingCase{{wrap("payload/histograms/WEAVE_CONFIGURED/values", values), `{"sync_configured":` + want + `}`}})
	}
	for values, want := range map[string]string{
		`{"0":1,"3":2,"10":0,"x":5,"7":1.5,"8":"1","9":null}`: `3`, `{"3":2,"2":1}`: `3`, `{"0":1}`: `0`, `{"0":0}`: `null`, `{}`: `null`,
		`[1]`: `null`, `{"4":-1}`: `null`,
		`{"":1,"1.0":1," 2":1}`: `null`, `{"3":99999999999999999999,"1":1}`: `3`, `{"2147483648":1,"2":1}`: `2`,
		`{"3":-9223372036854775809,"1":1}`: `1`, `{"3":-18446744073709551615}`: `null`,
	} {
		checkPings(t, p, []pingCase{
			{wrap("payload/histograms/WEAVE_DEVICE_COUNT_DESKTOP/values", values), `{"sync_count_desktop":` + want + `,"sync_count_mobile":null}`},
			{wrap("payload/histograms/WEAVE_DEVICE_COUNT_MOBILE/values", values), `{"sync_count_mobile":` + want + `,"sync_count_desktop":null}`},
		})
	}
}

func TestPlacesMeans(t *testing.T) {
	p := mainTable(t)
	for h, want := range map[string]string{
		`{"sum":10,"values":{"1":3}}`: `3`, `{"sum":9,"values":{"1":2,"5":1}}`: `3`, `{"sum":0,"values":{"0":5}}`: `0`, `{"sum":0}`: `0`,
		`{"sum":0,"values":null}`:     `0`,
		`{"sum":-1,"values":{"1":1}}`: `null`, `{"sum":7,"values":{"0":2,"1":"x","2":1.5,"3":null}}`: `3`, `{"sum":7,"values":{}}`: `null`,
		`{"sum":7}`: `null`, `{"sum":7,"values":{"0":0}}`: `null`,
		`{"sum":7,"values":{"a":2}}`: `3`, `{"sum":1.0,"values":{"1":1}}`: `null`, `{"sum":"7","values":{"1":1}}`: `null`,
		`{"values":{"1":1}}`: `null`, `{}`: `null`, `[]`: `null`, `7`: `null`,
		`{"sum":1,"values":{"1":2}}`: `0`, `{"sum":2147483648,"values":{"1":1}}`: `null`, `{"sum":4294967294,"values":{"1":2}}`: `2147483647`,
		`{"sum":7,"values":{"0":-2}}`:                         `-4`,
		`{"sum":5,"values":{"1":1,"2":99999999999999999999}}`: `null`, `{"sum":5,"values":{"1":1,"2":-9223372036854775809}}`: `null`,
		`{"sum":5,"values":{"1":9223372036854775807,"2":9223372036854775807,"3":4}}`: `null`,
		`{"sum":5,"values":{"1":9223372036854775807,"2":-9223372036854775805}}`:      `2`,
		`{"sum":18014398501093375,"values":{"0":8388608}}`:                           `2147483646`, // 2147483647 less a little
	} {
		checkPings(t, p, []pingCase{
			{wrap("payload/histograms/PLACES_BOOKMARKS_COUNT", h), `{"places_bookmarks_count":` + want + `,"places_pages_count":null}`},
			{wrap("payload/histograms/PLACES_PAGES_COUNT", h), `{"places_pages_count":` + want + `}`},
		})
	}
}

// popup writes the struct of a popup's counts: all 0 but the given ones.
func popup(counts string) string {
	s := "{"
	for i, name := range []string{
		"offered", "action_1", "action_2", "action_3", "action_last", "dismissal_click_elsewhere", "dismissal_leave_page",
		"dismissal_close_button", "dismissal_not_now", "open_submenu", "learn_more",
		"reopen_offered", "reopen_action_1", "reopen_action_2", "reopen_action_3", "reopen_action_last", "reopen_dismissal_click_elsewhere",
		"reopen_dismissal_leave_page",
		"reopen_dismissal_close_button", "reopen_dismissal_not_now", "reopen_open_submenu", "reopen_learn_more",
	} {
		if i > 0 {
			s += ","
		}
		n := "0"
		if _, rest, ok := strings.Cut(" "+counts, " "+name+"="); ok {
			n, _, _ = strings.Cut(rest, " ")
		}
		s += `"` + name + `":` + n
	}
	return s + "}"
}

func TestPopupStats(t *testing.T) {
	p := mainTable(t)
	every := ""
	for b := range 40 {
		every += fmt.Sprintf(`"%d":%d,`, b, b+100)
	}
	everyWant := "offered=100 action_1=101 action_2=102 action_3=103 action_last=104 dismissal_click_elsewhere=105 " +
		"dismissal_leave_page=106 dismissal_close_button=107 dismissal_not_now=108 " +
		"open_submenu=110 learn_more=111 reopen_offered=120 reopen_action_1=121 reopen_action_2=122 reopen_action_3=123 " +
		"reopen_action_last=124 reopen_dismissal_click_elsewhere=125 " +
		"reopen_dismissal_leave_page=126 reopen_dismissal_close_button=127 reopen_dismissal_not_now=128 reopen_open_submenu=130 " +
		"reopen_learn_more=131"
	checkPings(t, p, within("payload/keyedHistograms/POPUP_NOTIFICATION_STATS",
		pingCase{`{"a":{"values":{` + strings.TrimSuffix(every, ",") + `}}}`, `{"popup_notification_stats":{"a":` + popup(everyWant) + `}}`},
		pingCase{`{"a":{"values":{"0":1,"1":2.0,"2":"3","3":null,"4":-5,"5":true,"05":7,"6":2147483648}},"none":{"sum":1},"b c":{"values":{}}}`,
			`{"popup_notification_stats":{"a":` + popup("offered=1 action_last=-5 dismissal_leave_page=null") + `,"b c":` + popup("") + `}}`},
		pingCase{`{"a":{"values":[]}}`, `{"popup_notification_stats":{"a":` + popup("") + `}}`},
		pingCase{`{"a":{},"b":null,"c":5,"d":[]}`, `{"popup_notification_stats":null}`},
		pingCase{`{}`, `{"popup_notification_stats":null}`}, pingCase{`[]`, `{"popup_notification_stats":null}`},
		pingCase{`null`, `{"popup_notification_stats":null}`},
	))
}

func TestPluginNotification(t *testing.T) {
	p := mainTable(t)
	checkPings(t, p, within("payload/histograms/PLUGINS_NOTIFICATION_USER_ACTION",
		pingCase{`{"values":{"0":1,"1":2,"2":3,"3":4}}`, `{"plugins_notification_user_action":{"allow_now":1,"allow_always":2,"block":3}}`},
		pingCase{`{"values":{"0":1.0,"1":2147483648,"2":"3"}}`,
			`{"plugins_notification_user_action":{"allow_now":0,"allow_always":null,"block":0}}`},
		pingCase{`{"values":{}}`, `{"plugins_notification_user_action":{"allow_now":0,"allow_always":0,"block":0}}`},
		pingCase{`{}`, `{"plugins_notification_user_action":null}`}, pingCase{`null`, `{"plugins_notification_user_action":null}`},
	))
}

func TestHandshakes(t *testing.T) {
	p := mainTable(t)
	all, sum, want := "", 0, ""
	for code := range 700 {
		all += fmt.Sprintf(`"%d":%d,`, code, code)
		if code > 0 && code < 672 {
			sum += code
			want += fmt.Sprintf(`"%d":%d,`, code, code)
		}
	}
	for values, want := range map[string]string{
		`{"0":5,"1":2,"671":3,"672":9,"2":1.0,"-1":4,"01":8,"+3":1,"x":1,"4":null,"5":"6","6":0,"7":-1}`: `5,4,{"0":5,"1":2,"671":3}`,
		`{` + all + `"1":1}`:         fmt.Sprintf(`0,%d,{%s}`, sum, strings.TrimSuffix(want, ",")),
		`{"0":0}`:                    `0,0,{}`,
		`{"0":0.5,"1":true}`:         `null,0,{}`,
		`{}`:                         `null,0,{}`,
		`{"0":-2,"3":-4}`:            `-2,-4,{}`,
		`{"0":2147483648,"1":2}`:     `null,2,{"0":null,"1":2}`,
		`{"1":2147483647,"2":1}`:     `null,null,{"1":2147483647,"2":1}`,
		`{"1":2147483648,"2":-1}`:    `null,2147483647,{"1":null}`,
		`{"1":3000000000}`:           `null,null,{"1":null}`,
		`{"1":99999999999999999999}`: `null,null,{"1":null}`,
	} {
		body := wrap("payload/histograms/SSL_HANDSHAKE_RESULT/values", values)
		row := pingRowOf(t, p, usualMeta, body)
		got := toJSON(row["ssl_handshake_result_success"]) + "," + toJSON(row["ssl_handshake_result_failure"]) + "," +
			toJSON(row["ssl_handshake_result"])
		if toJSON(fromJSON(t, "["+want+"]")) != "["+got+"]" {
			t.Errorf("%.200s: %s, want %s", values, got, want)
		}
	}
	checkPings(t, p, within("payload/histograms/SSL_HANDSHAKE_RESULT",
		pingCase{`{"sum":5}`, `{"ssl_handshake_result_success":null,"ssl_handshake_result_failure":0,"ssl_handshake_result":null}`},
		pingCase{`null`, `{"ssl_handshake_result_success":null,"ssl_handshake_result_failure":0,"ssl_handshake_result":null}`},
	))
}

func TestSearchCounts(t *testing.T) {
	p := mainTable(t)
	for key, want := range map[string]string{
		`google.urlbar`: `"google","urlbar"`, `a.b.c`: `"a.b","c"`, `a..b`: `"a.","b"`, `a..`: `"a","."`, `...`: `".","."`, `..a`: `".","a"`,
		`a.b.`:              `"a","b."`,
		`google.sap:urlbar`: `"google","sap:urlbar"`, `\u0061\u002eb`: `"a","b"`, `a b.c d`: `"a b","c d"`, `é.😀`: `"é","😀"`,
		`a\t.\u0001`: `"a\t","\u0001"`,
		``:           `null,null`, `a`: `null,null`, `.`: `null,null`, `..`: `null,null`, `.a`: `null,null`, `a.`: `null,null`, `ab`: `null,null`,
		`a\n.b`: `null,null`, `a.b\n`: `null,null`, `a.b\r`: `null,null`, `\u0085a.b`: `null,null`, `a.\u2028b`: `null,null`,
		`a.b\u2029`: `null,null`,
	} {
		row := pingRowOf(t, p, usualMeta, wrap("payload/keyedHistograms/SEARCH_COUNTS", `{"`+key+`":{"sum":1}}`))
		s := row["search_counts"].([]any)[0].(map[string]any)
		if got := toJSON([]any{s["engine"], s["source"]}); got != toJSON(fromJSON(t, "["+want+"]")) || toJSON(s["count"]) != "1" {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
	element := func(count string) string { return `{"engine":"a","source":"b","count":` + count + `}` }
	var cases []pingCase
	for value, want := range map[string]string{
		`{"sum":0}`: `0`, `{"sum":-5}`: `-5`, `{"sum":9223372036854775807}`: `9223372036854775807`, `{"sum":9223372036854775808}`: `null`,
		`{"sum":1.0}`: `null`,
		`{"sum":"1"}`: `null`, `{}`: `null`, `null`: `null`, `5`: `null`, `[]`: `null`,
	} {
		cases = append(cases, pingCase{`{"a.b":` + value + `}`, `{"search_counts":[` + element(want) + `]}`})
	}
	cases = append(cases,
		pingCase{`{"x":null,"a.b":{"sum":2}}`, `{"search_counts":[{"engine":null,"source":null,"count":null},` + element("2") + `]}`},
		pingCase{`{"a.b":{"sum":1},"a.b":{"sum":2}}`, `{"search_counts":[` + element("2") + `]}`},
		pingCase{`{}`, `{"search_counts":null}`}, pingCase{`[]`, `{"search_counts":null}`}, pingCase{`null`, `{"search_counts":null}`},
		pingCase{`"a.b"`, `{"search_counts":null}`})
	checkPings(t, p, within("payload/keyedHistograms/SEARCH_COUNTS", cases...))
}
