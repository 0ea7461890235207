# What laeken and ineq say of samples.csv, added to answers.csv. Rscript answers.R
library(laeken)
library(ineq)
options(digits = 17)
all <- read.csv("samples.csv")
say <- function(set, source, measure, value)
  cat(sprintf("%s,%s,%s,%.17g\n", set, source, measure, value), file = "answers.csv", append = TRUE)
for (set in unique(all$set)) {
  s <- all[all$set == set, ]
  s <- s[!is.na(s$value), ]
  # A value without a weight is nobody's; laeken would still count it among the ties of a quantile.
  s <- s[s$weight > 0, ]
  x <- s$value
  w <- s$weight
  for (p in c(0.1, 0.2, 0.25, 0.5, 0.8, 0.9))
    say(set, "laeken", paste0("quantile ", p), weightedQuantile(x, w, p))
  say(set, "laeken", "mean", weightedMean(x, w))
  say(set, "laeken", "gini", gini(x, w)$value / 100)
  say(set, "laeken", "s80s20", qsr(x, w)$value)
  say(set, "laeken", "line", 0.6 * weightedMedian(x, w))
  say(set, "laeken", "poverty rate", arpr(x, w)$value / 100)
  say(set, "laeken", "median gap", suppressWarnings(rmpg(x, w)$value) / 100)
  if (all(w == 1)) {
    say(set, "ineq", "gini", Gini(x))
    say(set, "ineq", "theil", Theil(x[x > 0]))
  }
}
