//go:build !linux

package store

import (
	"fmt"
	"io/fs"
)

func identity(info fs.FileInfo) Identity {
	content := fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
	return Identity{Size: info.Size(), Content: content, State: content, Changed: info.ModTime()}
}
