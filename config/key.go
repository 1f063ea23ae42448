package config

import (
	"fmt"
	"slices"
	"strings"
)

// Type is the type of a key's value.
type Type uint8

// The types, with what a flag of theirs is bound to.
const (
	Text     Type = iota // *string
	List                 // *[]string
	Networks             // *[]netip.Prefix: CIDR, or an address alone
	Number               // *int: a whole number
	Size                 // *int64 or *int, in bytes: a number, or one with a unit
	Duration             // *time.Duration
	Bool                 // *bool
)

// Key is one setting.
type Key struct {
	Name     string // in the file; dots separate sections
	Flag     string
	Type     Type
	Default  string // as in a flag; elements of a list are separated by commas
	Doc      string // what it is, in one sentence without a period
	Min, Max int64  // of a Number, of a Size in bytes, of a Duration in ns; no bound where Max is 0
	// Check says what is expected when a text, or an element of a list, is not
	// that; nil: everything is.
	Check    func(text string) error
	Secret   bool     // never shown
	Commands []string // that have the flag; none: every one that works on an installation
}

// Keys are settings, in the order of the file.
type Keys []Key

// prefix begins the names of all environment variables of the program.
const prefix = "PINGMILL_"

// FileVariable is the environment variable that names the configuration file.
const FileVariable = prefix + "CONFIG"

// testPrefix begins variables that tests use between their processes.
const testPrefix = prefix + "TEST_"

var variableName = strings.NewReplacer(".", "_", "-", "_")

// Variable is the name of the key's environment variable.
func (k *Key) Variable() string {
	return prefix + strings.ToUpper(variableName.Replace(k.Name))
}

// list says whether the key has several values.
func (k *Key) list() bool { return k.Type == List || k.Type == Networks }

// find is the key of a name, or nil.
func (ks Keys) find(name string) *Key {
	if i := slices.IndexFunc(ks, func(k Key) bool { return k.Name == name }); i >= 0 {
		return &ks[i]
	}
	return nil
}

// section says whether keys are below a name.
func (ks Keys) section(name string) bool {
	return slices.ContainsFunc(ks, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") })
}

// unknown is the error for a name that no key has, with the key that was
// probably meant. name is that of a key or of a variable without its prefix.
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

// Call is how messages call a key of All: its name, with its flag.
func Call(name string) string {
	k := All.find(name)
	return k.Name + " (--" + k.Flag + ")"
}
