package table

import (
	"bytes"
	"slices"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// addonKeys are the document's names of the addon struct's members after
// addon_id, in the struct's order.
var addonKeys = []string{
	"blocklisted", "name", "userDisabled", "appDisabled", "version", "scope", "type", "foreignInstall",
	"hasBinaryComponents", "installDay", "updateDay", "signedState", "isSystem", "isWebExtension", "multiprocessCompatible",
}

const (
	addonIsSystem       = 12
	addonIsWebExtension = 13
)

var addonNames = ping.NewNames(addonKeys...)

// addon is one add-on entry of a ping, its members in the order of addonKeys.
type addon struct {
	id      []byte
	members [15]ping.Value
}

// addonScratch keeps the active add-ons of the row: several columns need them.
type addonScratch struct {
	done   bool
	object bool // the section is an object
	whole  bool // the list has all its members
	list   []addon
}

// activeAddons reads the section once a row, as many add-ons as a column may have.
func (r *pingRow) activeAddons(section ping.Value) *addonScratch {
	s := &r.addons
	if s.done {
		return s
	}
	s.done, s.object, s.list = true, section.Kind() == ping.Object, s.list[:0]
	r.members, s.whole = section.FirstMembers(r.members[:0], MaxElements)
	s.list = slices.Grow(s.list, len(r.members))[:len(r.members)]
	for i, m := range r.members {
		s.list[i].id = m.Key
		addonNames.Pick(m.Value, s.list[i].members[:], MaxElements)
	}
	return s
}

func setAddonsCount(r *pingRow, op *pingOp) {
	s := r.activeAddons(r.doc.Value(op.slot))
	switch {
	case !s.whole:
		r.out.LeaveOut(op.col)
	case s.object:
		r.out.SetLong(op.col, int64(len(s.list)))
	}
}

func setActiveAddons(r *pingRow, op *pingOp) {
	s := r.activeAddons(r.doc.Value(op.slot))
	if !s.object {
		return
	}
	if !s.whole {
		r.out.LeaveOut(op.col)
	}
	n := r.out.Start(op.col)
	written := 0
	for i := range s.list {
		if !tooLong(r.out, op.col, s.list[i].id) {
			r.writeAddon(n.Elem, n.ElemRep(written, 0), &s.list[i])
			written++
		}
	}
	if written == 0 {
		r.out.Empty(n, 0)
	}
}

// writeAddon writes an addon struct; members of a wrong type are null.
func (r *pingRow) writeAddon(n *column.Node, rep int16, a *addon) {
	r.out.Str(n.Fields[0], rep, a.id)
	for i, f := range n.Fields[1:] {
		r.writeValue(f, rep, a.members[i])
	}
}

// writeValue writes a value at scalar node n by the rule of its type: S, I, L
// or B; what the rule does not take is null.
func (r *pingRow) writeValue(n *column.Node, rep int16, v ping.Value) {
	switch n.Type.Kind {
	case schema.Boolean:
		if b, ok := v.Bool(); ok {
			r.out.Bool(n, rep, b)
			return
		}
	case schema.Int:
		if i, ok := v.Int32(); ok {
			r.out.Int(n, rep, i)
			return
		}
	case schema.Long:
		if l, ok := v.Int64(); ok {
			r.out.Long(n, rep, l)
			return
		}
	default:
		if t, ok := v.Text(r.text[:0]); ok {
			r.out.Str(n, rep, t)
			return
		}
	}
	r.out.Null(n, rep)
}

// fewAddons are found faster one after the other than in a map.
const fewAddons = 64

// ids says of an id whether an add-on of the list has it.
func (s *addonScratch) ids() func(id []byte) bool {
	if len(s.list) <= fewAddons {
		return func(id []byte) bool {
			for i := range s.list {
				if bytes.Equal(s.list[i].id, id) {
					return true
				}
			}
			return false
		}
	}
	active := make(map[string]bool, len(s.list))
	for i := range s.list {
		active[string(s.list[i].id)] = true
	}
	return func(id []byte) bool { return active[string(id)] }
}

// disabledAddons are the add-ons with details that are not active, in order.
func disabledAddons(c *compiler, op *pingOp, _ []string) {
	op.slot = c.paths.Add("payload", "addonDetails", "XPI")
	op.alt = c.paths.Add("environment", "addons", "activeAddons")
	op.run = func(r *pingRow, op *pingOp) {
		details := r.doc.Value(op.slot)
		if details.Kind() != ping.Object {
			return
		}
		addons := r.activeAddons(r.doc.Value(op.alt))
		if !addons.whole {
			r.out.LeaveOut(op.col)
			return
		}
		n := r.out.Start(op.col)
		active := addons.ids()
		written := 0
		for _, m := range r.entriesOf(op, details, &r.members) {
			if !active(m.Key) {
				r.out.Str(n.Elem, n.ElemRep(written, 0), m.Key)
				written++
			}
		}
		if written == 0 {
			r.out.Empty(n, 0)
		}
	}
}

// themeMissing is the add-on id of a ping without a theme.
var themeMissing = []byte("MISSING")

func setTheme(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	a := addon{id: themeMissing}
	if id, ok := v.Get("id").Text(nil); ok {
		a.id = id
	}
	addonNames.Pick(v, a.members[:], MaxElements)
	r.writeAddon(r.out.Start(op.col), 0, &a)
}

// readyThemes are the themes that do not prevent quantum_ready.
var readyThemes = map[string]bool{
	"{972ce4c6-7e08-4474-a285-3208198ce6fd}": true,
	"firefox-compact-light@mozilla.org":      true,
	"firefox-compact-dark@mozilla.org":       true,
}

func quantumReady(c *compiler, op *pingOp, _ []string) {
	op.slot = c.paths.Add("environment", "settings", "e10sEnabled")
	op.alt = c.paths.Add("environment", "addons", "activeAddons")
	op.values = c.paths.Add("environment", "addons", "theme", "id")
	op.run = func(r *pingRow, op *pingOp) {
		ready, ok := r.doc.Value(op.slot).Bool()
		addons := r.activeAddons(r.doc.Value(op.alt))
		if !addons.whole {
			r.out.LeaveOut(op.col)
			return
		}
		theme, hasTheme := r.doc.Value(op.values).Text(nil)
		if !ok || !addons.object || !hasTheme || string(theme) == string(themeMissing) {
			return
		}
		ready = ready && readyThemes[string(theme)]
		for i := range addons.list {
			system, _ := addons.list[i].members[addonIsSystem].Bool()
			web, _ := addons.list[i].members[addonIsWebExtension].Bool()
			ready = ready && (system || web)
		}
		r.out.SetBool(op.col, ready)
	}
}
