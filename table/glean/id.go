package glean

import "github.com/pingmill/pingmill/ping"

// ID is a UUID in binary form. It sorts like its text in lower case.
type ID [16]byte

// hexValue holds the value of each hexadecimal digit, in either case, and 255 for other bytes.
var hexValue = func() (v [256]uint8) {
	for i := range v {
		v[i] = 255
	}
	for i := range 10 {
		v['0'+i] = uint8(i)
	}
	for i := range 6 {
		v['a'+i], v['A'+i] = uint8(10+i), uint8(10+i)
	}
	return v
}()

// ParseID reads the text of a UUID, in either case. It returns false for other texts.
func ParseID(text []byte) (id ID, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	var wrong uint8
	read := func(from, to, at int) {
		for ; from < to; from += 2 {
			high, low := hexValue[text[from]], hexValue[text[from+1]]
			id[at] = high<<4 | low&15
			wrong |= high | low
			at++
		}
	}
	read(0, 8, 0)
	read(9, 13, 4)
	read(14, 18, 6)
	read(19, 23, 8)
	read(24, 36, 10)
	return id, wrong < 16
}

// sampleOf returns the sample of a client by its id in either case, -1 if the id is no UUID.
func sampleOf(text []byte) int64 {
	if _, ok := ParseID(text); !ok {
		return -1
	}
	return ping.SampleOf(lower(text))
}
