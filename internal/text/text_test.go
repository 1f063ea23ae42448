package text

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 days", 1: "1 day", 2: "2 days", 1200: "1,200 days", -1: "-1 days"} {
		assert.Equal(t, want, Plural(n, "day"))
	}
	assert.Equal(t, "1 row", Plural(int64(1), "row"))
}

func TestStamp(t *testing.T) {
	zone := time.FixedZone("", 3600)
	assert.Equal(t, "2018-03-01 11:30:05", Stamp(time.Date(2018, 3, 1, 12, 30, 5, 9, zone)))
}
