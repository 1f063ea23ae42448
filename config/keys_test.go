package config

import (
	"regexp"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for text, want := range map[string]string{
		"edge: {tls: {cert: a}}":                             "edge.tls.key (default): want both or neither",
		"edge: {max-request: 40MiB}":                         "spool.segment-bytes (default): the largest request",
		"edge: {max-request: 1}\nspool: {segment-bytes: 1}":  "does not fit",
		"edge: {listen: '80'}":                               "want an address with a port",
		"edge: {listen: ''}":                                 "want an address with a port",
		"only: [edge, decoder]":                              "\"decoder\": there is no such part: want some of edge, decode, schedule and web",
		"storage: {url: 'http://b'}":                         "it has to begin with one of azblob://, gs://, s3://",
		"storage: {url: 's3://k:p@b'}":                       ":1): bad URL s3://b: it must not hold credentials",
		"storage: {url: 's3://b', lake: 's3://b/archive/x'}": ":1): lake root s3://b/archive/x is in the archive root s3://b/archive",
		"storage: {url: 's3://b?region=x', restricted: /r}":  "",
		"only: []": "nothing is left to run",
		"only: [schedule]\nschedule: {enabled: false}":       "nothing is left to run",
		"only: [edge, schedule]\nschedule: {enabled: false}": "",
		"edge: {name: a-b}": "want a name of letters",
		"edge: {listen: ':8080', tls: {cert: a, key: b}}":        "",
		"edge: {max-request: 512MiB}\nspool.segment-bytes: 1GiB": "",

		"mail: {server: 'm:1', from: a@b.c, rows: true}":                 "rows in mails want the domains",
		"mail: {server: 'm:1', from: a@b.c, rows: true, domains: [b.c]}": "",
	} {
		_, err := All.Load(Sources{File: write(t, text)})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestKeys checks that the list is sound.
func TestKeys(t *testing.T) {
	if _, err := All.Load(Sources{}); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	names := regexp.MustCompile(`^[a-z][a-z0-9]*([.-][a-z0-9]+)*$`)
	seen, last := map[string]bool{}, ""
	for i := range All {
		k := &All[i]
		if above, _ := cut(k.Name); above != last {
			if seen["section "+above] || above == "" {
				t.Errorf("key %s does not stand with the others of its section", k.Name)
			}
			seen["section "+above], last = true, above
		}
		for _, n := range []string{"key " + k.Name, "flag " + k.Flag, k.Variable()} {
			if seen[n] {
				t.Errorf("two keys have %s", n)
			}
			seen[n] = true
		}
		if !names.MatchString(k.Name) || !names.MatchString(k.Flag) || k.Doc == "" || strings.HasSuffix(k.Doc, ".") ||
			strings.Contains(k.Doc, "|") {
			t.Errorf("key %s: name, flag or doc is not as the others", k.Name)
		}
		if k.Variable() == FileVariable || strings.HasPrefix(k.Variable(), testPrefix) {
			t.Errorf("key %s has a variable that means something else", k.Name)
		}
		if All.section(k.Name) {
			t.Errorf("key %s is a section, too", k.Name)
		}
		if above, _ := cut(k.Name); above != "" && sectionDoc(above) == above {
			t.Errorf("section %s has no doc", above)
		}
	}
	for _, r := range Rules {
		for _, name := range r.Keys {
			if All.find(name) == nil {
				t.Errorf("a rule names %s, which is no key", name)
			}
		}
	}
}
