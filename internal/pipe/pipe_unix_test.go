//go:build unix

package pipe_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/pipe"
)

// TestNamedPipe: opening one ends without anybody at the other end, reading
// without a writer who writes, writing without a reader who reads.
func TestNamedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(name, 0o600))
	ended, end := context.WithCancelCause(t.Context())
	end(errCause)
	if _, err := pipe.Open(ended, name); !errors.Is(err, errCause) {
		t.Errorf("open: %v", err)
	}
	if _, err := pipe.OpenToWrite(ended, name); !errors.Is(err, errCause) {
		t.Errorf("open to write: %v", err)
	}
	for side := range 2 {
		ctx, cancel := context.WithCancelCause(t.Context())
		opened := make(chan io.ReadCloser, 1)
		go func() {
			r, err := pipe.Open(ctx, name)
			assert.NoError(t, err)
			opened <- r
		}()
		w, err := pipe.OpenToWrite(ctx, name)
		require.NoError(t, err)
		r := <-opened
		done := make(chan error, 1)
		go func() {
			var err error
			if side == 0 {
				_, err = r.Read(make([]byte, 1))
			} else {
				_, err = w.Write(make([]byte, 1<<22))
			}
			done <- err
		}()
		cancel(errCause)
		if err := <-done; !errors.Is(err, errCause) {
			t.Errorf("side %d: %v", side, err)
		}
		assert.NoError(t, errors.Join(r.Close(), w.Close()))
	}
}
