package schema

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// probesList is main_summary.yaml: what is taken of the many probes there are.
type probesList struct {
	userPrefs []UserPref
	whitelist []string
	version   string
	searches  []string
	processes []Process // "all" in record_in_processes
}

// everyHistogram in the whitelist stands for all histograms of Histograms.json but those of the vendor's tests.
const everyHistogram = "*"

// parseProbesList reads main_summary.yaml. Members that it lacks come from
// the embedded file, because the reference lists their columns.
func parseProbesList(b []byte, at *problems) probesList {
	list, hasPrefs, hasWhitelist := parseProbesFile(b, at)
	if list.version == "" {
		list.version = mainVersion
	}
	if list.processes == nil {
		list.processes = usualProcesses
	}
	if hasPrefs && hasWhitelist {
		return list
	}
	b, err := embeddedProbes.ReadFile("probes/main_summary.yaml")
	if err != nil {
		at.add("", err)
		return list
	}
	usual, _, _ := parseProbesFile(b, at)
	if !hasPrefs {
		list.userPrefs = usual.userPrefs
	}
	if !hasWhitelist {
		list.whitelist = usual.whitelist
	}
	return list
}

func parseProbesFile(b []byte, at *problems) (list probesList, hasPrefs, hasWhitelist bool) {
	y := yamlFile{at: at}
	root, err := y.parse(b)
	if err != nil {
		at.add("", err)
		return list, true, true
	}
	y.members("", root, func(key string, n *yaml.Node) {
		switch key {
		case "user_prefs":
			hasPrefs = true
			list.userPrefs = y.userPrefs(n)
		case "histogram_whitelist":
			hasWhitelist = true
			list.whitelist, _, err = definition{key: y.value(n)}.texts(key)
			if err != nil {
				at.add("", err)
			}
		case "table_version":
			list.version = y.version(n)
		case "search_sources":
			list.searches = y.searches(n)
		case "processes":
			list.processes = y.processes(n)
		default:
			at.addf(key, "unknown member (want user_prefs, histogram_whitelist, table_version, search_sources or processes)")
		}
	})
	return list, hasPrefs, hasWhitelist
}

// version reads the version of main_summary, which is a folder of its location
// and part of the names of views.
func (y *yamlFile) version(n *yaml.Node) string {
	v, ok := y.value(n).(string)
	if digits := strings.TrimPrefix(v, "v"); !ok || digits == v || digits == "" || strings.Trim(digits, "0123456789") != "" {
		y.at.addf("table_version", "is %s (want a text such as v5)", describe(y.value(n)))
	}
	return v
}

// searches reads the parts of the browser from which searches are counted beside the six of 2018.
func (y *yamlFile) searches(n *yaml.Node) []string {
	const key = "search_sources"
	parts, _, err := definition{key: y.value(n)}.texts(key)
	if err != nil {
		y.at.add("", err)
		return nil
	}
	columns := columnSet{}
	for _, part := range parts {
		switch {
		case part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "":
			y.at.addf(key, "%q is no part of the browser (want small letters, digits, - and _)", part)
		case slices.ContainsFunc(clientsDailyColumns, func(c Column) bool { return c.Name == searchColumn(part) }), part == "other",
			part == "sap_all":
			y.at.addf(key, "%q has a column already", part)
		default:
			columns.claim(searchColumn(part), part, y.at)
		}
	}
	return parts
}

// processes reads the processes that "all" means in record_in_processes.
func (y *yamlFile) processes(n *yaml.Node) []Process {
	const key = "processes"
	names, _, err := definition{key: y.value(n)}.texts(key)
	if err != nil {
		y.at.add("", err)
	}
	list := []Process{} // not nil: the list is there
	for _, name := range names {
		p, ok := kindNamed[Process](name, processColumnNames)
		switch {
		case !ok:
			y.at.addf(key, "unknown process %s (want %s)", describe(name), choice(processColumnNames))
		case slices.Contains(list, p):
			y.at.addf(key, "%s is there twice", name)
		default:
			list = append(list, p)
		}
	}
	return list
}

func (y *yamlFile) userPrefs(n *yaml.Node) []UserPref {
	n = follow(n)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		y.at.addf("user_prefs", "is %s (want a list of {name, type})", describe(plain(n)))
		return nil
	}
	var prefs []UserPref
	columns := columnSet{}
	for i, item := range n.Content {
		where := fmt.Sprintf("user_prefs: entry %d", i+1)
		d := y.definition(where, item, "name", "type")
		if d == nil {
			continue
		}
		u, ok := y.userPref(where, d)
		if ok && columns.claim(u.Column, u.Name, y.at) {
			prefs = append(prefs, u)
		}
	}
	return prefs
}

func (y *yamlFile) userPref(where string, d definition) (u UserPref, ok bool) {
	name, ok := d["name"].(string)
	if !ok {
		y.at.addf(where, "name is %s (want a text)", describe(d["name"]))
		return u, false
	}
	if err := checkName(name); err != nil {
		y.at.add(where, err)
		return u, false
	}
	where = "user_prefs: " + name
	kind, ok := d["type"].(string)
	if !ok {
		y.at.addf(where, "type is %s (want %s)", describe(d["type"]), choice(prefKindNames))
		return u, false
	}
	u = UserPref{Name: name, Column: prefColumn(name)}
	if u.Kind, ok = kindNamed[prefKind](kind, prefKindNames); !ok {
		y.at.addf(where, "unknown type %s (want %s)", describe(kind), choice(prefKindNames))
	}
	return u, ok
}

// prefColumn names the column of a preference. Dashes become underscores as
// well: the reference's user_pref_dom_ipc_plugins_sandbox_level_flash needs it.
func prefColumn(name string) string {
	return "user_pref_" + strings.NewReplacer(".", "_", "-", "_").Replace(strings.ToLower(name))
}

// pick returns the whitelisted ones of the histograms, in their order, and the
// names of the whitelist that have no column.
func (l probesList) pick(all []Histogram, at *problems) (picked []Histogram, without []Columnless) {
	every := slices.Contains(l.whitelist, everyHistogram)
	for _, name := range l.whitelist {
		if name != everyHistogram && !slices.ContainsFunc(all, func(h Histogram) bool { return h.Name == name }) {
			without = append(without, Columnless{name, "Histograms.json does not define it"})
		}
	}
	columns := columnSet{}
	for _, h := range all {
		if !slices.Contains(l.whitelist, h.Name) && (!every || strings.HasPrefix(h.Name, "TELEMETRY_TEST_")) {
			continue
		}
		if h.columnless != "" {
			without = append(without, Columnless{h.Name, h.columnless})
			continue
		}
		if err := checkName(h.Name); err != nil {
			at.add(h.Name, err)
			continue
		}
		free := true
		for _, p := range h.Processes {
			free = free && columns.claim(h.ColumnIn(p), h.Name, at)
		}
		if free {
			picked = append(picked, h)
		}
	}
	return picked, without
}
