# Draws persons with replicate weights and records standard errors and intervals of survey: Rscript answers.R
suppressMessages(library(survey))
digits <- function(x) sprintf("%.17g", x)
answers <- NULL
for (set in c("jackknife", "brr", "fay:0.5", "bootstrap", "sdr")) {
  set.seed(nchar(set) + 10)
  households <- 60
  n <- sample(1:4, households, TRUE)
  household <- rep(1:households, n)
  p <- data.frame(person_id = seq_along(household), household_id = household, household_role = ifelse(duplicated(household), "child", "parent"), salary = round(rlnorm(length(household), 7, 0.7)))
  p$rent <- (round(runif(households, 0, 300) * 4) / 4)[household]
  p$region <- sample(c("a", "b"), length(household), TRUE)
  p$w <- round(runif(households, 10, 90), 2)[household]
  R <- if (set == "jackknife") 20 else 32
  pick <- sample(rep(1:R, length.out = households))
  m <- sapply(1:R, function(r) switch(set,
    jackknife = ifelse(pick == r, 0, R / (R - 1)),
    brr = sample(c(0, 2), households, TRUE),
    "fay:0.5" = sample(c(0.5, 1.5), households, TRUE),
    bootstrap = tabulate(sample(households, replace = TRUE), households),
    sdr = sample(c(1, 1 + 2^-1.5, 1 - 2^-1.5), households, TRUE)))
  for (r in 1:R) p[[paste0("r", r)]] <- round(p$w * m[household, r], 4)
  write.csv(p, paste0(sub(":.*", "", set), ".csv"), row.names = FALSE, quote = FALSE)
  income <- tapply(p$salary, household, sum) - tapply(p$rent, household, `[`, 1)
  p$x <- (income / sqrt(n))[household]
  p$first <- !duplicated(household)
  p$income <- income[household] * p$first
  scale <- c(jackknife = (R - 1) / R, brr = 1 / R, "fay:0.5" = 1 / (R * 0.25), bootstrap = 1 / R, sdr = 4 / R)[[set]]
  d <- svrepdesign(data = p, weights = ~w, repweights = "^r[0-9]+$", type = "other", scale = scale, rscales = rep(1, R), combined.weights = TRUE, mse = TRUE)
  quantile <- function(w, x, q) { o <- order(x); x[o][which(cumsum(w[o]) / sum(w) > q)[1]] }
  gini <- function(w, x) { o <- order(x); w <- w[o]; x <- x[o]; b <- cumsum(w) - w; sum(w * x * (2 * b + w)) / (sum(w) * sum(w * x)) - 1 }
  figures <- list(
    "salary|total|" = svytotal(~salary, d), "salary|mean|" = svymean(~salary, d), "income|total|" = svytotal(~income, d),
    "income|mean of households|" = svyratio(~income, ~as.numeric(first), d),
    "salary|total|a" = svytotal(~I(salary * (region == "a")), d), "persons|weight|b" = svytotal(~as.numeric(region == "b"), d),
    "income|median|" = withReplicates(d, function(w, data) quantile(w, data$x, 0.5)), "income|gini|" = withReplicates(d, function(w, data) gini(w, data$x)),
    "income|povertyRate|" = withReplicates(d, function(w, data) sum(w[data$x < 0.6 * quantile(w, data$x, 0.5)]) / sum(w)),
    "income|povertyLine|" = withReplicates(d, function(w, data) 0.6 * quantile(w, data$x, 0.5)),
    "decile 1|upTo|" = withReplicates(d, function(w, data) quantile(w, data$x, 0.1)))
  for (name in names(figures)) {
    f <- figures[[name]]; se <- as.numeric(SE(f)); estimate <- as.numeric(coef(f)); t <- qt(0.975, R - 1)
    parts <- strsplit(paste0(name, "|."), "|", fixed = TRUE)[[1]]
    answers <- rbind(answers, data.frame(set, of = parts[1], measure = parts[2], region = parts[3], estimate = digits(estimate), se = digits(se), low = digits(estimate - t * se), high = digits(estimate + t * se)))
  }
}
write.csv(answers, "answers.csv", row.names = FALSE, quote = FALSE)
