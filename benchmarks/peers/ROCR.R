# The sweep by R's ROCR: the curve and its area (no standard error).
path <- commandArgs(trailingOnly = TRUE)[1]
columns <- c("label", "score")
data <- if (requireNamespace("data.table", quietly = TRUE)) data.table::fread(path, select = columns) else read.csv(path)
prediction <- ROCR::prediction(data$score, data$label)
curve <- ROCR::performance(prediction, "tpr", "fpr")
area <- ROCR::performance(prediction, "auc")@y.values[[1]]
cat(sprintf('{"auc": %.17g}\n', area))
