# One line of bench.sh's table. Input: a line a turn, the seconds of md5sum, of the program and, it may be,
# of another command. Variables: cells, bytes (of the board), peaks (KiB, of the program and the other).

# Sorted as they come: time[i, 1..NR] are the seconds of command i, the least first.
{
  for (i = 1; i <= NF; i++) {
    for (j = NR; j > 1 && time[i, j - 1] > $i + 0; j--) time[i, j] = time[i, j - 1]
    time[i, j] = $i + 0
  }
}

function median(i) { return (time[i, int((NR + 1) / 2)] + time[i, int(NR / 2) + 1]) / 2 }

function ratio(i) { return median(1) > 0 ? sprintf("%.2f", median(i) / median(1)) : "-" }

function megabytes(i) { return held[i] > 0 ? sprintf("%.1f", held[i] * 1024 / 1e6) : "-" }

END {
  split(peaks, held, " ")
  seconds = median(2) > 0 ? median(2) : 1e-6 # a clock may be too coarse to see it
  printf "%7.1f%9.4f%7.0f%9.1f%10.5f%9s%9s", bytes / 1e6, median(2), bytes / 1e6 / seconds, cells / 1e6 / seconds,
    median(2) / (cells / 1e6), ratio(2), megabytes(1)
  if (NF > 2) printf "%12.4f%9s%9s", median(3), ratio(3), megabytes(2)
  print ""
}
