package access

import "encoding/json"

// list is a list as the database has it; none is an empty one.
func list[T any](l []T) string {
	if l == nil {
		l = []T{}
	}
	return text(l)
}

// text is a value as JSON. Those that are kept here can all be written.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
