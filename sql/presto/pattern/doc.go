// Package pattern has the regular expressions of Trino, which are Joni's with the
// syntax of Java. It asks Go's own engine where that answers alike, since its time is linear, and
// regexp2 for all else: look-around, references to groups. What neither knows is refused.
package pattern
