package config

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

// Sources holds the sources of values besides the defaults.
type Sources struct {
	File    string         // YAML; "": none
	Environ []string       // in the form of os.Environ
	Flags   *pflag.FlagSet // flags of Keys.Flag that were set count
}

// Error means the configuration is invalid. Its text has one line for each mistake.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// Values is the effective configuration.
type Values struct {
	keys Keys
	ko   *koanf.Koanf
	from map[string]string // key to source
}

// Load merges the sources and checks everything. The error is an *Error.
func (ks Keys) Load(s Sources) (*Values, error) {
	v := &Values{keys: ks, ko: koanf.New("."), from: map[string]string{}}
	file, errFile := ks.readFile(s.File)
	err := errors.Join(v.add(ks.defaults(), nil), errFile, v.add(file.provider(), file.where), v.addEnvironment(s.Environ),
		v.addFlags(s.Flags))
	if err == nil {
		err = v.rules()
	}
	if err != nil {
		return nil, &Error{err}
	}
	return v, nil
}

func (ks Keys) defaults() koanf.Provider {
	m := map[string]any{}
	for i := range ks {
		m[ks[i].Name] = ks[i].split(ks[i].Default)
	}
	return confmap.Provider(m, ".")
}

// add checks the values of a provider and merges them over the present ones. where
// returns the place of a key in the source; nil: the defaults.
func (v *Values) add(p koanf.Provider, where func(name string) string) error {
	layer := koanf.New(".")
	if err := layer.Load(p, nil); err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	var bad []error
	for i := range v.keys {
		k := &v.keys[i]
		if !layer.Exists(k.Name) {
			continue
		}
		v.from[k.Name] = "default"
		place := "default of " + k.Name
		if where != nil {
			v.from[k.Name] = where(k.Name)
			place = v.from[k.Name]
		}
		if err := k.check(layer.Get(k.Name)); err != nil {
			bad = append(bad, fmt.Errorf("%s: %s: %w", place, k.Name, err))
		}
	}
	return errors.Join(append(bad, v.ko.Merge(layer))...)
}

// addEnvironment adds the variables. One that is no key is an error: it is
// likely a mistyped one.
func (v *Values) addEnvironment(environ []string) error {
	var bad []error
	byVariable := map[string]*Key{}
	for i := range v.keys {
		byVariable[v.keys[i].Variable()] = &v.keys[i]
	}
	transform := func(name, text string) (string, any) {
		k := byVariable[name]
		switch {
		case k != nil:
			return k.Name, k.split(text)
		case name == FileVariable || strings.HasPrefix(name, testPrefix):
		default:
			bad = append(bad, fmt.Errorf("environment variable %s %w", name, v.keys.unknown(strings.TrimPrefix(name, prefix))))
		}
		return "", nil
	}
	if environ == nil {
		environ = []string{} // nil would mean that of the process
	}
	p := env.Provider(".", env.Opt{Prefix: prefix, TransformFunc: transform, EnvironFunc: func() []string { return environ }})
	err := v.add(p, func(name string) string { return "environment variable " + v.keys.find(name).Variable() })
	return errors.Join(append(bad, err)...)
}

func (v *Values) addFlags(fs *pflag.FlagSet) error {
	if fs == nil {
		return nil
	}
	p := posflag.ProviderWithFlag(fs, ".", nil, func(f *pflag.Flag) (string, any) {
		if own, ok := f.Value.(*flagValue); ok {
			return own.key.Name, own.value
		}
		return "", nil
	})
	return v.add(p, func(name string) string { return "flag --" + v.keys.find(name).Flag })
}

// Apply stores the values in the variables to which the flags of a command are bound.
func (v *Values) Apply(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) {
		if own, ok := f.Value.(*flagValue); ok {
			own.take(v.ko.Get(own.key.Name))
		}
	})
}

// Source returns a description of the source of a key's value.
func (v *Values) Source(name string) string { return v.from[name] }

// texts returns the value of a list key.
func (v *Values) texts(name string) []string { return v.ko.Strings(name) }

// text returns the value of a key that has one, and size the same in bytes.
func (v *Values) text(name string) string { return v.ko.String(name) }

func (v *Values) size(name string) int64 {
	n, _ := parseSize(v.text(name))
	return n
}

// All returns the keys with their values: a string, or a []string for a list.
func (v *Values) All() iter.Seq2[*Key, any] {
	return func(yield func(*Key, any) bool) {
		for i := range v.keys {
			if !yield(&v.keys[i], v.ko.Get(v.keys[i].Name)) {
				return
			}
		}
	}
}
