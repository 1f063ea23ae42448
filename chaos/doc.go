// Package chaos damages installations, fails the system calls of the real
// program, and looks at what becomes of the rows: after whatever happened they
// are right, or an error names what is wrong. It is tests only; `make chaos` runs
// them for longer.
package chaos
