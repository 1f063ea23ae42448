package config

import (
	"errors"
	"time"
)

// deletionKeys are the keys of deletion requests.
var deletionKeys = Keys{
	{Name: "deletion.metrics", Flag: "deletion-metric", Type: List,
		Doc:      "ids of further metrics of Glean: their values are forgotten if a ping whose type ends in -deletion-request has them",
		Commands: decodes},
	{Name: "deletion.every", Flag: "delete-every", Type: Duration, Default: "168h",
		Doc:      "how often rows are removed from the files, if there are requests; 0: only by pingmill delete --now",
		Commands: []string{"serve", "delete"}},
	{Name: "deletion.deadline", Flag: "delete-deadline", Type: Duration, Default: "720h",
		Doc:      "time after a request by which no row may be left in the files; status and an alert say if that is in danger",
		Commands: []string{"serve", "delete", "status"}},
}

// checkDeletion requires that a request is served well before its deadline: every cycle may begin just before it.
func checkDeletion(v *Values) error {
	every, err := time.ParseDuration(v.text("deletion.every"))
	if err != nil {
		return err
	}
	deadline, err := time.ParseDuration(v.text("deletion.deadline"))
	switch {
	case err != nil:
		return err
	case deadline < 24*time.Hour:
		return errors.New("want a deadline of 24h or more")
	case every > deadline*3/4:
		return errors.New("want removals at least every three quarters of the deadline: a request may come right after one began")
	}
	return nil
}
