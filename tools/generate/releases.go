package generate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/tools/generate/random"
)

// release is a version of the browser that became available on a day.
type release struct {
	version string
	day     int
}

func released(version, date string) release { return release{version, mustDay(date)} }

// releases lists the releases of the release channel in the simulated periods: around the begin of 2018, and in 2026.
var releases = []release{
	released("56.0", "2017-09-28"), released("56.0.1", "2017-10-09"), released("56.0.2", "2017-10-26"),
	released("57.0", "2017-11-14"), released("57.0.1", "2017-11-29"), released("57.0.2", "2017-12-07"),
	released("57.0.3", "2017-12-28"), released("57.0.4", "2018-01-04"),
	released("58.0", "2018-01-23"), released("58.0.1", "2018-01-29"), released("58.0.2", "2018-02-07"),
	released("59.0", "2018-03-13"), released("59.0.1", "2018-03-16"), released("59.0.2", "2018-03-26"),
	released("59.0.3", "2018-04-30"), released("60.0", "2018-05-09"), released("60.0.1", "2018-05-16"),
	released("150.0", "2026-01-27"), released("151.0", "2026-02-24"), released("152.0", "2026-03-24"), released("153.0", "2026-04-21"),
	released("154.0", "2026-05-19"), released("155.0", "2026-06-16"), released("156.0", "2026-07-14"), released("157.0", "2026-08-11"),
	released("158.0", "2026-09-08"), released("159.0", "2026-10-06"), released("160.0", "2026-11-03"),
}

// supported lists the releases of the channel with extended support.
var supported = []release{
	released("52.4.1", "2017-10-09"), released("52.5.0", "2017-11-14"), released("52.6.0", "2018-01-23"),
	released("52.7.0", "2018-03-13"), released("52.7.3", "2018-03-26"), released("60.0", "2018-05-09"),
	released("153.0.0", "2026-04-21"), released("153.2.0", "2026-06-16"), released("153.4.0", "2026-08-11"), released("153.7.0", "2026-11-03"),
}

// trains are the days on which a major version became the release.
var trains = []struct{ major, day int }{
	{56, mustDay("2017-09-28")}, {57, mustDay("2017-11-14")}, {58, mustDay("2018-01-23")},
	{59, mustDay("2018-03-13")}, {60, mustDay("2018-05-09")},
	{152, mustDay("2026-03-24")}, {153, mustDay("2026-04-21")}, {154, mustDay("2026-05-19")}, {155, mustDay("2026-06-16")},
	{156, mustDay("2026-07-14")}, {157, mustDay("2026-08-11")}, {158, mustDay("2026-09-08")}, {159, mustDay("2026-10-06")},
	{160, mustDay("2026-11-03")},
}

// train is the kind of channel that builds come from.
type train uint8

const (
	releaseTrain train = iota
	esrTrain
	betaTrain
	nightlyTrain
)

// channel is an update channel by the name that clients send.
type channel struct {
	name string
	train
}

var channels = []weighted[channel]{
	{790, channel{"release", releaseTrain}},
	{85, channel{"beta", betaTrain}},
	{40, channel{"esr", esrTrain}},
	{35, channel{"nightly", nightlyTrain}},
	{15, channel{"aurora", betaTrain}},
	{8, channel{"default", releaseTrain}}, // own builds
	{8, channel{"release-cck-example", releaseTrain}},
	{6, channel{"nightly-cck-example", nightlyTrain}},
	{5, channel{"beta-cck-example", betaTrain}},
	{4, channel{"nightly-ux", nightlyTrain}},
	{2, channel{"Release", releaseTrain}},
}

// build is one build of the browser.
type build struct {
	version, display, id string
	major                int
}

// latest returns the number of the newest build that a train has on a day. Numbers ascend within a train.
func (t train) latest(day int) int {
	switch t {
	case nightlyTrain:
		return day
	case betaTrain:
		return day - day%3 // a new one every third day
	case esrTrain:
		return latestOf(supported, day)
	}
	return latestOf(releases, day)
}

func latestOf(list []release, day int) int {
	n := 0
	for n+1 < len(list) && list[n+1].day <= day {
		n++
	}
	return n
}

// build describes the n-th build of a train.
func (t train) build(n int) build {
	switch t {
	case nightlyTrain:
		major, _ := trainOf(n)
		v := fmt.Sprintf("%d.0a1", major+2)
		return build{v, v, buildID(n), major + 2}
	case betaTrain:
		major, since := trainOf(n)
		v := fmt.Sprintf("%d.0", major+1)
		return build{v, fmt.Sprintf("%sb%d", v, 1+max(n-since, 0)/3%16), buildID(n), major + 1}
	case esrTrain:
		return ofRelease(supported[n], "esr")
	}
	return ofRelease(releases[n], "")
}

func ofRelease(r release, suffix string) build {
	number, _, _ := strings.Cut(r.version, ".")
	major, _ := strconv.Atoi(number) // as it is in the lists
	return build{r.version, r.version + suffix, buildID(r.day - 2), major}
}

// trainOf returns the major version that is the release on a day, and since when.
func trainOf(day int) (major, since int) {
	n := 0
	for n+1 < len(trains) && trains[n+1].day <= day {
		n++
	}
	return trains[n].major, trains[n].day
}

// buildID returns the name of a day's build: date and time of day.
func buildID(day int) string {
	at := int64(day)*daySec + 10*hour + int64(random.Scramble(uint64(day))%(3*hour))
	return time.Unix(at, 0).UTC().Format("20060102150405")
}
