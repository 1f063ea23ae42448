package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// flagValue is a key as a flag.
type flagValue struct {
	key   *Key
	to    any // nil: nothing
	value any
	given bool
}

// String returns the value in the form of a flag.
func (f *flagValue) String() string {
	if f == nil || f.value == nil {
		return ""
	}
	if parts, ok := f.value.([]string); ok {
		return strings.Join(parts, ",")
	}
	return f.value.(string) // a value is one of the two
}

// Type names the type in the help.
func (f *flagValue) Type() string { return types[f.key.Type].name }

// Set stores a value of the command line. If a list flag is repeated, its values are appended. Secrets are
// checked later, because flags print the values that they reject.
func (f *flagValue) Set(text string) error {
	value := f.key.split(text)
	if !f.key.Secret {
		if err := f.key.check(value); err != nil {
			return err
		}
	}
	if old, ok := f.value.([]string); ok && f.given {
		value = append(old, value.([]string)...) // of the same key
	}
	f.given = true
	f.take(value)
	return nil
}

func (f *flagValue) take(value any) {
	f.value = value
	if f.to != nil {
		f.key.store(value, f.to)
	}
}

// Flag adds the flag of a key of All to a command; see Keys.Flag.
func Flag(fs *pflag.FlagSet, name string, to any) { All.Flag(fs, name, to) }

// Flag adds the flag of a key. It stores the default in to at once; the value of the command line, the
// environment or the file is stored when the Values of Load are applied. It panics if there is no such key or
// to does not fit its type: both are bugs.
func (ks Keys) Flag(fs *pflag.FlagSet, name string, to any) {
	k := ks.find(name)
	if k == nil || !k.fits(to) {
		panic(fmt.Sprintf("config: no key %s that can be stored in a %T", name, to))
	}
	k.flag(fs, to)
}

// Flags adds the flags of all keys without binding them to variables.
func (ks Keys) Flags(fs *pflag.FlagSet) {
	for i := range ks {
		ks[i].flag(fs, nil)
	}
}

func (k *Key) flag(fs *pflag.FlagSet, to any) {
	v := &flagValue{key: k, to: to}
	v.take(k.split(k.Default))
	f := fs.VarPF(v, k.Flag, "", k.Doc)
	if k.Secret {
		f.DefValue = ""
	}
	if k.Type == Bool {
		f.NoOptDefVal = "true"
	}
}

// KeyOf returns the key that a flag belongs to, and its section; both are "" if the flag belongs to no key.
func KeyOf(f *pflag.Flag) (name, section string) {
	v, ok := f.Value.(*flagValue)
	if !ok {
		return "", ""
	}
	section, _ = cut(v.key.Name)
	return v.key.Name, section
}
