# The sweep by R's pROC: the curve, its area and DeLong's interval, from which the standard error follows.
path <- commandArgs(trailingOnly = TRUE)[1]
columns <- c("label", "score")
data <- if (requireNamespace("data.table", quietly = TRUE)) data.table::fread(path, select = columns) else read.csv(path)
curve <- pROC::roc(data$label, data$score, levels = c(0, 1), direction = "<", quiet = TRUE)
limits <- as.numeric(pROC::ci.auc(curve, method = "delong"))
cat(sprintf('{"auc": %.17g, "auc_se": %.17g}\n', limits[2], (limits[2] - limits[1]) / qnorm(0.975)))
