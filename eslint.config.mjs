// Modules in three layers: a model and a store without a browser, and views with one.
const BROWSER = ["window", "document", "location", "history", "navigator", "localStorage", "IntersectionObserver", "requestAnimationFrame", "setTimeout", "CSS", "Highlight"];
const allow = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));
const below = (folders) => ["error", { patterns: folders.map((folder) => ({ group: [`**/${folder}/**`], message: "imports go from views to the store to the model" })) }];

export default [
  { ignores: ["web/node_modules/**", "src/**", "build/**"] },
  { files: ["web/model/**"], rules: { "no-restricted-imports": below(["store", "views"]) } },
  { files: ["web/store/**"], languageOptions: { globals: allow(["URLSearchParams", "fetch"]) }, rules: { "no-restricted-imports": below(["views"]) } },
  { files: ["web/views/**", "web/*.js"], languageOptions: { globals: allow(BROWSER) } },
  {
    files: ["web/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    rules: {
      "no-undef": "error",
      "no-unused-vars": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-redeclare": "error",
      "prefer-const": "error",
      "no-var": "error",
      eqeqeq: "error",
      curly: ["error", "multi-line"],
      complexity: ["error", 12],
    },
  },
];
