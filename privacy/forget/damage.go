package forget

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// errState marks an object that is no JSON of ours. One of another format is none: a newer version may have written it.
var errState = errors.New("it cannot be read")

// damaged is the error of an object of the registry that cannot be used, and that queries need.
func (r *Registry) damaged(name string, why error, then string) error {
	return &store.StateError{
		Name: name, Place: store.Place(r.bucket, name), Why: why.Error(), Mend: "give it up: pingmill archive drop forget/" + name + then,
	}
}

// Check returns the reason why an object of the registry cannot be used, by its name in the registry's bucket.
func Check(name string, data []byte) (err error) {
	switch {
	case name == removedName:
		_, err = decodeRemoved(data)
	case strings.HasPrefix(name, requestsDir) && strings.HasSuffix(name, requestEnd):
		_, err = parseRequest(strings.TrimSuffix(path.Base(name), requestEnd), data)
	case strings.HasPrefix(name, loadsDir), name == checkedName:
		_, err = parseChecked(data)
	case strings.HasPrefix(name, piecesDir):
		_, err = parsePiece(data)
	case name == runningName, strings.HasPrefix(name, cyclesDir):
		_, err = parseCycle(data)
	case strings.HasPrefix(name, foundDir):
		_, err = parseFound(data)
	case strings.HasPrefix(name, reportsDir):
		_, err = parseReport(data)
	}
	return err
}

func parseChecked(data []byte) (c Checked, err error) {
	if err := json.Unmarshal(data, &c); err != nil {
		return Checked{}, fmt.Errorf("%w (%w)", errState, err)
	}
	return c, nil
}

func parseCycle(data []byte) (*Cycle, error) {
	var c Cycle
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%w (%w)", errState, err)
	}
	if c.Format != cycleFormat && c.Format != sharedFormat {
		return nil, fmt.Errorf("its format is %d, this program knows %d and %d", c.Format, cycleFormat, sharedFormat)
	}
	if c.Done < 0 || c.Done > len(c.Days) {
		return nil, fmt.Errorf("%w (it has done %d of %d days)", errState, c.Done, len(c.Days))
	}
	return &c, nil
}
