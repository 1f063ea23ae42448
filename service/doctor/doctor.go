// Package doctor examines an installation and everything that it depends on: disk, clock, limits, permissions, kernel,
// certificates, servers, formats, backup. It changes nothing, apart from temporary files that it removes.
// A bundle has what it found and the state of the service for a report of an error.
package doctor

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
)

// State is the result of a check.
type State string

// The states.
const (
	OK   State = "ok"
	Warn State = "warn" // works now; something may fail later
	Fail State = "fail" // does not work, or data is in danger
)

// Finding is a result of a check.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Text  string `json:"text"`
	Do    string `json:"do,omitempty"` // what to do about it
}

func good(format string, args ...any) Finding {
	return Finding{State: OK, Text: fmt.Sprintf(format, args...)}
}

func warn(do, format string, args ...any) Finding {
	return Finding{State: Warn, Text: fmt.Sprintf(format, args...), Do: do}
}

func fail(do, format string, args ...any) Finding {
	return Finding{State: Fail, Text: fmt.Sprintf(format, args...), Do: do}
}

// Patient describes the installation to examine.
type Patient struct {
	File    string          // of the configuration; "": none
	Refused error           // why the configuration is unusable; then only the machine is examined
	Values  *config.Values  // nil if Refused
	Service *service.Config // the settings of serve
	Roots   site.Roots      // the places of the installation, all set
	Program string          // version and commit

	Exists func(context.Context) (bool, error)
	Check  func(context.Context) error // returns what serve would refuse
	Read   func(context.Context) (*site.Site, error)

	Options

	clocks []clock
	opened *site.Site
	unread error // why opened is nil
}

// Options select what is examined.
type Options struct {
	Write     bool          // try writes in buckets, too
	Backup    string        // folder with the newest copy of the data folder; "": none is known
	BackupAge time.Duration // that a copy may have
	Unit      string        // of systemd
	Now       func() time.Time
}

// checks lists the checks in their order. The clock comes after the servers, which return theirs.
var checks = []struct {
	name string
	data bool // needs the configuration
	do   func(*Patient, context.Context) []Finding
}{
	{"configuration", false, (*Patient).configuration},
	{"listeners", true, (*Patient).listeners},
	{"disk", true, (*Patient).disks},
	{"permissions", true, (*Patient).permissions},
	{"limits", false, (*Patient).limits},
	{"kernel", true, (*Patient).kernel},
	{"certificates", true, (*Patient).certificates},
	{"geo", true, (*Patient).geo},
	{"bucket", true, (*Patient).buckets},
	{"brokers", true, (*Patient).brokers},
	{"postgresql", true, (*Patient).postgres},
	{"oidc", true, (*Patient).provider},
	{"clock", false, (*Patient).clock},
	{"version", true, (*Patient).version},
	{"status", true, (*Patient).status},
	{"backup", true, (*Patient).backup},
	{"service", true, (*Patient).running},
	{"unit", false, (*Patient).unit},
}

// patience limits the time of a check that depends on a server.
const patience = 15 * time.Second

// Examine runs all checks.
func Examine(ctx context.Context, p *Patient) (all []Finding, err error) {
	defer func() {
		if p.opened != nil {
			err = joinClose(err, p.opened)
		}
	}()
	for _, c := range checks {
		if c.data && p.Refused != nil {
			continue
		}
		for _, f := range c.do(p, ctx) {
			f.Check = c.name
			all = append(all, f)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func joinClose(err error, c io.Closer) error {
	if closing := c.Close(); err == nil {
		err = closing
	}
	return err
}

// Failed returns an error if a check failed.
func Failed(all []Finding) error {
	n := 0
	for _, f := range all {
		if f.State == Fail {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("doctor: %d of %d checks failed: the lines with FAIL say what to do", n, len(all))
}

// site opens the installation for reading, once. It returns nil if there is none.
func (p *Patient) site(ctx context.Context) (*site.Site, error) {
	if p.opened != nil || p.unread != nil {
		return p.opened, p.unread
	}
	is, err := p.Exists(ctx)
	if err == nil && is {
		p.opened, err = p.Read(ctx)
	}
	p.unread = err
	return p.opened, err
}
