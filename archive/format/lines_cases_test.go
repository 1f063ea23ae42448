package format

import "strings"

// lineCases are files with the records and errors they must give; of an error
// the beginning counts.
var lineCases = []struct{ name, file, want string }{
	{"ping", `{"meta":{"documentId":"a","sampleId":4,"telemetryEnabled":true,"other":1},"ping":{"type":"main"}}`,
		`0 0 {"documentId":"a","sampleId":4,"telemetryEnabled":"true"} {"type":"main"}`},
	{"ping without metadata", `{"ping":{}}`, `0 0 {} {}`},
	{"ping with null metadata", `{"meta":null,"ping":{ } }`, `0 0 {} { }`},
	{"outcome of decode", `{"outcome":"ping","meta":{"docType":"main"},"ping":{"a":[1,{}]}}`, `0 0 {"docType":"main"} {"a":[1,{}]}`},
	{"submission", `{"uri":"/submit/x\/y","timestamp":5,"headers":{"Date":"now","DNT":1},"remoteAddr":"::1","body":"e30=",` +
		`"meta":{"geoCountry":"CA"}}`,
		`0 1 {"geoCountry":"CA"} {} /submit/x/y 5 ::1 Date=now`},
	{"submission with the time in meta", `{"body":null,"meta":{"timestamp":7}}`, `0 1 {"timestamp":7}   7 `},
	{"message", `{"attributeMap":{"uri":"/submit/x","submission_timestamp":"2018-03-12T21:02:18.123456Z","date":"now",` +
		`"x_forwarded_for":"1.2.3.4","remote_addr":"5.6.7.8","x_pingsender_version":"1.0","args":"v=4"},"payload":"e30="}`,
		`0 1 {"Date":"now","xPingSenderVersion":"1.0"} {} /submit/x 1520888538123456000 5.6.7.8 Date=now X-Forwarded-For=1.2.3.4 ` +
			`X-PingSender-Version=1.0`},
	{"decoded message", `{"payload":"e30=","attributeMap":{"document_id":"id","document_namespace":"telemetry","document_type":"main",` +
		`"document_version":"4","app_name":"Firefox","app_version":"61","app_update_channel":"beta","app_build_id":"2018",` +
		`"submission_timestamp":"2018-03-12T21:02:18Z","geo_country":"CA","sample_id":"42","client_id":"c","user_agent_os":"Windows",` +
		`"normalized_channel":"beta"}}`,
		`0 1 {"documentId":"id","docType":"main","clientId":"c","appName":"Firefox","appVersion":"61","appUpdateChannel":"beta",` +
			`"appBuildId":"2018","normalizedChannel":"beta","geoCountry":"CA","sourceName":"telemetry","sourceVersion":"4"} {} ` +
			`/submit/telemetry/id/main/Firefox/61/beta/2018 1520888538000000000 `},
	{"decoded generic message", `{"data":"e30=","attributes":{"document_id":"id","document_namespace":"org-mozilla",` +
		`"document_type":"baseline","submission_timestamp":"2018-03-12T21:02:18Z","app_build_id":"1234/A"}}`,
		`0 1 {"documentId":"id","docType":"baseline","appBuildId":"1234/A","sourceName":"org-mozilla"} {} /submit/org-mozilla/baseline/1/id ` +
			`1520888538000000000 `},
	{"pushed message", `{"message":{"attributes":{"uri":"/u","submission_timestamp":"2018-03-12T21:02:18Z"},"data":"e30="}}`,
		`0 1 {} {} /u 1520888538000000000 `},
	{"order mark, blanks and CRLF", "\uFEFF\r\n \t\n{\"ping\":{}}\r\n\n", `8 0 {} {}`},
	{"two lines", "{\"ping\":{}}\n{\"ping\":{\"a\":1}}", `0 0 {} {}
12 0 {} {"a":1}`},
	{"deepest document", `{"ping":{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}}`,
		`0 0 {} {"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`},
	{"too deep", `{"ping":{"a":` + strings.Repeat("[", 512) + strings.Repeat("]", 512) + `}}`,
		`record at byte 0: ping: invalid JSON at byte 516: `},
	{"empty", "", ""},

	{"ping of another type", `{"ping":[]}`, `record at byte 0: the ping is not an object [{"ping":[]}]`},
	{"bad ping", `{"ping":{"a":tru}}`, `record at byte 0: ping: invalid JSON at byte 8: `},
	{"bad meta", `{"meta":{"a":tru},"ping":{}}`, `record at byte 0: meta: invalid JSON`},
	{"meta of another type", `{"meta":7,"ping":{}}`, `record at byte 0: meta is not an object`},
	{"nothing known", `{"outcome":"error"}`, `record at byte 0: neither a ping nor a submission nor a message`},
	{"cut", "{\"ping\":{}}\n{\"ping\":{\"a\":\"", `0 0 {} {}
record at byte 12: invalid JSON at byte 14: `},
	{"damaged line between", "{\"ping\":{}}\nx{\"ping\"}\n{\"ping\":{}}", `0 0 {} {}
record at byte 12: invalid JSON at byte 0:
22 0 {} {}`},
	{"first line damaged", "garbage\n{\"ping\":{}}", `record at byte 0: invalid JSON
8 0 {} {}`},
	{"no time", `{"uri":"/x"}`, `record at byte 0: the timestamp is missing or no integer of 64 bits`},
	{"fraction as time", `{"uri":"/x","timestamp":1.5}`, `record at byte 0: the timestamp is missing`},
	{"body of another type", `{"timestamp":1,"body":{}}`, `record at byte 0: the body is not a string`},
	{"body not base64", `{"timestamp":1,"body":"!"}`, `record at byte 0: body: illegal base64 data`},
	{"bad submission", `{"timestamp":1,"body":"",}`, `record at byte 0: invalid JSON`},
	{"message without time", `{"attributeMap":{"uri":"/u"},"payload":""}`, `record at byte 0: the message has no submission_timestamp`},
	{"message with a bad time", `{"attributeMap":{"uri":"/u","submission_timestamp":"soon"},"payload":""}`,
		`record at byte 0: submission_timestamp "soon" is no time`},
	{"message out of time", `{"attributeMap":{"uri":"/u","submission_timestamp":"3018-03-12T21:02:18Z"},"payload":""}`,
		`record at byte 0: submission_timestamp "3018`},
	{"message of nothing", `{"attributeMap":{"document_id":"a/b","document_type":"x","document_namespace":"y",` +
		`"submission_timestamp":"2018-03-12T21:02:18Z"}}`,
		`record at byte 0: the message has neither a uri nor`},
}
