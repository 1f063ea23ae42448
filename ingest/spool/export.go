package spool

// AppendPayload appends the payload of a record, as segments have it: for other
// places where records are kept.
func AppendPayload(b []byte, r *Record) []byte { return appendPayload(b, r) }

// PayloadSize is the length of what AppendPayload appends.
func PayloadSize(r *Record) int64 { return payloadSize(r) }

// DecodePayload points a record into a payload. The memory of its headers is used
// again; the timestamp is not part of a payload.
func DecodePayload(b []byte, r *Record) error { return decodePayload(b, r) }
