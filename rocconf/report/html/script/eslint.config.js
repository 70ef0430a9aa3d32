import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(js.configs.recommended, ...ts.configs.strict, {
  rules: { "@typescript-eslint/no-non-null-assertion": "off" }, // the lengths of columns are checked where the page is made
});
