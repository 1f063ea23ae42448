package schema

import (
	"slices"
	"strings"
)

// prefKind is the type of a user preference.
type prefKind uint8

// The types of user preferences; their columns are int, boolean and string.
const (
	prefInteger prefKind = iota
	prefBoolean
	prefString
)

var prefKindNames = []string{"integer", "boolean", "string"}

// String returns the name in main_summary.yaml.
func (k prefKind) String() string { return prefKindNames[k] }

// ScalarKind is the type of a scalar's value.
type ScalarKind uint8

// The kinds of scalars; their values are int, boolean and string.
const (
	ScalarUint ScalarKind = iota
	ScalarBoolean
	ScalarString
)

var scalarKindNames = []string{"uint", "boolean", "string"}

// String returns the name in Scalars.yaml.
func (k ScalarKind) String() string { return scalarKindNames[k] }

// HistogramKind is the way a histogram divides values into buckets.
type HistogramKind uint8

// The kinds of histograms. Count histograms are known, but never have a column.
const (
	HistogramFlag HistogramKind = iota
	HistogramBoolean
	HistogramCount
	HistogramEnumerated
	HistogramLinear
	HistogramExponential
	HistogramCategorical
)

var histogramKindNames = []string{"flag", "boolean", "count", "enumerated", "linear", "exponential", "categorical"}

// String returns the name in Histograms.json.
func (k HistogramKind) String() string { return histogramKindNames[k] }

// Process is a process of the browser whose probes have columns.
type Process uint8

// The processes, in the order of Scalar.Processes and Histogram.Processes.
const (
	ProcessParent Process = iota
	ProcessContent
	ProcessGPU
	processSocket
	processUtility
	processExtension
	processRDD
	processGMPlugin
	processVR
	NumProcesses
)

var processColumnNames = []string{"parent", "content", "gpu", "socket", "utility", "extension", "rdd", "gmplugin", "vr"}

// usualProcesses are those that "all" means in record_in_processes unless main_summary.yaml lists others.
var usualProcesses = []Process{ProcessParent, ProcessContent, ProcessGPU}

// String returns the name in columns and in the ping's payload/processes.
func (p Process) String() string { return processColumnNames[p] }

// processesOf returns the processes that get a column for a record_in_processes list, where "all" means the processes
// all; an absent list means these, too. Names of other processes give none.
func processesOf(recordIn []string, absent bool, all []Process) []Process {
	var on [NumProcesses]bool
	if absent {
		recordIn = []string{"all"}
	}
	for _, name := range recordIn {
		switch name {
		case "main":
			on[ProcessParent] = true
		case "all":
			for _, p := range all {
				on[p] = true
			}
		case "all_child", "all_childs", "all_children":
			for _, p := range all {
				on[p] = on[p] || p != ProcessParent
			}
		default:
			if p, ok := kindNamed[Process](name, processColumnNames); ok {
				on[p] = true
			}
		}
	}
	var ps []Process
	for p := range NumProcesses {
		if on[p] {
			ps = append(ps, p)
		}
	}
	return ps
}

// otherProcesses returns the reason that a probe of other processes has no column.
func otherProcesses(recordIn []string) string {
	in := "no process"
	if len(recordIn) > 0 {
		in = strings.Join(recordIn, ", ")
	}
	return "recorded in " + in + ": columns are of " + choice(processColumnNames)
}

func processNames(ps []Process) []string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.String()
	}
	return names
}

// kindNamed finds a kind by its name; kinds count from 0 in the order of names.
func kindNamed[K ~uint8](name string, names []string) (K, bool) {
	i := slices.Index(names, name)
	return K(max(i, 0)), i >= 0
}
