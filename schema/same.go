package schema

// SameColumns reports whether two lists of columns are the same for a file.
func SameColumns(a, b []Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].NotNull != b[i].NotNull || !a[i].Type.Same(&b[i].Type) {
			return false
		}
	}
	return true
}

// Same reports whether two types are the same. A nil type has no values.
func (t *Type) Same(other *Type) bool {
	if t == other {
		return true
	}
	if t == nil || other == nil || t.Kind != other.Kind || t.Precision != other.Precision || t.Scale != other.Scale ||
		t.ElemNotNull != other.ElemNotNull || len(t.Fields) != len(other.Fields) {
		return false
	}
	for i := range t.Fields {
		f, g := &t.Fields[i], &other.Fields[i]
		if f.Name != g.Name || f.NotNull != g.NotNull || !f.Type.Same(&g.Type) {
			return false
		}
	}
	return t.Key.Same(other.Key) && t.Elem.Same(other.Elem)
}

// holds reports whether the type is the same, or a struct with more members: values of the old type are values of it, with
// null for the members that they lack.
func (t *Type) holds(old *Type) bool {
	if t.Kind != Struct || old.Kind != Struct {
		return t.Same(old)
	}
	for i := range old.Fields {
		was := &old.Fields[i]
		if now := t.field(was.Name); now == nil || now.NotNull != was.NotNull || !now.Type.holds(&was.Type) {
			return false
		}
	}
	return true
}

// lost returns the path of the first member that a struct had before and has no more, and its type. It returns "" if it has
// all, or if it differs in another way.
func (t *Type) lost(old *Type) (path, was string) {
	if t.Kind != Struct || old.Kind != Struct {
		return "", ""
	}
	for i := range old.Fields {
		f := &old.Fields[i]
		now := t.field(f.Name)
		if now == nil {
			return "." + f.Name, f.Type.String()
		}
		if path, was := now.Type.lost(&f.Type); path != "" {
			return "." + f.Name + path, was
		}
	}
	return "", ""
}

// field returns the named member of a struct, or nil.
func (t *Type) field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Places appends, for each leaf of the type, the number of the leaf of old that has its values, or -1 if old lacks the member.
// first is the number of the first leaf of old. It reports false if values of old are not values of the type, or if members are
// missing in a struct that a row may lack: whether a row has it would not be known.
func (t *Type) Places(old *Type, first int, all []int) ([]int, bool) {
	if t.Kind != Struct || old.Kind != Struct {
		for i := range old.leaves() {
			all = append(all, first+i)
		}
		return all, t.Same(old)
	}
	at := make(map[string]int, len(old.Fields))
	for i := range old.Fields {
		at[old.Fields[i].Name] = first
		first += old.Fields[i].Type.leaves()
	}
	if !t.holds(old) {
		return all, false
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		place, ok := at[f.Name]
		if !ok {
			if !t.Present || f.NotNull {
				return all, false
			}
			for range f.Type.leaves() {
				all = append(all, -1)
			}
			continue
		}
		if all, ok = f.Type.Places(&old.field(f.Name).Type, place, all); !ok {
			return all, false
		}
	}
	return all, true
}

// leaves returns the number of leaves below the type.
func (t *Type) leaves() (n int) {
	switch t.Kind {
	case Array:
		return t.Elem.leaves()
	case Map:
		return t.Key.leaves() + t.Elem.leaves()
	case Struct:
		for i := range t.Fields {
			n += t.Fields[i].Type.leaves()
		}
		return n
	}
	return 1
}
