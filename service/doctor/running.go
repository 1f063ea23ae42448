package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/service"
)

// Get returns the response of a page of the private listener.
func (p *Patient) Get(ctx context.Context, page string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, service.URLOf(p.Service.Private, "")+page, nil)
	if err != nil {
		return 0, nil, err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(io.LimitReader(res.Body, 64<<20))
	return res.StatusCode, body, err
}

// running reads the checks that the service itself makes.
func (p *Patient) running(ctx context.Context) []Finding {
	code, body, err := p.Get(ctx, "/__heartbeat__")
	if errors.Is(err, syscall.ECONNREFUSED) {
		return []Finding{warn("start it: pingmill serve, or systemctl start pingmill", "no service listens at %s (private.listen)",
			p.Service.Private)}
	}
	if err != nil {
		return []Finding{fail("look at its log, and restart it", "the service at %s does not respond: %v", p.Service.Private, err)}
	}
	var own map[string]string
	if err := json.Unmarshal(body, &own); err != nil {
		return []Finding{fail("correct private.listen, or end the other program", "%s (private.listen) is no service of pingmill",
			p.Service.Private)}
	}
	if code == http.StatusOK {
		return []Finding{good("the service at %s runs, and its own checks pass", p.Service.Private)}
	}
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if result := own[name]; result != "ok" {
			all = append(all, fail("mend what it names; the service tries again by itself", "the service says of %s: %s", name, result))
		}
	}
	return all
}

// properties names the properties of the unit that systemctl prints.
var properties = []string{"LoadState", "ActiveState", "Result", "NRestarts", "ExecMainStatus", "LimitNOFILE"}

// unit reads how often systemd has restarted the service.
func (p *Patient) unit(ctx context.Context) []Finding {
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return []Finding{good("systemd does not run here")}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "systemctl", "show", p.Unit, "--property="+strings.Join(properties, ",")).Output()
	if err != nil {
		return []Finding{warn("run it where systemctl works", "systemctl show %s: %v", p.Unit, err)}
	}
	return unitFindings(p.Unit, string(out))
}

// unitFindings judges the output of systemctl show.
func unitFindings(name, shown string) []Finding {
	has := map[string]string{}
	for line := range strings.Lines(shown) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		has[key] = value
	}
	look := fmt.Sprintf("journalctl -u %s -o cat -n 50", name)
	restarts, _ := strconv.Atoi(has["NRestarts"])
	switch {
	case has["LoadState"] != "loaded":
		return []Finding{good("no unit %s; --unit names another one", name)}
	case has["ActiveState"] == "failed":
		return []Finding{fail(look, "the unit %s has failed: %s, exit status %s", name, has["Result"], has["ExecMainStatus"])}
	case restarts > 0:
		return []Finding{warn(look, "systemd has restarted %s %s since it was started", name, text.Plural(restarts, "time"))}
	case has["ActiveState"] != "active":
		return []Finding{warn("systemctl start "+name, "the unit %s is %s", name, has["ActiveState"])}
	}
	return []Finding{good("%s is active and was never restarted after a failure", name)}
}
