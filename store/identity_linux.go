package store

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

func identity(info fs.FileInfo) Identity {
	i := Identity{Size: info.Size(), Content: fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano()), Changed: info.ModTime()}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		i.Content = fmt.Sprintf("%d-%s", s.Ino, i.Content)
		i.Changed = time.Unix(s.Ctim.Unix())
	}
	i.State = fmt.Sprintf("%s-%d", i.Content, i.Changed.UnixNano())
	return i
}
