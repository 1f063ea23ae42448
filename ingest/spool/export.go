package spool

// AppendPayload appends the payload of a record in the format of segments, for other stores of records.
func AppendPayload(b []byte, r *Record) []byte { return appendPayload(b, r) }

// PayloadSize returns the number of bytes that AppendPayload appends.
func PayloadSize(r *Record) int64 { return payloadSize(r) }

// DecodePayload points a record into a payload. It reuses the memory of the record's headers; the timestamp is
// not part of a payload.
func DecodePayload(b []byte, r *Record) error { return decodePayload(b, r) }
