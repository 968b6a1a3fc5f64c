module.exports = {
  fetch: { input: "./openapi.json", output: { target: "./orval/calls.ts", client: "fetch", mode: "single" } },
  zod: { input: "./openapi.json", output: { target: "./orval/zod.ts", client: "zod", mode: "single" } },
};
