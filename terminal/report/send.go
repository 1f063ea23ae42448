package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// Sent formats the result of sending.
func Sent(r *send.Report) string {
	var b strings.Builder
	n := humanize.Comma
	fmt.Fprintf(&b, "%s submissions in %s, %.1f/s: %s acknowledged, %s refused, %s given up, %s cut off; sent again %s times; %s of bodies\n",
		n(r.Submissions), r.Took.Round(time.Millisecond), r.Rate(), n(r.Acknowledged), n(r.Refused), n(r.GivenUp), n(r.Unfinished()),
		n(r.Retries), humanize.Bytes(uint64(r.Bytes)))
	var responses []string
	for _, status := range slices.Sorted(maps.Keys(r.Responses)) {
		responses = append(responses, strconv.Itoa(status)+" "+n(r.Responses[status]))
	}
	fmt.Fprintf(&b, "answers: %s; none %s", cmp.Or(strings.Join(responses, ", "), "none"), n(r.NoResponse))
	if r.LastError != nil {
		fmt.Fprintf(&b, " (the last time: %v)", r.LastError)
	}
	l := &r.Latency
	fmt.Fprintf(&b, "\nlatency: p50 %s, p90 %s, p99 %s, longest %s\n", short(l.P50), short(l.P90), short(l.P99), short(l.Max))
	return b.String()
}

// short rounds a duration to about three digits.
func short(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

// Account formats where the acknowledged ids were found.
func Account(a *loader.Account) string {
	var b strings.Builder
	n := humanize.Comma
	fmt.Fprintf(&b, "%s acknowledged document ids: %s pings, %s errors, %s with only duplicates, %s missing, %s more than once\n",
		n(a.Acked), n(a.InPings), n(a.InErrors), n(a.OnlyDuplicates), n(a.Missing), n(a.Repeated))
	var classes []string
	for _, class := range slices.Sorted(maps.Keys(a.ByClass)) {
		classes = append(classes, class+" "+n(a.ByClass[class]))
	}
	fmt.Fprintf(&b, "errors by class: %s; copies recognised as duplicates: %s; of ids not acknowledged: %s\n",
		cmp.Or(strings.Join(classes, ", "), "none"), n(a.Duplicates), n(a.Others))
	for _, e := range []struct {
		what string
		ids  []string
	}{
		{"missing", a.MissingIDs}, {"only duplicates", a.OnlyDuplicateIDs}, {"more than once", a.RepeatedIDs},
	} {
		if len(e.ids) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", e.what, strings.Join(e.ids, ", "))
		}
	}
	return b.String()
}

// Generated formats a summary of a generated population.
func Generated(s *generate.Summary) string {
	events, glean := "", int64(0)
	if n := s.ByDocType["event"]; n > 0 {
		events = ", " + humanize.Comma(n) + " event"
	}
	for kind, n := range s.ByDocType {
		if strings.Contains(string(kind), "/") {
			glean += n
		}
	}
	if glean > 0 {
		events += ", " + humanize.Comma(glean) + " by Glean"
	}
	return fmt.Sprintf("%s submissions, %s of JSON: %s main, %s crash, %s new-profile, %s update%s; %d damaged or odd, %d duplicates",
		humanize.Comma(s.Submissions), humanize.Bytes(uint64(s.Bytes)), humanize.Comma(s.ByDocType["main"]), humanize.Comma(s.ByDocType["crash"]),
		humanize.Comma(s.ByDocType["new-profile"]), humanize.Comma(s.ByDocType["update"]), events, s.Damaged, s.Duplicates)
}
