// Searches the list of operations, and shows the one that is opened by Swagger UI: light or dark as the system is, with its
// example as a snippet. A file of its own, so that pages need no inline script.

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const python = (value, pad = "") => {
  const inner = `${pad}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const many = Array.isArray(value);
  const parts = many
    ? value.map((each) => python(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each, inner)}`);
  const [open, close] = many ? "[]" : "{}";
  const line = open + parts.join(", ") + close;
  return line.length + pad.length < 80 ? line : `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${pad}${close}`;
};
const object = (pairs) => `{ ${pairs.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")} }`;

const WRITERS = {
  curl: ({ method, url, headers, body }) =>
    [
      `curl -s ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quote(url)}`,
      ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
    ].join(" \\\n  "),
  JavaScript: ({ method, url, headers, body }) => {
    const sent = body === undefined ? headers : [...headers, ["Content-Type", "application/json"]];
    const options = [
      ...(method === "get" ? [] : [`method: "${method.toUpperCase()}"`]),
      ...(sent.length === 0 ? [] : [`headers: ${object(sent)}`]),
      ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body)})`]),
    ];
    const rest = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")},\n}`;
    return `const answer = await fetch("${url}"${rest});\nconsole.log(answer.status, await answer.text());`;
  },
  Python: ({ method, url, headers, body }) => {
    const rest = [
      ...(headers.length === 0 ? [] : [`headers=${python(Object.fromEntries(headers))}`]),
      ...(body === undefined ? [] : [`json=${python(body)}`]),
    ];
    return `import httpx\n\nanswer = httpx.${method}(${[`"${url}"`, ...rest].join(", ")})\nprint(answer.status_code, answer.text)`;
  },
};

/** Returns the request of the first example of an operation. */
function sample(document, path, method) {
  const resolve = (part) => (part?.$ref ? part.$ref.slice(2).split("/").reduce((at, name) => at[name], document) : part);
  const operation = document.paths[path][method];
  const parameters = (operation.parameters ?? []).map(resolve);
  const shown = (part) => part.example ?? part["x-example"] ?? Object.values(part.examples ?? {}).map(resolve)[0]?.value;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => shown(parameters.find((each) => each.name === name)) ?? name);
  const needed = parameters.filter((each) => each.in === "header" && each.required);
  const headers = needed.map((each) => [each.name, shown(each) ?? "…"]);
  if (operation.security?.some((each) => "token" in each)) headers.unshift(["Authorization", "Bearer TOKEN"]);
  const content = operation.requestBody?.content?.["application/json"];
  return { method, url: location.origin + filled, headers, body: content && shown(content) };
}

/** Shows, above the answers of an operation, how to ask for its example in each language, and folds the others. */
function withSnippets(Original, { React }) {
  const make = React.createElement;
  const Snippets = ({ document, path, method }) => {
    const [language, choose] = React.useState("curl");
    const [copied, tell] = React.useState(false);
    const text = React.useMemo(() => WRITERS[language](sample(document, path, method)), [language]);
    const copy = () => navigator.clipboard.writeText(text).then(() => tell(true));
    const tab = (name) => {
      const pick = () => (choose(name), tell(false));
      return make("button", { key: name, type: "button", "aria-pressed": name === language, onClick: pick }, name);
    };
    return make(
      "section",
      { className: "snippets" },
      make("h4", null, "Example"),
      make("div", null, ...Object.keys(WRITERS).map(tab), make("button", { type: "button", onClick: copy }, copied ? "Copied" : "Copy")),
      make("pre", { tabIndex: 0 }, make("code", null, text)),
    );
  };
  return (props) => {
    const [unfolded, unfold] = React.useState(false);
    const document = props.specSelectors.specJson().toJS();
    const others = props.responses.filter((_, status) => status >= "300");
    const responses = unfolded ? props.responses : props.responses.filterNot((_, status) => others.has(status));
    const named = `${unfolded ? "Hide" : "Show"} the other answers: ${others.keySeq().join(", ")}`;
    return make(
      "div",
      null,
      make(Snippets, { document, path: props.path, method: props.method }),
      make(Original, { ...props, responses }),
      make("button", { type: "button", className: "others", "aria-expanded": unfolded, onClick: () => unfold(!unfolded) }, named),
    );
  };
}

/** The parameters whose examples no service knows: filled in, they could only be refused. */
const MADE_UP = ["game_id", "after", "If-Match", "Last-Event-ID"];

/** Lets the examples of some parameters be shown, and not be filled in. */
function withoutMadeUp(document) {
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
  for (const parameter of operations.flatMap((each) => each.parameters ?? []))
    if (MADE_UP.includes(parameter.name) && "example" in parameter) {
      parameter["x-example"] = parameter.example;
      delete parameter.example;
    }
  return document;
}

/** What Swagger UI leaves out for those who use the keyboard or a screen reader: elements, an attribute, its value. */
const MENDED = [
  [".opblock-title", "aria-level", "3"],
  [".examples-select-element", "aria-label", "Example"],
  [".body-param__text", "aria-label", "Body"],
  [".microlight", "tabindex", "0"],
  [".response-col_links", "tabindex", "0"],
  [".responses-table", "role", "table"],
];

const frame = document.createElement("div");
frame.id = "swagger-ui";
new MutationObserver(() => {
  for (const [elements, name, value] of MENDED)
    for (const element of frame.querySelectorAll(`${elements}:not([${name}="${value}"])`)) element.setAttribute(name, value);
}).observe(frame, { childList: true, subtree: true });

/** Adds a file of Swagger UI to the page. */
function add(element, attributes) {
  const added = Object.assign(document.createElement(element), attributes);
  document.head.append(added);
  return new Promise((resolve, reject) => Object.assign(added, { onload: resolve, onerror: reject }));
}

let loading;
/** Loads Swagger UI, and the document that it shows a part of, once. */
function load() {
  loading ??= Promise.all([
    fetch("openapi.json").then((answer) => answer.json()),
    add("script", { src: "static/swagger-ui-bundle.js" }),
    add("link", { rel: "stylesheet", href: "static/swagger-ui.css" }),
  ]).then(([spec]) => withoutMadeUp(spec));
  return loading;
}

/** Shows nothing of Swagger UI but the operation, and the dialog that asks for its token. */
const withLayout = ({ React, getComponent }) => ({
  components: {
    One: () => {
      const shown = ["AuthorizeBtnContainer", "operations"].map((name) => getComponent(name, true));
      return React.createElement("div", { className: "swagger-ui" }, ...shown.map((each) => React.createElement(each)));
    },
  },
});

/** Shows an operation with its fields and examples, to be tried. */
async function show(row) {
  const { path, method } = row.dataset;
  const spec = await load();
  if (!row.open) return;
  row.append(frame);
  const one = { ...spec, tags: [], paths: { [path]: { [method]: spec.paths[path][method] } } };
  if (window.ui) window.ui.specActions.updateSpec(JSON.stringify(one));
  else
    window.ui = SwaggerUIBundle({
      spec: one,
      domNode: frame,
      presets: [SwaggerUIBundle.presets.apis],
      plugins: [withLayout, { wrapComponents: { responses: withSnippets } }],
      layout: "One",
      docExpansion: "full",
      syntaxHighlight: false, // its colors are written into the elements, for the dark alone
      displayRequestDuration: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    });
}

const rows = [...document.querySelectorAll(".operation")];
for (const row of rows)
  row.addEventListener("toggle", () => {
    if (!row.open) return;
    for (const other of rows) if (other !== row) other.open = false;
    history.replaceState(null, "", `#${row.id}`);
    show(row);
  });

/** Opens the operation that an address names: by its id, or as Swagger UI writes it. */
function arrive() {
  const row = document.getElementById(location.hash.slice(1).split("/").at(-1));
  if (!rows.includes(row)) return;
  row.open = true;
  row.scrollIntoView();
}
addEventListener("hashchange", arrive);
arrive();

const texts = new Map(rows.map((row) => [row, `${row.id} ${row.textContent} ${row.dataset.sought}`.toLowerCase()]));
const found = document.getElementById("found");

/** Shows the operations with all the words of a phrase; if there are none, those with some. */
function search(phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = (row) => words.filter((word) => texts.get(row).includes(word)).length;
  const least = rows.some((row) => hits(row) === words.length) ? words.length : 1;
  for (const row of rows) row.hidden = hits(row) < least;
  for (const section of document.querySelectorAll("section:has(.operation)"))
    section.hidden = !section.querySelector(".operation:not([hidden])");
  found.textContent = least === words.length ? "" : "No operation has all of these words. These have some.";
  if (rows.every((row) => row.hidden))
    found.innerHTML =
      'No operation is about that. Try a word such as deal, hint, undo, join or score, or look into <a href="guide">the guide</a>, ' +
      'the <a href="guide/rules">rules</a> and the <a href="problems">problems</a>.';
}
document.getElementById("search").addEventListener("input", ({ target }) => search(target.value));
