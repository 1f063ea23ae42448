package lake

import "fmt"

// keep adds to m the parts of base whose samples m does not replace, and returns the files that remain for
// them. A file of which only some samples are replaced cannot be divided and is an error.
func (m *Manifest) keep(base *Manifest) ([]File, error) {
	if base == nil {
		return nil, nil
	}
	made := coverage(m.Parts)
	var unchanged []File
	for _, f := range base.Files {
		switch made.within(f.Lo, f.Hi) {
		case 0:
			unchanged = append(unchanged, f)
		case f.Hi - f.Lo + 1:
		default:
			return nil, fmt.Errorf("file %s of the published partition has samples %d to %d, which must be made again together",
				f.Name, f.Lo, f.Hi)
		}
	}
	for _, p := range base.Parts {
		m.Parts = append(m.Parts, made.rest(p)...)
	}
	m.Files = append(m.Files, unchanged...)
	return unchanged, nil
}

// samples is the set of samples that some part covers.
type samples map[int]bool

func coverage(parts []Part) samples {
	s := samples{}
	for _, p := range parts {
		for i := p.Lo; i <= p.Hi; i++ {
			s[i] = true
		}
	}
	return s
}

// within counts the samples from lo to hi.
func (s samples) within(lo, hi int) (n int) {
	for i := lo; i <= hi; i++ {
		if s[i] {
			n++
		}
	}
	return n
}

// rest returns the samples of a part that are not in s, as ranges.
func (s samples) rest(p Part) (parts []Part) {
	for i := p.Lo; i <= p.Hi; i++ {
		if s[i] {
			continue
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Hi == i-1 {
			parts[last].Hi = i
		} else {
			parts = append(parts, Part{Lo: i, Hi: i, Work: p.Work})
		}
	}
	return parts
}
