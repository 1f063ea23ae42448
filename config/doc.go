// Package config is the configuration: one list of keys, and all that is derived
// from it. Each key is a line of a YAML file, a flag of the commands that use it and
// an environment variable. Flags win over the environment, the environment over
// the file, the file over the defaults. Bad configuration is an error that says
// where the value is and what is expected, before any work.
//
// To add a key, add it to All, in keys.go, at the place where the file should
// have it:
//
//	{Name: "query.memory", Flag: "query-memory", Type: Size, Default: "0", Min: 0,
//		Doc: "memory of all queries; 0: 80 % of the machine's", Commands: []string{"serve"}},
//
// and bind it where the command makes its flags:
//
//	config.Flag(cmd.Flags(), "query.memory", &f.memory)
//
// The flag, PINGMILL_QUERY_MEMORY, the check of type and range, the example file
// and docs/configuration.md follow; `go generate ./config` writes the last two. A
// new section gets a line in Sections. A condition on two keys is a line in Rules.
package config

//go:generate go test -run TestGenerated -update .
