package syntax

import "reflect"

// Inspect calls f for a node and those below it that are pointers (expressions,
// queries, relations), as long as f gives true for the one above.
func Inspect(n Node, f func(Node) bool) {
	if n != nil {
		inspect(reflect.ValueOf(n), f)
	}
}

func inspect(v reflect.Value, f func(Node) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			inspect(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(Node); ok && !f(n) {
			return
		}
		inspect(v.Elem(), f)
	case reflect.Slice:
		for i := range v.Len() {
			inspect(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			inspect(v.Field(i), f)
		}
	}
}
