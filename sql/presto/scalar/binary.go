package scalar

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // what the query asks for
	"crypto/sha1" //nolint:gosec // what the query asks for
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/twmb/murmur3"
)

var binaryFuncs = []Func{
	one("to_hex", func(b []byte) (string, error) { return strings.ToUpper(hex.EncodeToString(b)), nil }),
	one("from_hex", fromHex),
	one("to_utf8", func(s string) ([]byte, error) { return []byte(s), nil }),
	two("from_utf8", fromUTF8),
	digest("md5", md5.New), digest("sha1", sha1.New), digest("sha256", sha256.New), digest("sha512", sha512.New),
	keyed("hmac_md5", md5.New), keyed("hmac_sha1", sha1.New), keyed("hmac_sha256", sha256.New), keyed("hmac_sha512", sha512.New),
	one("crc32", func(b []byte) (int64, error) { return int64(crc32.ChecksumIEEE(b)), nil }),
	one("xxhash64", func(b []byte) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, xxhash.Sum64(b)), nil }),
	one("murmur3", func(b []byte) ([]byte, error) {
		h1, h2 := murmur3.Sum128(b)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, h1), h2), nil
	}),
	one("to_base64", func(b []byte) (string, error) { return base64.StdEncoding.EncodeToString(b), nil }),
	one("to_base64url", func(b []byte) (string, error) { return base64.URLEncoding.EncodeToString(b), nil }),
	one("from_base64", func(s string) ([]byte, error) { return fromBase64(base64.RawStdEncoding, s) }),
	one("from_base64url", func(s string) ([]byte, error) { return fromBase64(base64.RawURLEncoding, s) }),
	one("to_base32", func(b []byte) (string, error) { return base32.StdEncoding.EncodeToString(b), nil }),
	one("from_base32", fromBase32),
	one("to_big_endian_32", func(n int32) ([]byte, error) { return binary.BigEndian.AppendUint32(nil, uint32(n)), nil }),
	one("to_big_endian_64", func(n int64) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, uint64(n)), nil }),
	one("from_big_endian_32", func(b []byte) (int32, error) {
		if len(b) != 4 {
			return 0, invalid("expected 4-byte input, but got instead: %d", len(b))
		}
		return int32(binary.BigEndian.Uint32(b)), nil
	}),
	one("from_big_endian_64", func(b []byte) (int64, error) {
		if len(b) != 8 {
			return 0, invalid("expected 8-byte input, but got instead: %d", len(b))
		}
		return int64(binary.BigEndian.Uint64(b)), nil
	}),
	one("to_ieee754_32", func(f float32) ([]byte, error) { return binary.BigEndian.AppendUint32(nil, math.Float32bits(f)), nil }),
	one("to_ieee754_64", func(f float64) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, math.Float64bits(f)), nil }),
	one("from_ieee754_32", func(b []byte) (float32, error) {
		if len(b) != 4 {
			return 0, invalid("Input floating-point value must be exactly 4 bytes long")
		}
		return math.Float32frombits(binary.BigEndian.Uint32(b)), nil
	}),
	one("from_ieee754_64", func(b []byte) (float64, error) {
		if len(b) != 8 {
			return 0, invalid("Input floating-point value must be exactly 8 bytes long")
		}
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	}),
	two("to_base", toBase),
	two("from_base", fromBase),
	three("substr_binary", substrBinary),
	one("reverse_binary", func(b []byte) ([]byte, error) {
		b = slices.Clone(b)
		slices.Reverse(b)
		return b, nil
	}),
	three("lpad_binary", func(b []byte, n int64, with []byte) ([]byte, error) { return padBinary(b, n, with, true) }),
	three("rpad_binary", func(b []byte, n int64, with []byte) ([]byte, error) { return padBinary(b, n, with, false) }),
}

func digest(name string, newHash func() hash.Hash) Func {
	return one(name, func(b []byte) ([]byte, error) {
		h := newHash()
		h.Write(b)
		return h.Sum(nil), nil
	})
}

func keyed(name string, newHash func() hash.Hash) Func {
	return two(name, func(b, key []byte) ([]byte, error) {
		if len(key) == 0 {
			return nil, invalid("Empty key")
		}
		h := hmac.New(newHash, key)
		h.Write(b)
		return h.Sum(nil), nil
	})
}

func fromHex(s string) ([]byte, error) {
	if len(s)%2 != 0 {
		return nil, invalid("invalid input length %d", len(s))
	}
	b, err := hex.DecodeString(s)
	var bad hex.InvalidByteError
	if errors.As(err, &bad) {
		return nil, invalid("not a hexadecimal digit: %q = %d", rune(bad), byte(bad))
	}
	return b, err
}

// fromUTF8 puts a replacement for every longest piece that does not begin a character.
func fromUTF8(b []byte, replacement string) (string, error) {
	if utf8.RuneCountInString(replacement) > 1 {
		return "", invalid("Replacement character string must empty or a single character")
	}
	var out strings.Builder
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n == 1 {
			out.WriteString(replacement)
			n = wrongPiece(b)
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String(), nil
}

// wrongPiece counts the bytes that Trino reads as one invalid character: the
// first byte and the continuation bytes that it announces.
func wrongPiece(b []byte) int {
	announced := 1
	switch c := b[0]; {
	case c >= 0xfe:
	case c >= 0xfc:
		announced = 6
	case c >= 0xf8:
		announced = 5
	case c >= 0xf0:
		announced = 4
	case c >= 0xe0:
		announced = 3
	case c >= 0xc0:
		announced = 2
	}
	n := 1
	for n < announced && n < len(b) && b[n]&0xc0 == 0x80 {
		n++
	}
	return n
}

func fromBase64(encoding *base64.Encoding, s string) ([]byte, error) {
	if len(s) == 1 {
		return nil, invalid("Input byte[] should at least have 2 bytes for base64 bytes")
	}
	for i, c := range []byte(s) {
		if c == '\n' || c == '\r' || c >= 0x80 { // Go skips line ends
			return nil, invalid("Illegal base64 character %x at %d", c, i)
		}
	}
	text := strings.TrimRight(s, "=")
	if padding := len(s) - len(text); padding > 0 && len(s)%4 != 0 || padding > 2 {
		return nil, invalid("Input byte array has wrong 4-byte ending unit")
	}
	b, err := encoding.DecodeString(text)
	if err != nil {
		return nil, invalid("Illegal base64 text: %v", err)
	}
	return b, nil
}

func fromBase32(s string) ([]byte, error) {
	text := strings.TrimRight(s, "=")
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if last := len(text) % 8; err != nil || last == 1 || last == 3 || last == 6 || strings.ContainsAny(s, "\r\n") {
		return nil, invalid("Illegal base32 text: %s", s)
	}
	return b, nil
}

func toBase(n, radix int64) (string, error) {
	if radix < 2 || radix > 36 {
		return "", invalid("Radix must be between 2 and 36")
	}
	s := strconv.FormatInt(n, int(radix))
	if len(s) > 64 {
		return "", invalid("Value [%s] does not fit in type varchar(64)", s)
	}
	return s, nil
}

func fromBase(s string, radix int64) (int64, error) {
	if radix < 2 || radix > 36 {
		return 0, invalid("Radix must be between 2 and 36")
	}
	n, err := strconv.ParseInt(s, int(radix), 64)
	if err != nil {
		return 0, invalid("Not a valid base-%d number: %s", radix, s)
	}
	return n, nil
}

func substrBinary(b []byte, start, length int64) ([]byte, error) {
	n := int64(len(b))
	if start < 0 {
		start += n + 1
	}
	if start <= 0 || start > n || length <= 0 {
		return []byte{}, nil
	}
	return b[start-1 : start-1+min(length, n-start+1)], nil
}

func padBinary(b []byte, n int64, with []byte, left bool) ([]byte, error) {
	if n < 0 || n > 1<<31-1 {
		return nil, invalid("Target length must be in the range [0..2147483647]")
	}
	if len(with) == 0 {
		return nil, invalid("Padding bytes must not be empty")
	}
	if n > maxPadded {
		return nil, unsupported("a value padded to %d bytes is too long", n)
	}
	if int64(len(b)) >= n {
		return b[:n], nil
	}
	padding := make([]byte, n-int64(len(b)))
	for i := range padding {
		padding[i] = with[i%len(with)]
	}
	if left {
		return append(padding, b...), nil
	}
	return append(slices.Clone(b), padding...), nil
}
