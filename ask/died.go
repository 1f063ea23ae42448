package ask

import "errors"

// Died says whether an error of Run is that of a process that died, and nobody knows why.
func Died(err error) bool { return errors.Is(err, errDied) }
