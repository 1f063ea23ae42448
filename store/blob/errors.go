package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"
)

// noCredentials is the code of an error that came before the request to the bucket.
const noCredentials = "NoCredentials"

// ErrNoCredentials means that no credentials for a bucket were found.
var ErrNoCredentials = errors.New("no credentials were found")

// noBucket lists the codes of answers about a missing bucket.
var noBucket = map[string]bool{"NoSuchBucket": true, "ContainerNotFound": true, "ContainerBeingDeleted": true}

// advice lists remedies for errors of the providers.
var advice = []struct {
	codes  string // with spaces
	status int
	say    string
}{
	{"NoSuchBucket ContainerNotFound", 0, "there is no such bucket: create it, or correct the URL"},
	{"ExpiredToken ExpiredTokenException RequestExpired TokenRefreshRequired", 0, "the credentials have expired: sign in again or renew them"},
	{"RequestTimeTooSkewed", 0, "this machine's clock is wrong: set it"},
	{"InvalidAccessKeyId SignatureDoesNotMatch InvalidToken AuthenticationFailed InvalidAuthenticationInfo", 0,
		"the credentials are not accepted: check key and secret, and that they are for this endpoint"},
	{"PermanentRedirect TemporaryRedirect AuthorizationHeaderMalformed IllegalLocationConstraintException", 0,
		"the bucket is in another region: correct region= in the URL"},
	{"", 301, "the bucket is in another region: correct region= in the URL"},
	{"", 307, "the bucket is in another region: correct region= in the URL"},
	{"KMS.NotFoundException KMS.DisabledException KMSNotFound", 0,
		"the key of kms-key= cannot be used: check that it exists and that the credentials may use it"},
	{"NotImplemented", 501, "the server does not know this kind of request"},
	{"", 429, "the server asks for fewer requests: try again later"},
	{"", 401, "credentials are missing or not accepted: see docs/object-storage.md for where they are looked for"},
	{"", 403, "access is denied: the credentials need the right to list, read, write and delete objects there"},
	{"", 503, "the server asks for fewer requests, or is down: try again later"},
}

// explain turns an error of a provider into one line with the object and the remedy.
func (b *Bucket) explain(ctx context.Context, op, name string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s %s: %w", op, b.path(name), context.Cause(ctx))
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return err
	}
	if name != "" && b.missing(err) {
		return &fs.PathError{Op: op, Path: b.path(name), Err: fs.ErrNotExist}
	}
	code, status := b.service.failure(err)
	return &Error{Op: op, URL: b.path(name), Reason: b.reason(err), Err: err, denied: status == 401 || status == 403,
		unknown: code == noCredentials}
}

// Error is an error of a bucket. Its text is one line; Err is the error of the provider's client.
type Error struct {
	Op, URL, Reason string
	Err             error
	denied          bool
	unknown         bool // there are no credentials
}

// Is makes an error about missing permissions match fs.ErrPermission, and one about missing credentials ErrNoCredentials.
func (e *Error) Is(target error) bool {
	return e.denied && target == fs.ErrPermission || e.unknown && target == ErrNoCredentials
}

// Error implements error.
func (e *Error) Error() string { return e.Op + " " + e.URL + ": " + e.Reason }

// Unwrap returns the provider's error.
func (e *Error) Unwrap() error { return e.Err }

func (b *Bucket) reason(err error) string {
	code, status := b.service.failure(err)
	for _, a := range advice {
		if code != "" && slices.Contains(strings.Fields(a.codes), code) || a.status != 0 && a.status == status {
			return fmt.Sprintf("%s (%s)", a.say, strings.TrimSpace(fmt.Sprint(code, " ", status)))
		}
	}
	if status >= 300 {
		return fmt.Sprintf("the server answered %d %s", status, code)
	}
	var (
		dns  *net.DNSError
		dial *net.OpError
		text = oneLine(err)
	)
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("host %s is not known: check endpoint= and region= in the URL, and the network", dns.Name)
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Sprintf("no server answers at %v: check endpoint= in the URL, and the network (%v)", dial.Addr, dial.Err)
	case text == io.EOF.Error() || text == io.ErrUnexpectedEOF.Error():
		return "the connection was closed before the answer"
	case code == noCredentials, strings.Contains(text, "redential"):
		return "no credentials were found: see docs/object-storage.md for where they are looked for (" + text + ")"
	}
	return text
}

// oneLine returns the innermost part of an error, which says most, without line ends.
func oneLine(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// broken is an answer that has broken off while it was read, after which the same is asked again.
type broken struct{ error }

func (b *broken) Unwrap() error { return b.error }

const (
	usualAttempts = 8
	firstPause    = 100 * time.Millisecond
	longPause     = 5 * time.Second
)

// pause returns the time to wait before attempt try, the first being 0: it doubles each time, minus a random
// part of up to a half.
func pause(try int) time.Duration {
	long := min(firstPause<<min(try, 10), longPause)
	return long/2 + rand.N(long/2)
}

// again asks again where an answer broke off: the clients of the providers try requests again, but do not see that.
func (b *Bucket) again(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		var off *broken
		if !errors.As(err, &off) || try+1 == b.web.attempts || ctx.Err() != nil {
			return err
		}
		b.web.counter.retried()
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause(try)):
		}
	}
}

// cut reports whether an error means that a response was truncated.
func cut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, errStalled)
}
