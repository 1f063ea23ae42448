package live

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/site"
)

// TestFailures: a lock is no failure, a changing archive is one from the tenth time in a row, and an equal one is no news.
func TestFailures(t *testing.T) {
	var f Failures
	add := func(err error, changing, failed, news bool) {
		t.Helper()
		gotFailed, gotNews := f.Add(err, changing)
		assert.Equal(t, []bool{failed, news}, []bool{gotFailed, gotNews})
	}
	disk, changes := errors.New("no space left"), errors.New("the archive changes")
	add(disk, false, true, true)
	add(disk, false, true, false)
	add(site.ErrLocked, false, false, false)
	assert.Equal(t, disk, f.Last())
	for range maxChanges - 1 {
		add(changes, true, false, false)
	}
	add(site.ErrLocked, false, false, false)
	add(changes, true, true, true)
	add(disk, false, true, true)
	add(changes, true, false, false)
	f.Forget()
	add(disk, false, true, true)
}
