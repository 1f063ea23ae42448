package glean

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed builtin/glean-core.txt
var coreFile string

// readCore parses the metrics of the SDK.
var readCore = sync.OnceValue(func() []*Metric { return metricsOf(coreFile, core) })

// metricsOf parses a built-in list: type, id and pings of a metric in a line.
func metricsOf(list, from string) (all []*Metric) {
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] == "#" {
			continue
		}
		all = append(all, &Metric{Type: fields[0], ID: fields[1], Pings: fields[2:], from: from})
	}
	return all
}

func coreMetrics() []*Metric { return slices.Clone(readCore()) }

// corePings returns the pings that every application sends.
func corePings() []*Ping {
	return []*Ping{
		{Name: "baseline", Description: "Sent when the application becomes active or inactive.", ClientID: true, InfoSection: true,
			WithInfo: true},
		{Name: "events", Description: "Events of a session.", ClientID: true, InfoSection: true, WithInfo: true},
		{Name: "health", Description: "The state of the SDK.", ClientID: true, InfoSection: true, WithInfo: true},
		{Name: "metrics", Description: "Metrics of a day.", ClientID: true, InfoSection: true, WithInfo: true},
	}
}

// desktop is the application id of Firefox desktop.
const desktop = "firefox-desktop"

//go:embed builtin/firefox-desktop.json.gz
var desktopFile []byte

// desktopDefinitions are facts about the pings of Firefox desktop. Metrics are named by their columns.
type desktopDefinitions struct {
	Source  string                         `json:"source"`
	Pings   map[string][]string            `json:"pings"`   // what each has: client_id, info_sections, events
	Metrics map[string]map[string][]string `json:"metrics"` // columns by type and pings
	Extras  map[string][]string            `json:"extras"`  // extra keys of events by type
}

// crashReporter is the application id of the program that sends the crash pings of a Firefox for desktops.
const crashReporter = "firefox-crashreporter"

//go:embed builtin/firefox-crashreporter.txt
var crashReporterFile string

// crashReporterDefinitions returns the definitions of crash pings. It sends no others.
func crashReporterDefinitions() *Application {
	return &Application{
		ID:      crashReporter,
		Source:  "crash pings of Firefox 153, and names of metrics in its crash reporter",
		Metrics: slices.Concat(metricsOf(crashReporterFile, crashReporter), coreMetricsOf(crashPing)),
		Pings:   []*Ping{{Name: crashPing, ClientID: true, InfoSection: true, WithInfo: true}},
	}
}

// coreMetricsOf returns the metrics of the SDK that all pings have, for a single one.
func coreMetricsOf(ping string) (all []*Metric) {
	for _, m := range readCore() {
		if slices.Contains(m.Pings, allPings) {
			own := *m
			own.Pings = []string{ping}
			all = append(all, &own)
		}
	}
	return all
}

// Firefox returns the built-in definitions of Firefox desktop.
func Firefox() (Definitions, error) {
	var raw desktopDefinitions
	r, err := gzip.NewReader(bytes.NewReader(desktopFile))
	if err == nil {
		err = json.NewDecoder(r).Decode(&raw)
	}
	if err != nil {
		return nil, fmt.Errorf("built-in definitions of Firefox: %w", err)
	}
	app := &Application{ID: desktop, Source: raw.Source, Pings: corePings()}
	newer := &Application{ID: desktop, Source: raw.Source}
	var withEvents []string
	for name, has := range raw.Pings {
		info := slices.Contains(has, "info_sections")
		newer.Pings = append(newer.Pings, &Ping{
			Name: name, ClientID: slices.Contains(has, "client_id"), InfoSection: info, WithInfo: info, WithoutInfo: !info})
		if slices.Contains(has, "events") {
			withEvents = append(withEvents, name)
		}
	}
	known := map[string]string{} // ids of the SDK's metrics
	for _, m := range readCore() {
		known[m.column()] = m.ID
	}
	for typ, groups := range raw.Metrics {
		for pings, columns := range groups {
			for _, c := range columns {
				m := &Metric{Type: typ, Column: c, Pings: strings.Fields(pings), from: desktop}
				if id := known[c]; id != "" {
					m.ID, m.Column = id, ""
				}
				newer.Metrics = append(newer.Metrics, m)
			}
		}
	}
	slices.Sort(withEvents)
	for typ, keys := range raw.Extras {
		m := &Metric{Type: Event, Column: "extras of type " + typ, Pings: withEvents, Extra: map[string]string{}, from: desktop}
		for _, k := range keys {
			m.Extra[k] = typ
		}
		newer.Metrics = append(newer.Metrics, m)
	}
	app = app.with(newer)
	crashes := crashReporterDefinitions()
	return Definitions{desktop: app, crashReporter: crashes}, errors.Join(app.check(), crashes.check())
}
