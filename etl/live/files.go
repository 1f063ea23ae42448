package live

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// files writes the files of a generation.
type files struct {
	table *schema.Table
	g     *lake.Generation
	name  string
	made  []lake.File
}

// groupRows is the number of rows of a row group: each group takes space in the footer, and time to open.
const groupRows = headRows

// file writes a file with rows of any samples. Without rows there is none.
func (w *files) file(openFor string, s *samples, write func(*lake.FileWriter) error) (name string, err error) {
	sink, err := w.g.Create(context.Background(), w.g.LiveName(len(w.made)))
	if err != nil {
		return "", err
	}
	out, err := lake.NewFileWriter(sink, w.table.Columns, lake.WriterOptions{RowGroupRows: groupRows})
	if err == nil {
		err = write(out)
	}
	var info lake.FileInfo
	if err == nil {
		info, err = out.Close()
	}
	if err != nil || info.Rows == 0 {
		return "", errors.Join(err, sink.Abort())
	}
	f, err := sink.Finish()
	if err != nil {
		return "", err
	}
	f.Rows, f.OpenFor = info.Rows, openFor
	f.Lo, f.Hi = s.span()
	if len(w.table.PartitionKeys) > 1 {
		f.Samples = s.String()
	}
	w.made = append(w.made, f)
	return f.Name, nil
}

// batch writes the rows of a day that wait.
func (w *files) batch(d *day, openFor string) (string, error) {
	return w.file(openFor, &d.samples, func(out *lake.FileWriter) error { return out.Write(d.batch) })
}

// span returns the first and the last of the samples.
func (s *samples) span() (lo, hi int) {
	lo = -1
	for i, has := range s {
		if has {
			hi = i
			if lo < 0 {
				lo = i
			}
		}
	}
	return max(lo, 0), hi
}

func (s *samples) String() string {
	var all []string
	for i, has := range s {
		if has {
			all = append(all, strconv.Itoa(i))
		}
	}
	return strings.Join(all, ",")
}

// addFile adds the samples of a file.
func (s *samples) addFile(f *lake.File) {
	if f.Samples == "" {
		for i := f.Lo; i <= f.Hi && i < len(s); i++ {
			s[i] = true
		}
		return
	}
	for n := range strings.SplitSeq(f.Samples, ",") {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(s) {
			s[i] = true
		}
	}
}
