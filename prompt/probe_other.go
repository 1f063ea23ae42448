//go:build !unix

package prompt

import (
	"io"
	"os"
)

func tellsCursor(*os.File, io.Writer) (tells bool, typed []byte) { return true, nil }
