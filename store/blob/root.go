package blob

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// A parameter is a setting of a root's URL. None of them is a secret.
type parameter struct {
	name    string
	schemes string // that have it, with spaces
	doc     string
	check   func(value string) error // nil: anything but nothing
}

// parameters lists the settings that URLs of roots may have.
var parameters = []parameter{
	{"region", "s3", "the bucket's region, if the environment does not say it", nil},
	{"endpoint", "s3 gs azblob", "URL of a server that is not the provider's own", endpoint},
	{"path-style", "s3", "true: the bucket is in the path of requests and not in the name of the host, as most servers but Amazon's need it",
		boolean},
	{"profile", "s3", "the profile of the credentials in ~/.aws", nil},
	{"encryption", "s3", "what the server encrypts new objects with: AES256, aws:kms or aws:kms:dsse; without it, as the bucket says",
		oneOf("AES256", "aws:kms", "aws:kms:dsse")},
	{"kms-key", "s3 gs", "the key that the server encrypts new objects with", nil},
	{"checksums", "s3", "required: send no checksums of uploads, for servers that do not know them", oneOf("supported", "required")},
	{"anonymous", "s3 gs azblob", "true: no credentials, as for public buckets", boolean},
	{"account", "azblob", "the storage account, if the environment does not say it", nil},
	{"encryption-scope", "azblob", "the scope that the server encrypts new objects with", nil},
}

// Parameter describes a setting of a URL, for documentation.
type Parameter struct {
	Name    string
	Schemes []string // s3, gs, azblob
	Doc     string
}

// Parameters returns the settings that URLs may have.
func Parameters() []Parameter {
	all := make([]Parameter, len(parameters))
	for i, p := range parameters {
		all[i] = Parameter{p.name, strings.Fields(p.schemes), p.doc}
	}
	return all
}

// schemes of URLs, with what a bucket is called there.
var schemes = map[string]string{"s3": "bucket", "gs": "bucket", "azblob": "container"}

// IsURL reports whether a root is the URL of a bucket rather than a path of the local disk.
func IsURL(root string) bool { return strings.Contains(root, "://") }

// Join returns a root below another one: the URL with elem appended to its path.
func Join(root string, elem ...string) (string, error) {
	r, err := parse(root)
	if err != nil {
		return "", err
	}
	r.prefix = path.Join(append([]string{r.prefix}, elem...)...)
	return r.full(), nil
}

// A root is a URL that has been read.
type root struct {
	scheme, bucket string
	prefix         string // no slash at either end
	set            url.Values
}

func (r root) get(name string) string { return r.set.Get(name) }

// String returns the URL without settings.
func (r root) String() string {
	return strings.TrimSuffix(r.scheme+"://"+r.bucket+"/"+r.prefix, "/")
}

func (r root) full() string {
	u := url.URL{Scheme: r.scheme, Host: r.bucket, Path: "/" + r.prefix, RawQuery: r.set.Encode()}
	if r.prefix == "" {
		u.Path = ""
	}
	return u.String()
}

// parse reads a URL; what it complains about has no secrets.
func parse(text string) (root, error) {
	u, err := url.Parse(text)
	if err != nil {
		return root{}, fmt.Errorf("bad URL of a bucket: it has to be as s3://bucket/prefix") // the reason would repeat the URL
	}
	what, ok := schemes[u.Scheme]
	shown := fmt.Sprintf("bad URL %s://%s%s", u.Scheme, u.Host, u.Path)
	switch {
	case !ok:
		return root{}, fmt.Errorf("%s: it has to begin with one of %s", shown, strings.Join(beginnings(), ", "))
	case u.User != nil:
		return root{}, fmt.Errorf("%s: it must not hold credentials: they come from the environment or the provider's files", shown)
	case u.Host == "" || strings.Contains(u.Host, ":"):
		return root{}, fmt.Errorf("%s: it needs the name of a %s after ://; another server is ?endpoint=…", shown, what)
	case u.Fragment != "":
		return root{}, fmt.Errorf("%s: it must not have a #", shown)
	}
	r := root{scheme: u.Scheme, bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	if r.prefix != "" {
		if err := store.CheckName(r.prefix); err != nil {
			return root{}, fmt.Errorf("%s: %w", shown, err)
		}
	}
	if r.set, err = url.ParseQuery(u.RawQuery); err != nil {
		return root{}, fmt.Errorf("%s: what follows the ? cannot be read", shown)
	}
	for _, name := range slices.Sorted(maps.Keys(r.set)) {
		if err := checkParameter(u.Scheme, name, r.set[name]); err != nil {
			return root{}, fmt.Errorf("%s: %w", shown, err)
		}
	}
	return r, nil
}

func beginnings() []string {
	all := slices.Sorted(maps.Keys(schemes))
	for i := range all {
		all[i] += "://"
	}
	return all
}

func checkParameter(scheme, name string, values []string) error {
	var known []string
	for _, p := range parameters {
		if !slices.Contains(strings.Fields(p.schemes), scheme) {
			continue
		}
		known = append(known, p.name)
		if p.name != name {
			continue
		}
		if len(values) != 1 || values[0] == "" {
			return fmt.Errorf("%s needs one value", name)
		}
		if p.check != nil {
			if err := p.check(values[0]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("unknown setting %q: there are %s", name, strings.Join(known, ", "))
}

func boolean(value string) error {
	if _, err := strconv.ParseBool(value); err != nil {
		return fmt.Errorf("%q is neither true nor false", value)
	}
	return nil
}

func oneOf(values ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("%q is none of %s", value, strings.Join(values, ", "))
		}
		return nil
	}
}

func endpoint(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return fmt.Errorf("it has to be as https://host:port")
	}
	return nil
}
