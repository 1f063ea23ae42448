package clock

import (
	"fmt"
	"strings"
	"time"
)

// Format writes a time, whose instant is in UTC and which is shown in a zone. hasZone is false for a timestamp
// without one.
func (f *Format) Format(instant time.Time, zone string, hasZone bool) (string, error) {
	loc, err := location(zone)
	if err != nil {
		return "", err
	}
	t := instant.In(loc)
	var b strings.Builder
	for _, p := range f.parts {
		if strings.IndexByte("zZoOI", p.field) >= 0 && p.field != 0 && !hasZone {
			return "", fmt.Errorf("format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ " +
				"information")
		}
		text, err := p.write(t, zone)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

func (p part) write(t time.Time, zone string) (string, error) {
	hour, half := t.Hour(), "AM"
	if hour >= 12 {
		half = "PM"
	}
	weekyear, week := t.ISOWeek()
	n := 0
	switch p.field {
	case 0:
		return p.text, nil
	case fMonthName:
		return monthNames[t.Month()-1], nil
	case fMonthShort:
		return monthNames[t.Month()-1][:3], nil
	case fWeekName:
		return weekNames[isoWeekday(t)-1], nil
	case fWeekShort:
		return weekNames[isoWeekday(t)-1][:3], nil
	case fHalf:
		return half, nil
	case fEra:
		return "AD", nil
	case fTwoDigits:
		return fmt.Sprintf("%02d", t.Year()%100), nil
	case fFraction:
		return (fmt.Sprintf("%03d", t.Nanosecond()/1_000_000) + "000000000")[:p.least], nil
	case fZoneName, fZoneLong, fOffset, fOffsetDots, fZoneID:
		return p.zone(t, zone)
	case fYear:
		n = t.Year()
	case fWeekyear:
		if n = weekyear; p.least == 2 {
			n %= 100
		}
	case fCentury:
		n = t.Year() / 100
	case fWeek:
		n = week
	case fWeekday:
		n = isoWeekday(t)
	case fDayOfYear:
		n = t.YearDay()
	case fMonth:
		n = int(t.Month())
	case fDay:
		n = t.Day()
	case fHour:
		n = hour
	case fHour24:
		n = (hour+23)%24 + 1
	case fHour12:
		n = (hour+11)%12 + 1
	case fHour11:
		n = hour % 12
	case fMinute:
		n = t.Minute()
	case fSecond:
		n = t.Second()
	}
	if n < 0 {
		return fmt.Sprintf("-%0*d", p.least, -n), nil
	}
	return fmt.Sprintf("%0*d", p.least, n), nil
}

// zone writes the zone of a time. The long names of zones are not known here.
func (p part) zone(t time.Time, zone string) (string, error) {
	named := zone[0] != '+' && zone[0] != '-'
	switch p.field {
	case fOffset:
		return t.Format("-0700"), nil
	case fOffsetDots:
		return t.Format("-07:00"), nil
	case fZoneID:
		return zone, nil
	case fZoneLong:
		if zone == "UTC" {
			return "Coordinated Universal Time", nil
		}
		if named {
			return "", fmt.Errorf("the long name of zone %s is not known: write ZZZ for %s", zone, zone)
		}
		return zone, nil
	}
	if !named {
		return zone, nil
	}
	name, _ := t.Zone()
	if name[0] == '+' || name[0] == '-' {
		return "", fmt.Errorf("the short name of zone %s is not known: write ZZZ for %s", zone, zone)
	}
	return name, nil
}
