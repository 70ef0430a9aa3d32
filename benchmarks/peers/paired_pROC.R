# Paired DeLong tests of two or three models on the same cases by R's pROC and, at each operating point, the numbers of
# discordant cases.
arguments <- commandArgs(trailingOnly = TRUE)
data <- if (requireNamespace("data.table", quietly = TRUE)) data.table::fread(arguments[1]) else read.csv(arguments[1])
points <- as.numeric(arguments[-1])
models <- setdiff(names(data), "label")
curve <- function(model) pROC::roc(data$label, data[[model]], levels = c(0, 1), direction = "<", quiet = TRUE)
curves <- lapply(setNames(models, models), curve)
positive <- data$label == 1
pairs <- combn(models, 2, simplify = FALSE)
compared <- if (length(points)) pairs else pairs[1]
for (pair in compared) {
  test <- pROC::roc.test(curves[[pair[2]]], curves[[pair[1]]], paired = TRUE, method = "delong")
  for (point in points) {
    first <- data[[pair[2]]] >= point
    second <- data[[pair[1]]] >= point
    discordant <- c(sum(first & !second & positive), sum(second & !first & positive))
  }
  if (identical(pair, pairs[[1]]))
    answer <- c(as.numeric(test$estimate[1] - test$estimate[2]), as.numeric(test$statistic), as.numeric(test$p.value))
}
cat(sprintf('{"difference": %.17g, "z": %.17g, "p": %.17g}\n', answer[1], answer[2], answer[3]))
