package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

var ctx = context.Background()

func check(t *testing.T, err error) {
	t.Helper()
	assert.NoError(t, err)
}
