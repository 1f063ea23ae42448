package schema

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var scalarMembers = []string{"kind", "keyed", "record_in_processes", "release_channel_collection", "description"}

// parseScalars reads Scalars.yaml: the scalars that have columns of their own,
// and those that no process with a column records. The vendor's test group and
// mock scalars are neither. In record_in_processes, "all" means processes.
func parseScalars(b []byte, processes []Process, at *problems) (list []Scalar, without []Columnless) {
	columns := columnSet{}
	eachScalar(b, processes, at, func(section string, s Scalar, recordIn []string) {
		if section == "telemetry.test" || strings.HasPrefix(s.Name, "telemetry.mock") {
			return
		}
		if len(s.Processes) == 0 {
			without = append(without, Columnless{s.Name, otherProcesses(recordIn)})
			return
		}
		for _, p := range s.Processes {
			if !columns.claim(s.ColumnIn(p), s.Name, at) {
				return
			}
		}
		list = append(list, s)
	})
	return sortScalars(list), without
}

// parseAddonScalars reads AddonScalars.yaml: the scalars recorded in process
// "dynamic". They share a map column per kind, so only keys of one map can clash.
func parseAddonScalars(b []byte, at *problems) []Scalar {
	var list []Scalar
	keys := map[[2]any]columnSet{}
	eachScalar(b, nil, at, func(_ string, s Scalar, recordIn []string) {
		if !slices.Contains(recordIn, "dynamic") {
			return
		}
		s.Processes = nil
		in := [2]any{s.Kind, s.Keyed}
		if keys[in] == nil {
			keys[in] = columnSet{}
		}
		if keys[in].claim(s.Column, s.Name, at) {
			list = append(list, s)
		}
	})
	return sortScalars(list)
}

func sortScalars(list []Scalar) []Scalar {
	slices.SortFunc(list, func(a, b Scalar) int { return strings.Compare(a.Column, b.Column) })
	return list
}

// eachScalar calls f for each sound definition of a scalar file, with its
// section and the processes as written.
func eachScalar(b []byte, all []Process, at *problems, f func(section string, s Scalar, recordIn []string)) {
	y := yamlFile{at: at}
	root, err := y.parse(b)
	if err != nil {
		at.add("", err)
		return
	}
	y.members("", root, func(section string, names *yaml.Node) {
		y.members(section, names, func(name string, n *yaml.Node) {
			full := section + "." + name
			d := y.definition(full, n, scalarMembers...)
			if d == nil {
				return
			}
			s, recordIn, ok := scalarOf(full, d, all, at)
			if ok {
				f(section, s, recordIn)
			}
		})
	})
}

// scalarOf reads one definition and records all its problems.
func scalarOf(name string, d definition, all []Process, at *problems) (s Scalar, recordIn []string, ok bool) {
	before := len(at.errs)
	note := func(err error) {
		if err != nil {
			at.add(name, err)
		}
	}
	s = Scalar{Name: name, Column: strings.ReplaceAll(name, ".", "_"), Doc: d.doc(), OptOut: d["release_channel_collection"] == optOut}
	var err error
	note(checkName(name))
	s.Kind, err = definedKind[ScalarKind](d, scalarKindNames)
	note(err)
	s.Keyed, err = d.keyed()
	note(err)
	s.Processes, recordIn, err = d.processes(all)
	note(err)
	return s, recordIn, len(at.errs) == before
}
