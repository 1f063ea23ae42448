// Package chaos damages installations, fails the system calls of the real
// program, and then looks at the rows: after every damage they are right, or an
// error names the damage. It has tests only; `make chaos` runs them for longer.
package chaos
