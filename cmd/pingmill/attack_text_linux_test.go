package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// text is a document in the making.
type text struct{ bytes.Buffer }

func (t *text) put(s string) { t.WriteString(s) }

// sections are members of an object: how their values are written, by name.
type sections map[string]func(*text)

// members writes the sections in the order of their names.
func (t *text) members(s sections) {
	for i, name := range slices.Sorted(maps.Keys(s)) {
		if i > 0 {
			t.put(",")
		}
		fmt.Fprintf(t, "%q:", name)
		s[name](t)
	}
}

// the members that documents must have.
var (
	application = raw(`{"architecture":"x86-64","buildId":"20180118215408","channel":"release","name":"Firefox",` +
		`"platformVersion":"58.0","vendor":"Mozilla","version":"58.0","xpcomAbi":"x86_64-msvc"}`)
	build = raw(`{"applicationId":"{ec8030f7-c20a-464f-9b0e-13a3a9e97384}","applicationName":"Firefox","architecture":"x86-64",` +
		`"buildId":"20180118215408","platformVersion":"58.0","vendor":"Mozilla","version":"58.0","xpcomAbi":"x86_64-msvc"}`)
	needed = map[string]sections{
		"crash":       {"crashDate": raw(`"2018-03-01"`), "metadata": raw(`{}`)},
		"new-profile": {"reason": raw(`"startup"`)},
		"update": {"reason": raw(`"ready"`), "targetBuildId": raw(`"20180118215408"`), "targetChannel": raw(`"release"`),
			"targetVersion": raw(`"58.0"`)},
	}
)

// document writes a ping of the schema.
func (t *text) document(a *attack, docType, id, client string) {
	environment := sections{"build": build, "partner": raw(`{}`), "settings": raw(`{}`), "system": raw(`{}`)}
	maps.Copy(environment, a.environment)
	payload := sections{}
	maps.Copy(payload, needed[docType])
	maps.Copy(payload, a.payload)
	top := sections{
		"type": raw(`"` + docType + `"`), "version": raw(`4`), "id": raw(`"` + id + `"`), "clientId": raw(`"` + client + `"`),
		"creationDate": raw(`"2018-03-01T12:00:00.000Z"`), "application": application,
		"environment": object(environment), "payload": object(payload),
	}
	maps.Copy(top, a.top)
	object(top)(t)
}

func raw(s string) func(*text) { return func(t *text) { t.put(s) } }

func object(s sections) func(*text) {
	return func(t *text) {
		t.put("{")
		t.members(s)
		t.put("}")
	}
}

// list writes n elements or members between brackets, made from their numbers.
func list(brackets string, n int, format string) func(*text) {
	return func(t *text) {
		t.put(brackets[:1])
		for i := range n {
			if i > 0 {
				t.put(",")
			}
			if strings.Contains(format, "%") {
				fmt.Fprintf(t, format, i)
			} else {
				t.put(format)
			}
		}
		t.put(brackets[1:])
	}
}

// between writes many of a unit between two texts: as many bytes as given.
func between(before, unit, after string, size int) func(*text) {
	return func(t *text) {
		t.put(before)
		t.put(strings.Repeat(unit, size/len(unit)))
		t.put(after)
	}
}
