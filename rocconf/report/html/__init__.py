"""The page: one HTML file with the verdict, the answer, its charts and tables, and the JSON report inside."""
