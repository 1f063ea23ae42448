package syntax

import "reflect"

// Equal reports whether two nodes are the same but for their places, and for the case and the quotes of names.
// text, if not nil, returns a text that stands for an expression, "" for none: an expression with a text equals those with
// the same text only.
func Equal(a, b Node, text func(Expr) string) bool {
	return comparison{text}.equal(reflect.ValueOf(a), reflect.ValueOf(b))
}

type comparison struct{ text func(Expr) string }

func (c comparison) equal(a, b reflect.Value) bool {
	if x, y := c.textOf(a), c.textOf(b); x != "" || y != "" {
		return x == y
	}
	if !a.IsValid() || !b.IsValid() { // nil
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		return c.equal(a.Elem(), b.Elem())
	case reflect.Slice:
		return a.Len() == b.Len() && all(a.Len(), func(i int) bool { return c.equal(a.Index(i), b.Index(i)) })
	case reflect.Struct:
		switch x := a.Interface().(type) {
		case Span:
			return true
		case Ident:
			return x.Key() == b.Interface().(Ident).Key()
		}
		return all(a.NumField(), func(i int) bool { return c.equal(a.Field(i), b.Field(i)) })
	}
	return a.Equal(b)
}

func (c comparison) textOf(v reflect.Value) string {
	if c.text == nil || v.Kind() != reflect.Pointer || v.IsNil() {
		return ""
	}
	if x, ok := v.Interface().(Expr); ok {
		return c.text(x)
	}
	return ""
}

// all reports whether is holds for 0 to n-1.
func all(n int, is func(int) bool) bool {
	for i := range n {
		if !is(i) {
			return false
		}
	}
	return true
}
