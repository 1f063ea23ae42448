// Package metric holds what definitions say of a metric beside its column.
package metric

// Definition is the definition of a metric whose values are in a column or in a member of one.
type Definition struct {
	ID          string // as in pings, such as browser.engagement.uri_count; "" if only the column is known
	Type        string // counter, labeled_counter, event, …
	Description string // one line
	Expires     string // never, expired, a day or a version; "" if it is not known
	Pings       []string
	Extra       map[string]string // types by the extra key of an event
}
