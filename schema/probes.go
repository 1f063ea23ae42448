package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Probes are the measurements that become columns of main_summary besides the
// fixed ones: which user preferences, scalars and histograms a browser records
// and in which of its processes. They are configuration, read by LoadProbes from
// the definition files that browser vendors keep; docs of the file formats are
// at LoadProbes.
type Probes struct {
	Version      string      // of main_summary, "v4": another one lies beside those before
	UserPrefs    []UserPref  // in the order of the list
	Scalars      []Scalar    // sorted by Column; each makes one column per process
	AddonScalars []Scalar    // sorted by Column, which is the key in the addon-scalar maps
	Histograms   []Histogram // whitelisted and usable ones, sorted by Name
	Release      []Histogram // those that release versions record by default, sorted by Name; longitudinal has columns of them
	Searches     []string    // parts of the browser from which clients_daily counts searches beside the six of 2018
	Columnless   []Columnless
}

// Columnless is a scalar, or a histogram of the whitelist, that has no column.
type Columnless struct {
	Name string
	Why  string
}

// UserPref is a preference of the ping's environment that has a column.
type UserPref struct {
	Name   string // as in the ping: "dom.ipc.processCount"
	Column string // whole column name: "user_pref_dom_ipc_processcount"
	Kind   prefKind
}

// Scalar is one scalar definition.
type Scalar struct {
	Name      string // as in the ping: "browser.engagement.tab_open_event_count"
	Column    string // Name with dots as underscores; ColumnIn has the whole column name
	Kind      ScalarKind
	Keyed     bool
	Processes []Process // those that have a column, ascending, never empty; nil for addon scalars
	Doc       string    // one line, may be empty
	OptOut    bool      // release versions record it by default
}

// ColumnIn returns the name of the scalar's column for one process, such as
// scalar_parent_browser_engagement_tab_open_event_count.
func (s Scalar) ColumnIn(p Process) string { return "scalar_" + p.String() + "_" + s.Column }

// Histogram is one histogram definition.
type Histogram struct {
	Name      string // as in the ping: "GC_MAX_PAUSE_MS_2"
	Kind      HistogramKind
	Keyed     bool
	Labels    []string  // categorical only: label of bucket 0, 1, …
	Processes []Process // those that have a column, ascending, never empty
	Doc       string    // one line, may be empty

	// Bounds of linear and exponential histograms: lowest and highest bucket
	// boundary (Low is 1 when the definition has none) and number of buckets.
	Low, High, Buckets int
	// NValues is the number of values of enumerated histograms.
	NValues int
	// OptOut means that release versions record it by default.
	OptOut bool

	columnless string // why it has no column in main_summary
	unsized    bool   // a size is missing or symbolic
}

// ColumnIn returns the name of the histogram's column for one process, such as histogram_parent_gc_max_pause_ms_2.
func (h Histogram) ColumnIn(p Process) string {
	return "histogram_" + p.String() + "_" + strings.ToLower(h.Name)
}

// Hash identifies the columns that the probes make of a ping: two sets with the
// same hash give the same columns and values. Docs and bucket bounds do not count, the
// order of user preferences does. It is lower-case hexadecimal SHA-256.
func (p *Probes) Hash() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, u := range p.UserPrefs {
		_ = enc.Encode([]any{"pref", u.Name, u.Column, u.Kind.String()}) // a hash never fails to write
	}
	for i, list := range [][]Scalar{p.Scalars, p.AddonScalars} {
		for _, s := range list {
			_ = enc.Encode([]any{"scalar", i, s.Name, s.Column, s.Kind.String(), s.Keyed, processNames(s.Processes)})
		}
	}
	for _, g := range p.Histograms {
		_ = enc.Encode([]any{"histogram", g.Name, g.Kind.String(), g.Keyed, g.Labels, processNames(g.Processes)})
	}
	for _, part := range p.Searches {
		_ = enc.Encode([]any{"searches", part})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// LoadProbes reads the probe definitions of a folder, or the embedded default
// set when dir is "", or those of a Firefox of 2026 when it is FirefoxProbes. A folder
// replaces the default file by file; a file that is absent is the embedded one. The files:
//
//   - Scalars.yaml: section, name, definition {kind, keyed, record_in_processes, release_channel_collection, description};
//   - AddonScalars.yaml: the same; definitions recorded in process "dynamic" count;
//   - Histograms.json: name, definition {kind, keyed, record_in_processes, releaseChannelCollection, low, high, n_buckets,
//     n_values, labels, description};
//   - main_summary.yaml: user_prefs, a list of {name, type}, histogram_whitelist, a list of names or ["*"],
//     table_version, a text such as v5, search_sources, a list of texts such as urlbar-handoff, and processes, those
//     that "all" means in the other files. A member that is absent keeps its default; an empty list means none.
//
// Further members of a definition are ignored. All problems of all files are
// returned, joined, each in one line that names the file and the definition.
func LoadProbes(dir string) (*Probes, error) {
	if err := checkProbesDir(dir); err != nil {
		return nil, err
	}
	var all []error
	read := func(name string, parse func([]byte, *problems)) {
		at := &problems{file: name}
		b, err := readProbesFile(dir, name)
		if err != nil {
			at.add("", err)
		} else {
			parse(b, at)
		}
		all = append(all, at.errs...)
	}

	var p Probes
	var list probesList
	read("main_summary.yaml", func(b []byte, at *problems) { list = parseProbesList(b, at) })
	read("Scalars.yaml", func(b []byte, at *problems) { p.Scalars, p.Columnless = parseScalars(b, list.processes, at) })
	read("AddonScalars.yaml", func(b []byte, at *problems) { p.AddonScalars = parseAddonScalars(b, at) })
	read("Histograms.json", func(b []byte, at *problems) {
		var without []Columnless
		all := parseHistograms(b, list.processes, at)
		p.Release = release(all)
		p.Histograms, without = list.pick(all, at)
		p.Columnless = append(p.Columnless, without...)
	})
	p.UserPrefs, p.Version, p.Searches = list.userPrefs, list.version, list.searches
	if err := errors.Join(all...); err != nil {
		return nil, err
	}
	return &p, nil
}

// problems collects what is wrong with one file.
type problems struct {
	file string
	errs []error
}

// add records a problem of one definition, or of the file when name is "".
func (p *problems) add(name string, err error) {
	if name != "" {
		err = fmt.Errorf("%s: %w", oneLine(name), err)
	}
	p.errs = append(p.errs, fmt.Errorf("probes: %s: %w", p.file, err))
}

func (p *problems) addf(name, format string, args ...any) {
	p.add(name, fmt.Errorf(format, args...))
}

// oneLine returns the name itself, quoted if it would break or flood the line.
func oneLine(name string) string {
	if len(name) > 200 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return describe(name)
	}
	return name
}

// columnSet finds definitions that would share a column. Most SQL engines
// compare column names without regard to case, so it does as well.
type columnSet map[string]string

// claim reports whether the column was free; otherwise it records the problem.
func (c columnSet) claim(column, name string, at *problems) bool {
	key := strings.ToLower(column)
	if first, taken := c[key]; taken {
		at.addf(name, "column %s is already made by %s", oneLine(column), oneLine(first))
		return false
	}
	c[key] = name
	return true
}

// checkName refuses names that cannot become part of a column: engines that
// read parquet do not agree on anything but plain characters.
func checkName(name string) error {
	if name == "" {
		return errors.New("name is empty")
	}
	for _, r := range name {
		if r <= ' ' || r > '~' || strings.ContainsRune("\"'`\\,;=(){}", r) {
			return fmt.Errorf("name has %q, which cannot be in a column name", r)
		}
	}
	return nil
}
