package worker

import "strings"

// described converts an error for the caller and removes the paths of this machine from its text.
func (s *session) described(err error) wireError {
	w := wireErrorOf(err)
	w.Memory = s.memory
	r := s.redactor()
	if w.Text = r.Replace(w.Text); w.Error != nil {
		w.Error.Message = r.Replace(w.Error.Message)
	}
	return w
}

// redactor replaces table folders by table names and the worker's folder by "(temporary folder)".
func (s *session) redactor() *strings.Replacer {
	var pairs []string
	for _, v := range s.q.Views {
		if root := commonFolder(v.Files, v.PartitionKeys); root != "" {
			pairs = append(pairs, root, v.Name)
		}
	}
	if s.q.Temp != "" {
		pairs = append(pairs, s.q.Temp, "(temporary folder)")
	}
	return strings.NewReplacer(pairs...)
}

// commonFolder returns the deepest folder that contains all files, without partition folders (key=value); "" without
// files.
func commonFolder(files, keys []string) string {
	if len(files) == 0 {
		return ""
	}
	common := folder(files[0])
	for _, f := range files {
		for !strings.HasPrefix(f, common+"/") {
			common = folder(common)
		}
	}
	for _, key := range keys {
		if i := strings.LastIndex(common, "/"+key+"="); i > 0 {
			common = common[:i]
		}
	}
	return common
}
