# The sweep by R's ROCR: the curve and its area (no standard error).
path <- commandArgs(trailingOnly = TRUE)[1]
data <- if (requireNamespace("data.table", quietly = TRUE)) data.table::fread(path) else read.csv(path)
found <- ROCR::prediction(data$score, data$label)
curve <- ROCR::performance(found, "tpr", "fpr")
area <- ROCR::performance(found, "auc")@y.values[[1]]
cat(sprintf('{"auc": %.17g}\n', area))
