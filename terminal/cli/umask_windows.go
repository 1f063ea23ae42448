package cli

// KeepPrivate does nothing on Windows, where files inherit the rights of folders.
func KeepPrivate() {}
