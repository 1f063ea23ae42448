package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// cityList is the set of cities big enough to be named. The zero value names all cities.
type cityList struct {
	limited bool
	ids     map[uint]bool // geonames ids
	names   map[string]bool
}

// parseCityList reads a list of cities: one per line, a geonames id or an English name. In a line with tabs it
// reads the first field, so the city files of geonames.org are valid lists. It ignores empty lines and lines
// that begin with '#'.
func parseCityList(text []byte) (cityList, error) {
	c := cityList{limited: true, ids: map[uint]bool{}, names: map[string]bool{}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20) // the alternate names of a city fill lines of several KiB
	for lines.Scan() {
		c.add(lines.Text())
	}
	if err := lines.Err(); err != nil {
		return cityList{}, err
	}
	if len(c.ids)+len(c.names) == 0 {
		return cityList{}, errors.New("there is no city in it")
	}
	return c, nil
}

func (c *cityList) add(line string) {
	entry, _, _ := strings.Cut(line, "\t")
	entry = strings.TrimSpace(entry)
	if entry == "" || strings.HasPrefix(entry, "#") {
		return
	}
	if id, err := strconv.ParseUint(entry, 10, 32); err == nil {
		c.ids[uint(id)] = true
		return
	}
	c.names[entry] = true
}

func (c *cityList) allows(id uint, name string) bool {
	return !c.limited || c.ids[id] || c.names[name]
}
