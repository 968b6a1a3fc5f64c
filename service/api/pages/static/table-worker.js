// Keeps the files of /table, so that it opens without the service, too. What is said of a game is never kept.
const KEPT = "table";
const FILES = ["../table", "icon.svg", "table.css", "table.js", "table-de.js"].map(
  (path) => new URL(path, location).href,
);

/** Asks for a file anew, and keeps it; where nobody answers, gives the one that was kept. */
async function answer(request, file) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(file, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(file);
    if (kept === undefined) throw error;
    return kept;
  }
}

addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES))));
addEventListener("fetch", (event) => {
  // What stands after the # may be the token of a seat, and is not kept.
  const [file] = event.request.url.split("#");
  if (event.request.method === "GET" && FILES.includes(file)) event.respondWith(answer(event.request, file));
});
