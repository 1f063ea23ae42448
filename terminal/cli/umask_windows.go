package cli

// KeepPrivate does nothing: folders there pass their rights on.
func KeepPrivate() {}
