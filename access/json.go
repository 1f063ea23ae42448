package access

import "encoding/json"

// list encodes a list for the database. A nil list becomes an empty one.
func list[T any](l []T) string {
	if l == nil {
		l = []T{}
	}
	return text(l)
}

// text encodes a value as JSON. It panics if the value cannot be encoded, which stored types always can.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
