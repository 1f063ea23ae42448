package table

import (
	"github.com/pingmill/pingmill/ping"
)

// setTexts is an array of texts; elements that are neither text nor numbers
// are skipped.
func setTexts(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if v.Kind() != ping.Array {
		return
	}
	n := r.out.Start(op.col)
	elements, _ := r.elementsOf(op, v)
	written := 0
	for _, e := range elements {
		if t, ok := e.Text(r.text[:0]); ok && !tooLong(r.out, op.col, t) {
			r.out.Str(n.Elem, n.ElemRep(written, 0), t)
			written++
		}
	}
	if written == 0 {
		r.out.Empty(n, 0)
	}
}

// setAttribution is null when none of its members is usable.
func setAttribution(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	n := r.node(op)
	any := false
	for _, name := range n.FieldNames {
		t, ok := v.Get(name).Text(r.text[:0])
		any = any || ok && !tooLong(r.out, op.col, t)
	}
	if !any {
		return
	}
	r.out.Start(op.col)
	for i, name := range n.FieldNames {
		r.writeValue(n.Fields[i], 0, v.Get(name))
	}
}

// setExperiments maps experiments to their branches; a branch that is missing
// or no text is null, and no experiments at all is null.
func setExperiments(r *pingRow, op *pingOp) {
	if entries := r.entriesOf(op, r.doc.Value(op.slot), &r.members); len(entries) > 0 {
		r.writeBranches(op, entries)
	}
}

// writeBranches writes a map of experiment to branch.
func (r *pingRow) writeBranches(op *pingOp, experiments []ping.Member) {
	n := r.out.Start(op.col)
	for i, m := range experiments {
		rep := n.ElemRep(i, 0)
		r.out.Str(n.Key, rep, m.Key)
		r.writeValue(n.Elem, rep, m.Value.Get("branch"))
	}
	if len(experiments) == 0 {
		r.out.Empty(n, 0)
	}
}

// userPrefs is the older struct of two preferences, null when both are.
func userPrefs(c *compiler, op *pingOp, path []string) {
	op.slot = c.paths.Add(append(path, "dom.ipc.processCount")...)
	op.alt = c.paths.Add(append(path, "extensions.allow-non-mpc-extensions")...)
	op.run = func(r *pingRow, op *pingOp) {
		count, hasCount := r.doc.Value(op.slot).Integer32()
		allow, hasAllow := r.doc.Value(op.alt).Bool()
		if !hasCount && !hasAllow {
			return
		}
		n := r.out.Start(op.col)
		if hasCount {
			r.out.Int(n.Fields[0], 0, count)
		} else {
			r.out.Null(n.Fields[0], 0)
		}
		if hasAllow {
			r.out.Bool(n.Fields[1], 0, allow)
		} else {
			r.out.Null(n.Fields[1], 0)
		}
	}
}

// clockSkew is server minus client clock at the submission.
func clockSkew(_ *compiler, op *pingOp, _ []string) {
	op.run = func(r *pingRow, op *pingOp) {
		ns, ok := r.meta.Int(ping.Timestamp)
		date := r.meta.Text(ping.Date)
		if !ok || date == nil {
			return
		}
		if client, ok := parseHTTPDate(string(date)); ok {
			r.out.SetLong(op.col, ns/1e9-client)
		}
	}
}

// submissionLatency is server time, in whole seconds, minus creation of the
// ping, truncated toward zero.
func submissionLatency(c *compiler, op *pingOp, _ []string) {
	op.slot = c.paths.Add("creationDate")
	op.run = func(r *pingRow, op *pingOp) {
		ns, ok := r.meta.Int(ping.Timestamp)
		text, isText := r.doc.Value(op.slot).Text(r.text[:0])
		if !ok || !isText {
			return
		}
		if sec, nanos, ok := parseISOTime(string(text)); ok {
			diff := ns/1e9 - sec
			if diff > 0 && nanos > 0 { // the fraction of the client's time takes from the difference
				diff--
			}
			r.out.SetLong(op.col, diff)
		}
	}
}

var flashName = "Shockwave Flash"

// setFlashVersion is the newest version among the Flash plugins.
func setFlashVersion(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	plugins, whole := r.elementsOf(op, v)
	members, wholeToo := r.membersOf(op, v, &r.members)
	if !whole || !wholeToo {
		return
	}
	for _, m := range members {
		plugins = append(plugins, m.Value)
	}
	var newest []byte
	var newestParts []int32
	for _, plugin := range plugins {
		name, ok := plugin.Get("name").Str(r.text[:0])
		if !ok || string(name) != flashName {
			continue
		}
		version, ok := plugin.Get("version").Str(nil)
		if !ok || tooLong(r.out, op.col, version) {
			continue
		}
		if parts := versionParts(string(version)); newest == nil || newerVersion(parts, newestParts) {
			newest, newestParts = version, parts
		}
	}
	if newest != nil {
		r.out.SetBytes(op.col, newest)
	}
}
