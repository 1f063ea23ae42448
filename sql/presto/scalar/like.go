package scalar

import (
	"unicode/utf8"
)

// CheckLike gives the error of a pattern of LIKE with ESCAPE.
func CheckLike(text, escape string) error {
	_, err := likePieces(text, escape)
	return err
}

// Like is LIKE; without an escape no character has one.
func Like(s, text, escape string) (bool, error) {
	if escape == "" {
		escape = "\x00"
	}
	return like(s, text, escape)
}

// like is LIKE with ESCAPE.
func like(s, text, escape string) (bool, error) {
	pieces, err := likePieces(text, escape)
	return err == nil && likeMatch([]rune(s), pieces), err
}

// The pieces of a pattern that are no characters.
const (
	anyOne  rune = -1
	anyMany rune = -2
)

func likePieces(text, mark string) ([]rune, error) {
	if utf8.RuneCountInString(mark) != 1 {
		return nil, invalid("Escape string must be a single character")
	}
	escape, _ := utf8.DecodeRuneInString(mark)
	var out []rune
	escaped := false
	for _, c := range text {
		switch {
		case escaped && c != '%' && c != '_' && c != escape:
			return nil, likeError()
		case escaped:
			out, escaped = append(out, c), false
		case c == escape:
			escaped = true
		case c == '%':
			out = append(out, anyMany)
		case c == '_':
			out = append(out, anyOne)
		default:
			out = append(out, c)
		}
	}
	if escaped {
		return nil, likeError()
	}
	return out, nil
}

func likeError() error {
	return invalid("Escape character must be followed by '%%', '_' or the escape character itself")
}

// likeMatch goes back to the last % only.
func likeMatch(s, pieces []rune) bool {
	i, j, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case j < len(pieces) && pieces[j] == anyMany:
			star, mark = j, i
			j++
		case j < len(pieces) && (pieces[j] == anyOne || pieces[j] == s[i]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = mark, star+1
		default:
			return false
		}
	}
	return onlyMany(pieces[j:])
}

func onlyMany(pieces []rune) bool {
	for _, p := range pieces {
		if p != anyMany {
			return false
		}
	}
	return true
}
