package doctor

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/ingest"
)

// configuration checks what serve checks before it starts.
func (p *Patient) configuration(ctx context.Context) []Finding {
	where := p.File
	if where == "" {
		where = "no file, only flags, variables and defaults"
	}
	err := p.Refused
	if err == nil {
		err = p.Check(ctx)
	}
	if err != nil {
		return []Finding{fail("correct these lines; pingmill config shows what is in effect", "%s: %v", where, err)}
	}
	all := []Finding{good("usable: %s", where)}
	for _, name := range p.secretFiles() {
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o007 != 0 {
			all = append(all, fail(fmt.Sprintf("chmod 640 %s, and give it to the group of the service", name),
				"%s has a secret, and everybody on this machine can read it", name))
		}
	}
	return all
}

// filesOfSecrets lists the keys that name a file with a secret.
var filesOfSecrets = []string{"edge.tls.key", "web.tls.key", "spool.kafka.key", "spool.kafka.password-file",
	"web.oidc.client-secret-file"}

// secretFiles returns the files that have secrets: keys, passwords, and the configuration if a secret is in it.
func (p *Patient) secretFiles() (names []string) {
	for k, value := range p.Values.All() {
		text, _ := value.(string)
		switch {
		case text == "":
		case k.Secret && p.File != "" && strings.HasPrefix(p.Values.Source(k.Name), p.File+":"):
			names = append(names, p.File)
		case slices.Contains(filesOfSecrets, k.Name):
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p *Patient) listeners(context.Context) (all []Finding) {
	for _, key := range p.Service.Exposed() {
		all = append(all, warn("listen at one address, set certificate and key, or keep strangers away with a proxy or a firewall",
			"%s accepts connections from everywhere without TLS: passwords and tokens can be read on the way", key))
	}
	if all == nil {
		all = append(all, good("those of people and operators are encrypted or at one address"))
	}
	return all
}

// geoAge is the age after which a database of places is old: the provider has a new one every week.
const geoAge = 90 * 24 * time.Hour

func (p *Patient) geo(context.Context) []Finding {
	name := p.Service.Decode.Decode.Geo
	if name == "" {
		return []Finding{good("no database (decode.geo): every place is ??")}
	}
	built, err := ingest.GeoBuilt(name)
	if err != nil {
		return []Finding{fail("give a MaxMind city database that the service may read", "%v", err)}
	}
	if age := p.Now().Sub(built); age > geoAge {
		return []Finding{warn("replace the file; it is read again within 30 seconds", "%s is %s old", name, days(age))}
	}
	return []Finding{good("%s of %s", name, built.Format(time.DateOnly))}
}

func days(d time.Duration) string { return fmt.Sprintf("%d days", int(d.Hours()/24)) }
