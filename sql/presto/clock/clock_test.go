package clock

import (
	"testing"
	"time"
)

// TestTimestamp: the texts that Trino takes for timestamps, and what they are in UTC.
func TestTimestamp(t *testing.T) {
	for text, want := range map[string]string{
		"2018-03-01": "2018-03-01 00:00:00", "2018-3-1 1:1:1.5": "2018-03-01 01:01:01.5", " 2018-03-01 10:11 ": "2018-03-01 10:11:00",
		"2018-03-01 10:11:12 UTC": "2018-03-01 10:11:12", "2018-03-01 12:00:00 America/New_York": "2018-03-01 17:00:00",
		"2018-03-01 10:11:12+01:00": "2018-03-01 09:11:12", "2018-03-01 10:11:12 +1": "2018-03-01 09:11:12",
		"2018-03-01 10:11:12 GMT+2":            "2018-03-01 08:11:12",
		"2018-11-04 01:30:00 America/New_York": "2018-11-04 05:30:00",
		"2018-03-01 10":                        "", "2018-03-01T10:11:12": "", "2018-03-01  10:11:12": "", "2018-03-01 24:00:00": "",
		"2018-02-30": "", "abc": "",
		"2018-03-01 10:11:12 EST": "", "2018-03-11 02:30:00 America/New_York": "",
	} {
		got := ""
		if at, ok := Timestamp(text); ok {
			if utc, ok := at.UTC(); ok {
				got = Micros(utc)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFormats: what Trino reads and writes by the formats of MySQL and Joda-Time.
func TestFormats(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	mysql := func(f string) (*Format, error) { return MySQL(f) }
	joda := func(f string) (*Format, error) { return Joda(f, now) }
	for _, c := range []struct {
		read               func(string) (*Format, error)
		format, text, want string
	}{
		{mysql, "%Y-%m-%d", "2018-3-1", "2018-03-01 00:00:00"}, {mysql, "%Y%m%d", "2018031", "2018-03-01 00:00:00"},
		{mysql, "%y-%m", "69-03", "2069-03-01 00:00:00"},
		{mysql, "%Y%m%d", "201831", `Invalid format: "201831" is too short`},
		{mysql, "%Y%m%d", "20180301 extra", `Invalid format: "20180301 extra" is malformed at " extra"`},
		{mysql, "%Y%m%d", "20180230", `Cannot parse "20180230": Value 30 for dayOfMonth must be in the range [1,28]`},
		{mysql, "%Y%m%d", "nonsense", `Invalid format: "nonsense"`},
		{mysql, "%h %p", "10 PM", "1970-01-01 22:00:00"}, {mysql, "%b %e %Y", "Mar 5 2018", "2018-03-05 00:00:00"},
		{mysql, "%j %Y", "060 2018", "2018-03-01 00:00:00"},
		{mysql, "%r", "10:11:12 PM", "1970-01-01 22:11:12"}, {mysql, "%x %v", "2018 09", "2018-02-26 00:00:00"},
		{mysql, "%s.%f", "12.123456", "1970-01-01 00:00:12.123"},
		{mysql, "%m-%d", "02-29", "2000-02-29 00:00:00"}, {mysql, "%D", "1", "%D not supported in date format string"},
		{joda, "yyyyMMdd", "20180301", "2018-03-01 00:00:00"}, {joda, "d-MMM-yyyy", "1-Mar-2018", "2018-03-01 00:00:00"},
		{joda, "yy", "45", "2045-01-01 00:00:00"},
		{joda, "yy", "46", "1946-01-01 00:00:00"}, {joda, "yy", "2018", "2018-01-01 00:00:00"},
		{joda, "xxxx-'W'ww-e", "2018-W09-4", "2018-03-01 00:00:00"},
		{joda, "yyyy-MM-dd HH:mm Z", "2018-03-01 10:11 +0200", "2018-03-01 10:11:00 +02:00"},
		{joda, "E d M yyyy", "Fri 1 3 2018", "2018-03-02 00:00:00"},
		{joda, "yyyy-MM-dd HH:mm ZZZ", "2018-03-01 10:11 America/New_York", "2018-03-01 10:11:00 America/New_York"},
		{joda, "qq", "1", "Illegal pattern component: qq"},
	} {
		f, err := c.read(c.format)
		got := ""
		if err == nil {
			var at Time
			if at, err = f.Parse(c.text); err == nil {
				if got = Micros(at.Wall); at.Zone != "" {
					got += " " + at.Zone
				}
			}
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s of %q: %s, want %s", c.format, c.text, got, c.want)
		}
	}
	at := time.Date(2018, 3, 4, 5, 6, 7, 89_000_000, time.UTC)
	for _, c := range []struct {
		read         func(string) (*Format, error)
		format, want string
	}{
		{joda, "G C Y x w e E EEEE y yy yyyy D DDD M MM MMM MMMM d dd a K h H k m s S SS SSS SSSS' text '''",
			"AD 20 2018 2018 9 7 Sun Sunday 2018 18 2018 63 063 3 03 Mar March 4 04 AM 5 5 5 5 6 7 0 08 089 0890 text '"},
		{joda, "z Z ZZ ZZZ", "UTC +0000 +00:00 UTC"}, {joda, "yyyyy yyy eee xx www KK kk hh aa", "02018 2018 007 18 009 05 05 05 AM"},
		{mysql, "%x %v %q %Q %z 100%", "2018 09 q Q z 100%"}, {mysql, "%h %I %l %k %p %r %f", "05 05 5 5 AM 05:06:07 AM 089000"},
	} {
		f, err := c.read(c.format)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Format(at, "UTC", true); got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.format, got, err, c.want)
		}
	}
}

// TestISO: forms of ISO 8601.
func TestISO(t *testing.T) {
	for text, want := range map[string]string{
		"2018-03-01": "2018-03-01 00:00:00", "2018-03-01T10": "2018-03-01 10:00:00", "2018-03-01T10:11:12,5-0800": "2018-03-01 10:11:12.5 -08:00",
		"2018":       "2018-01-01 00:00:00",
		"2018-W09-4": "2018-03-01 00:00:00", "2018-060": "2018-03-01 00:00:00",
		"2018-03-01T10:11:12.123456+05:30": "2018-03-01 10:11:12.123 +05:30", "T10:11": "1970-01-01 10:11:00",
		"2018-03-01T10:11:12.5Z": "2018-03-01 10:11:12.5 UTC", "2018-03-01 10:11:12": "", "20180301T101112Z": "", "2018-02-30": "", "": "",
	} {
		got := ""
		if at, err := ISOTimestamp(text); err == nil {
			if got = Micros(at.Wall); at.Zone != "" {
				got += " " + at.Zone
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzFormats: no text and no format is too odd.
func FuzzFormats(f *testing.F) {
	f.Add("%Y-%m-%d %r", "2018-03-01 10:11:12 PM")
	f.Add("yyyy-MM-dd'T'HH:mm:ss.SSSZZ", "2018-03-01T10:11:12.5+02:00")
	f.Fuzz(func(t *testing.T, format, text string) {
		mysql, err := MySQL(format)
		joda, err2 := Joda(format, time.Unix(0, 0))
		for _, f := range []*Format{mysql, joda} {
			if f == nil && err == nil && err2 == nil {
				t.Fatal("no format and no error")
			}
			if f == nil {
				continue
			}
			if at, err := f.Parse(text); err == nil {
				if _, err := Parsed(at); err == nil {
					_, _ = f.Format(at.Wall, "UTC", true)
				}
			}
		}
		_, _ = ISOTimestamp(text)
		_, _ = Timestamp(text)
	})
}
