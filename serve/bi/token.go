package bi

import (
	"encoding/base64"
	"strings"
)

// Token returns the token in the value of an Authorization header: Bearer TOKEN, or Basic with TOKEN as the password.
func Token(header string) (token string, ok bool) {
	scheme, value, _ := strings.Cut(strings.TrimSpace(header), " ")
	value = strings.TrimSpace(value)
	switch strings.ToLower(scheme) {
	case "bearer":
		return value, value != ""
	case "basic":
		text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
		if err != nil {
			return "", false
		}
		_, token, _ := strings.Cut(string(text), ":")
		return token, token != ""
	}
	return "", false
}
