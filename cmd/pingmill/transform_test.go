package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const (
	metaLine = `{"meta":{"documentId":"d","submissionDate":"20180301","timestamp":1},"ping":{}}`
	noRow    = `{"meta":{"submissionDate":"20180301","timestamp":1},"ping":{}}`
	rawPing  = `{"type":"main","version":4,"payload":{},"application":{}}`
	request  = `{"uri":"/submit/telemetry/d/main/Firefox/58/release/1","timestamp":1,"body":""}`
	mainRow  = `{"document_id":"d","client_id":"c","submission_date_obj":"20180301"}`
)

// Lines of output stay beside those of input whatever these are, and what is
// wrong with them is told.
func TestTransformLines(t *testing.T) {
	for _, c := range []struct {
		table, line string
		rows        string // of the output: R for a row, 0 for null
		says        string
	}{
		{"main_summary", metaLine, "R", ""},
		{"main_summary", noRow, "0", ""},
		{"main_summary", `{"outcome":"error","meta":{}}`, "0", ""},
		{"main_summary", `{broken`, "0", "line 2: no JSON"},
		{"main_summary", strings.Replace(metaLine, `"ping":{}`, `"ping":7`, 1), "0", "line 2: read ping"},
		{"main_summary", `{"meta":7,"ping":{}}`, "0", "line 2: read meta"},
		{"main_summary", `[` + metaLine + `]`, "0", "line 2: a JSON array: give its elements a line each"},
		{"main_summary", rawPing, "0", `line 2: a ping without metadata: main_summary takes {"meta":`},
		{"main_summary", request, "0", "line 2: a submission: decode it first: pingmill decode | pingmill transform main_summary"},
		{"crash_summary", mainRow, "0", "line 2: a row: addons, clients_daily and search_clients_daily take rows of main_summary"},
		{"main_summary", `{}`, "0", "line 2: an object, not a ping with metadata"},
		{"main_summary", `{"attributeMap":{},"payload":""}`, "0", "line 2: a Pub/Sub message"},
		{"clients_daily", mainRow, "", ""},
		{"clients_daily", `null`, "", ""},
		{"clients_daily", `7`, "", "line 2: no JSON object"},
		{"clients_daily", metaLine, "", "line 2: a ping with metadata, not a row: make it one first: pingmill transform main_summary | pingmill transform clients_daily"},
		{"addons", request, "", "line 2: a submission, not a row"},
		{"addons", rawPing, "", "line 2: a ping without metadata, not a row"},
		{"clients_daily", `{"client_id":"c","memory_mb":"x"}`, "", "line 2: column memory_mb"},
	} {
		good := metaLine
		if c.rows == "" {
			good = mainRow
		}
		code, out, errs := call(strings.NewReader(good+"\n"+c.line+"\n\n"+good+"\n"), "transform", c.table)
		if (code != 0) != (c.says != "") || !strings.Contains(errs, c.says) || c.says != "" && !strings.Contains(errs, "transform: a line could not be used") {
			t.Errorf("transform %s of %s: exit %d, says %q", c.table, c.line, code, errs)
		}
		rows := strings.NewReplacer("null\n", "0").Replace(out)
		for _, r := range strings.Split(strings.TrimSpace(out), "\n") {
			if strings.HasPrefix(r, "{") {
				rows = strings.Replace(rows, r+"\n", "R", 1)
			}
		}
		if want := "R" + c.rows + "R"; c.rows != "" && rows != want {
			t.Errorf("transform %s of %s: lines %s, want %s", c.table, c.line, rows, want)
		} else if c.rows == "" && !strings.Contains(rows, "R") && c.table != "addons" {
			t.Errorf("transform %s of %s: %s", c.table, c.line, out)
		}
	}
	code, out, errs := call(strings.NewReader(strings.Repeat("x\n", 1000)), "transform", "main_summary")
	if code != 1 || strings.Count(out, "null\n") != 1000 || strings.Count(errs, "\n") > 20 || !strings.Contains(errs, "1000 lines could not be used") {
		t.Errorf("many bad lines: exit %d, %s", code, errs)
	}
}

// A client has a row of each day, and only its pings of the day count.
func TestTransformDays(t *testing.T) {
	in := `{"client_id":"a","submission_date_obj":"20180302","os":"second","timestamp":1}
{"client_id":"a","submission_date_obj":"20180301","os":"first","timestamp":3}
{"client_id":"a","submission_date_obj":"20180302","plugin_hangs":2,"timestamp":2}
{"client_id":"b","os":"none"}`
	out := mustCallWith(t, in, "transform", "clients_daily")
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		row := decodeRow(t, line)
		got = append(got, strings.Join([]string{row["client_id"].(string), text(row["submission_date_obj"]), text(row["os"]), text(row["plugin_hangs_sum"])}, " "))
	}
	if want := "b null none null, a 20180301 first null, a 20180302 second 2"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestTransformLeavesOut(t *testing.T) {
	in := `{"meta":{"documentId":"d","submissionDate":"20180301","timestamp":1},"ping":{"environment":{"settings":{"locale":"` + strings.Repeat("x", 1<<17) + `"}}}}`
	code, out, errs := call(strings.NewReader(in), "transform", "main_summary")
	if code != 0 || !strings.Contains(out, `"locale":null`) || !strings.Contains(errs, "left out: locale 1") {
		t.Errorf("exit %d, says %q", code, errs)
	}
}

func TestDecodeLines(t *testing.T) {
	for line, says := range map[string]string{
		request: "", `{broken`: "", `{}`: "",
		rawPing:             `line 1: a ping without metadata: decode takes submissions`,
		metaLine:            `line 1: a ping with metadata: it is decoded already: give it to pingmill transform`,
		mainRow:             `line 1: a row: decode takes submissions`,
		`[` + request + `]`: `line 1: a JSON array`,
	} {
		code, out, errs := call(strings.NewReader(line), "decode")
		if (code != 0) != (says != "") || !strings.Contains(errs, says) || strings.Count(out, "\n") != 1 {
			t.Errorf("decode of %s: exit %d, %q, says %q", line, code, out, errs)
		}
	}
}

func mustCallWith(t *testing.T, in string, args ...string) string {
	t.Helper()
	code, out, errs := call(strings.NewReader(in), args...)
	if code != 0 {
		t.Fatalf("pingmill %s: exit %d, %s", strings.Join(args, " "), code, errs)
	}
	return out
}

func decodeRow(t *testing.T, line string) (row map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &row); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return row
}

// text is a value as it is, null spelt out.
func text(v any) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(v)
}
