# Draws samples and totals, and records the weights that survey and sampling give: Rscript answers.R
suppressMessages({library(survey); library(sampling)})
digits <- function(x) sprintf("%.17g", x)
samples <- NULL; totals <- NULL; answers <- NULL
bounds <- c(0.4, 2.2)
for (set in 1:5) {
  set.seed(set)
  n <- 30 + 5 * set
  d <- round(runif(n, 5, 60), 2)
  sex <- sample(1:2, n, TRUE); region <- sample(1:3, n, TRUE)
  income <- round(rlnorm(n, 3, 0.6), 2); size <- sample(1:5, n, TRUE)
  x <- cbind(sex == 1, sex == 2, region == 1, region == 2, income, size) * 1
  colnames(x) <- paste0("x", 1:6)
  t <- colSums(d * x)
  t <- t * c(1, 1, runif(2, 0.92, 1.08), runif(1, 1, 1.1), runif(1, 0.95, 1.03))
  shift <- runif(1, -0.06, 0.06) * t[1]; t[1] <- t[1] + shift; t[2] <- t[2] - shift
  t <- signif(t, 8)
  samples <- rbind(samples, data.frame(set, unit = 1:n, d, x))
  totals <- rbind(totals, data.frame(set, t(t)))
  record <- function(source, method, low, high, w)
    answers <<- rbind(answers, data.frame(set, source, method, low, high, unit = 1:n, weight = digits(w)))
  for (method in c("linear", "raking", "logit", "truncated")) {
    b <- if (method %in% c("logit", "truncated")) bounds else c(0, 0)
    g <- if (b[2] > 0) calib(x, d, t, method = method, bounds = b, max_iter = 500) else calib(x, d, t, method = method, max_iter = 500)
    if (!is.null(g)) record("sampling", method, b[1], b[2], d * g)
    design <- svydesign(~1, weights = d, data = data.frame(x))
    fun <- list(linear = "linear", truncated = "linear", raking = "raking", logit = "logit")[[method]]
    args <- list(design, ~ x1 + x2 + x3 + x4 + x5 + x6 - 1, t, calfun = fun, epsilon = 1e-12, maxit = 500)
    if (b[2] > 0) args$bounds <- b
    w <- tryCatch(weights(do.call(calibrate, args)), error = function(e) NULL)
    if (!is.null(w)) record("survey", method, b[1], b[2], w)
  }
}
write.csv(samples, "samples.csv", row.names = FALSE, quote = FALSE)
write.csv(totals, "totals.csv", row.names = FALSE, quote = FALSE)
write.csv(answers, "answers.R.csv", row.names = FALSE, quote = FALSE)
cat("survey", as.character(packageVersion("survey")), "sampling", as.character(packageVersion("sampling")), "\n")
print(unique(answers[, c("set", "source", "method")]), row.names = FALSE)
