/** Reads what a program of the covering array is to do: JSON on standard input. */
export async function readTask<T>(): Promise<T> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString()) as T;
}
