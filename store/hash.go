package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// hashBuffer is the number of bytes per read.
const hashBuffer = 256 << 10

// ErrHash means an object has other bytes than were written.
var ErrHash = errors.New("other bytes than were written")

// CompareHash reads all of r and compares it with a SHA-256 in hexadecimal digits; the error matches ErrHash if
// they differ. pace, if not nil, is called after each read with the number of bytes, and may wait.
func CompareHash(ctx context.Context, r io.Reader, want string, pace func(n int) error) error {
	h, buf := sha256.New(), make([]byte, hashBuffer)
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := r.Read(buf)
		h.Write(buf[:n])
		if pace != nil && n > 0 {
			if err := pace(n); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if hex.EncodeToString(h.Sum(nil)) != want {
		return ErrHash
	}
	return nil
}
