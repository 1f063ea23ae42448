// Package config defines the configuration: one list of keys, and everything derived from it. Each key is a
// line of a YAML file, a flag of the commands that use it and an environment variable. Flags override the
// environment, the environment overrides the file, the file the defaults. Invalid configuration is an error
// that names the place of the value and what is expected, before any work starts.
//
// To add a key, add it to All, in keys.go, at its place in the file:
//
//	{Name: "query.memory", Flag: "query-memory", Type: Size, Default: "0", Min: 0,
//		Doc: "memory of all queries; 0: 80 % of the machine's", Commands: []string{"serve"}},
//
// and bind it where the command defines its flags:
//
//	config.Flag(cmd.Flags(), "query.memory", &f.memory)
//
// The flag, PINGMILL_QUERY_MEMORY, the check of type and range, the example file and docs/configuration.md
// follow from it; `go generate ./config` writes the last two. A new section needs a line in Sections. A
// condition on two keys is a line in Rules.
package config

//go:generate go test -run TestGenerated -update .
