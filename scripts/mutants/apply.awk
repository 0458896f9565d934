# Puts one bug of bugs.md into a source: awk -v program=P -v bug=NAME -f apply.awk bugs.md SOURCE > MUTANT
#
# What is marked `-` or not at all must stand in the source once, as whole lines in a row; in its place comes what
# is marked `+` or not at all. Blanks at the ends of a line do not count. Exit status: 0, or 1 with a complaint.

function trimmed(line) {
  gsub(/^[ \t]+|[ \t]+$/, "", line)
  return line
}

# The list.
FNR == NR {
  if (/^```/) within = !within
  else if (within && here) {
    if (!/^[+]/) old[++olds] = trimmed(substr($0, 2))
    if (!/^-/) new[++news] = substr($0, 2)
  }
  if (/^## /) suite = substr($0, 4)
  if (/^#/ && !within) here = suite == program && $0 == "### " bug
  next
}

{ source[++lines] = $0 }

END {
  for (at = 1; olds && at + olds - 1 <= lines; at++) {
    for (same = 0; same < olds && trimmed(source[at + same]) == old[same + 1];) same++
    if (same == olds && ++places == 1) place = at
  }
  if (places != 1) {
    printf "its %d old lines stand in the source %d times instead of once\n", olds, places > "/dev/stderr"
    exit 1
  }
  for (at = 1; at < place; at++) print source[at]
  for (at = 1; at <= news; at++) print new[at]
  for (at = place + olds; at <= lines; at++) print source[at]
}
