package iceberg

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/schema"
)

// sampleColumn has the sample of a row, as text.
const sampleColumn = "sample_id"

// dataFile describes a file of the lake.
func (s *syncing) dataFile(day string, columns *format.Schema, f dataFile) format.DataFile {
	t := s.table.Schema
	d := format.DataFile{
		Path: f.location, Format: "PARQUET", Rows: f.Rows, Bytes: f.Bytes,
		Partition: map[string]any{},
	}
	if name := dayColumn(t); name != "" {
		d.Partition[s.base.Spec().Fields[0].Name] = t.PartitionValue(day)
	}
	column := columns.Find(sampleColumn)
	if i := t.Index(sampleColumn); i >= 0 && column != nil && t.Columns[i].Type.Kind == schema.String {
		if lower, upper, ok := sampleBounds(f.File); ok {
			d.Bounds(column.ID, lower, upper)
		}
	}
	return d
}

// sampleBounds returns the first and last text of the samples that a file may have; ok is false if it has none.
func sampleBounds(f lake.File) (lower, upper string, ok bool) {
	for i := max(0, f.Lo); i <= f.Hi && i < job.NoClient; i++ {
		text := strconv.Itoa(i)
		if !ok || text < lower {
			lower = text
		}
		if !ok || strings.Compare(text, upper) > 0 {
			upper = text
		}
		ok = true
	}
	return lower, upper, ok
}
