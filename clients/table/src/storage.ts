/** What the browser keeps for this page; where it is told to keep nothing, or can keep no more, the window keeps it. */

const here = new Map<string, string>();

/** Reads what was written under a key; undefined if there is nothing. */
export function read<T>(key: string): T | undefined {
  const text = storage()?.getItem(key) ?? here.get(key);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Writes a value under a key; undefined removes it. */
export function write(key: string, value: unknown): void {
  here.delete(key);
  const kept = storage();
  kept?.removeItem(key);
  if (value === undefined) return;
  const text = JSON.stringify(value);
  try {
    if (kept) kept.setItem(key, text);
    else here.set(key, text);
  } catch {
    here.set(key, text); // the storage is full
  }
}

/** Returns the keys that begin so. */
export function keys(start: string): string[] {
  return [...Object.keys(storage() ?? {}), ...here.keys()].filter((key) => key.startsWith(start));
}

/** The storage of the browser; undefined where it refuses it. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
