package config

import (
	"fmt"
	"slices"
	"strings"
)

// Type is the type of a key's value.
type Type uint8

// The comments name the Go types to which a flag of the type can be bound.
const (
	Text     Type = iota // *string
	List                 // *[]string
	Networks             // *[]netip.Prefix: CIDR, or an address alone
	Number               // *int: a whole number
	Size                 // *int64 or *int, in bytes: a number, or one with a unit
	Duration             // *time.Duration
	Bool                 // *bool
)

// Key is a setting.
type Key struct {
	Name     string // in the file; dots separate sections
	Flag     string
	Type     Type
	Default  string // as in a flag; elements of a list are separated by commas
	Doc      string // what it is, in one sentence without a period
	Min, Max int64  // of a Number, of a Size in bytes, of a Duration in ns; no bound where Max is 0
	// Check returns what is expected if a text, or an element of a list, is invalid; nil accepts everything.
	Check    func(text string) error
	Secret   bool     // never shown
	Commands []string // with the flag; none: every command that works on an installation
}

// Keys is a list of settings, in the order of the file.
type Keys []Key

// prefix is the prefix of all environment variables of the program.
const prefix = "PINGMILL_"

// FileVariable is the environment variable with the name of the configuration file.
const FileVariable = prefix + "CONFIG"

// testPrefix is the prefix of variables that tests use between their processes.
const testPrefix = prefix + "TEST_"

var variableName = strings.NewReplacer(".", "_", "-", "_")

// Variable returns the name of the key's environment variable.
func (k *Key) Variable() string {
	return prefix + strings.ToUpper(variableName.Replace(k.Name))
}

// list reports whether the key has several values.
func (k *Key) list() bool { return k.Type == List || k.Type == Networks }

// find returns the key of a name, or nil.
func (ks Keys) find(name string) *Key {
	if i := slices.IndexFunc(ks, func(k Key) bool { return k.Name == name }); i >= 0 {
		return &ks[i]
	}
	return nil
}

// section reports whether there are keys below a name.
func (ks Keys) section(name string) bool {
	return slices.ContainsFunc(ks, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") })
}

// unknown returns the error for a name that no key has, with the key that was probably meant. name is the name
// of a key or of a variable without its prefix.
func (ks Keys) unknown(name string) error {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer(".", "", "-", "", "_", "").Replace(s))
	}
	for i := range ks {
		k := &ks[i]
		last := k.Name[strings.LastIndexByte(k.Name, '.')+1:]
		own := name[strings.LastIndexByte(name, '.')+1:]
		if w := plain(own); w == plain(k.Flag) || w == plain(last) || plain(name) == plain(k.Name) {
			return fmt.Errorf("is unknown: did you mean %s (%s)?", k.Name, k.Variable())
		}
	}
	return fmt.Errorf("is unknown: `pingmill config --example` lists all keys")
}

// Call returns the name of a key of All in messages: the name with its flag.
func Call(name string) string {
	k := All.find(name)
	return k.Name + " (--" + k.Flag + ")"
}
