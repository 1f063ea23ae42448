package clock

import "strings"

// written holds the format of DuckDB's strftime for each field, by the least number of digits.
var written = map[byte]map[int]string{
	fYear: {4: "%Y"}, fMonth: {1: "%-m", 2: "%m"}, fDay: {1: "%-d", 2: "%d"}, fHour: {1: "%-H", 2: "%H"}, fHour12: {1: "%-I", 2: "%I"},
	fMinute: {1: "%-M", 2: "%M"}, fSecond: {1: "%-S", 2: "%S"}, fFraction: {3: "%g", 6: "%g000"}, fDayOfYear: {3: "%j"}, fWeek: {2: "%V"},
	fWeekyear: {4: "%G"}, fWeekday: {1: "%u"}, fMonthName: {0: "%B"}, fMonthShort: {0: "%b"}, fWeekName: {0: "%A"}, fWeekShort: {0: "%a"},
	fHalf: {0: "%p"}, fTwoDigits: {0: "%y"},
}

// Strftime returns the format for DuckDB's strftime; false if it cannot write such times.
func (f *Format) Strftime() (string, bool) {
	var b strings.Builder
	for _, p := range f.parts {
		to, ok := written[p.field][p.least]
		if p.field == 0 {
			to, ok = strings.ReplaceAll(p.text, "%", "%%"), true
		}
		if !ok {
			return "", false
		}
		b.WriteString(to)
	}
	return b.String(), true
}

// Strptime returns the format for DuckDB's strptime; false if that does not read the same texts. It takes blanks at the
// ends of a text, which Presto does not.
func (f *Format) Strptime() (string, bool) {
	var b strings.Builder
	year := false
	for i, p := range f.parts {
		year = year || p.field == fYear
		if p.field == 0 {
			if strings.ContainsAny(p.text, "% \t\n") && strings.Trim(p.text, "T-/:. ") != "" || p.text == " " && i == 0 {
				return "", false
			}
			b.WriteString(p.text)
			continue
		}
		to, ok := written[p.field][2]
		if p.field == fYear {
			to, ok = "%Y", p.least == 4
		}
		if !ok || strings.IndexByte("yMdHms", p.field) < 0 {
			return "", false
		}
		b.WriteString(to)
	}
	return b.String(), year // without one DuckDB's is 1900
}
