package kafka

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/ingest/spool"
)

func TestFollow(t *testing.T) {
	was := spool.Position{Source: "a", Offset: 100, Epoch: 3, Shift: 5, Last: 77, Lost: 1, Gaps: 1}
	for name, c := range map[string]struct {
		at         spool.Position
		source     string
		start, end int64
		want       spool.Position
		gap        string
	}{
		"new":      {spool.Position{Epoch: -1}, "a", 40, 60, spool.Position{Source: "a", Offset: 40, Epoch: -1}, ""},
		"on":       {was, "a", 90, 120, was, ""},
		"at start": {was, "a", 100, 120, was, ""},
		"at end":   {was, "a", 0, 100, was, ""},
		"retention": {was, "a", 110, 120, spool.Position{Source: "a", Offset: 110, Epoch: -1, Shift: 5, Last: 77, Lost: 11, Gaps: 2},
			"10 messages, from offset 100 up to 109,"},
		"cut": {was, "a", 0, 90, spool.Position{Source: "a", Offset: 90, Epoch: -1, Shift: 16, Last: 77, Lost: 1, Gaps: 2},
			"ends at offset 90, before what was decoded, up to 99"},
		"another": {was, "b", 7, 90, spool.Position{Source: "b", Offset: 7, Epoch: -1, Shift: 99, Last: 77, Lost: 1, Gaps: 2},
			"deleted and made again"},
		"far ahead": {was, "b", 700, 900, spool.Position{Source: "b", Offset: 700, Epoch: -1, Last: 77, Lost: 1, Gaps: 2},
			"deleted and made again"},
		"emptied": {was, "a", 0, 0, spool.Position{Source: "a", Offset: 0, Epoch: -1, Shift: 106, Last: 77, Lost: 1, Gaps: 2},
			"ends at offset 0"},
	} {
		t.Run(name, func(t *testing.T) {
			got, gap := follow(c.at, c.source, c.start, c.end, 9)
			if c.gap != "" {
				c.want.Gap, c.want.GapAt = gap, 9
				assert.Greater(t, got.Number(), c.at.Number(), "numbers grow for ever")
			}
			assert.Equal(t, c.want, got)
			assert.Contains(t, gap, c.gap)
			assert.Equal(t, c.gap == "", gap == "")
		})
	}
}
