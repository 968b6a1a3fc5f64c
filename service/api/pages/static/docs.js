// Starts Swagger UI on the document of this service: light or dark as the system is, with each operation's example as a
// snippet. A file of its own, so that pages need no inline script.

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
  const resolve = (part) => (part?.$ref ? document.getIn(part.$ref.slice(2).split("/"))?.toJS() : part);
  const operation = document.getIn(["paths", path, method]).toJS();
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
    const document = props.specSelectors.specJson();
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

/** Folds what is said about the service as a whole, so that the operations begin on the first screen. */
function withFold(Original, { React }) {
  const make = React.createElement;
  const title = make("h2", null, "How it works, terms, formats, live games, keys");
  return (props) => make("details", { className: "about" }, make("summary", null, title), make(Original, props));
}

/** Finds the operations whose name, path, summary or description has all the words of a phrase. */
function searchOperations(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const fits = (each) => {
    const told = ["operationId", "summary", "description"].map((field) => each.getIn(["operation", field]));
    const text = [each.get("path"), ...told].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tags.map((tag) => tag.update("operations", (all) => all.filter(fits))).filter((tag) => tag.get("operations").size);
}

/** What Swagger UI leaves out for those who use the keyboard or a screen reader: elements, an attribute, its value. */
const MENDED = [
  ["#servers", "aria-label", "Server"],
  [".filter-container", "role", "search"],
  [".operation-filter-input", "placeholder", "Search the operations"],
  [".operation-filter-input", "aria-label", "Search the operations"],
  [".examples-select-element", "aria-label", "Example"],
  [".body-param__text", "aria-label", "Body"],
  [".microlight", "tabindex", "0"],
  [".response-col_links", "tabindex", "0"],
  [".responses-table", "role", "table"],
  [".information-container", "role", "region"],
  [".information-container", "aria-label", "About the service"],
  [".schemes-server-container", "role", "region"],
  [".schemes-server-container", "aria-label", "Server and keys"],
];

function mend() {
  for (const [elements, name, value] of MENDED)
    for (const element of document.querySelectorAll(`${elements}:not([${name}="${value}"])`)) element.setAttribute(name, value);
}
const frame = document.getElementById("swagger-ui");
new MutationObserver(mend).observe(frame, { childList: true, subtree: true });

/** Resolves once operations are on the screen: to resolve the references of the document takes as long as all before. */
const painted = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (frame.querySelector(".opblock") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(resolve));
  });
  observer.observe(frame, { childList: true, subtree: true });
});

/** Shows a padlock only where this service asks for a token or a key. */
function withNeededLock(Original, { React }) {
  const asksKeys = frame.dataset.keys === "True";
  const isNeeded = (ways) => ways && (asksKeys || ways.every((way) => way.size > 0));
  return (props) => {
    const operationProps = props.operationProps.update("security", (ways) => (isNeeded(ways) ? ways : undefined));
    return React.createElement(Original, { ...props, operationProps });
  };
}

/** Shows the path of an operation as a text: the button around it opens the operation. */
const withoutLink = (_, { React }) => ({ text }) => React.createElement("span", null, text);

window.ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [
    {
      wrapComponents: {
        InfoContainer: withFold,
        responses: withSnippets,
        DeepLink: withoutLink,
        OperationSummary: withNeededLock,
      },
      fn: { opsFilter: searchOperations },
      statePlugins: {
        spec: {
          wrapActions: {
            updateJsonSpec: (update) => (json) => update(withoutMadeUp(json)),
            requestResolvedSubtree: (request) => (path) => painted.then(() => request(path)),
          },
        },
      },
    },
  ],
  filter: true,
  syntaxHighlight: false, // its colors are written into the elements, for the dark alone
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
