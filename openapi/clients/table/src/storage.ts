/** What the browser keeps for this page; where it is told to keep nothing, the window keeps it. */

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
  if (value === undefined) kept?.removeItem(key);
  else if (kept) kept.setItem(key, JSON.stringify(value));
  else here.set(key, JSON.stringify(value));
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
