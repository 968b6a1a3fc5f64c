/** The time by the clock of the service, by which the time for a move ends: that of the browser may be wrong. */

/** Milliseconds by which the service is ahead of the browser, at the least; undefined as long as nothing was heard. */
let ahead: number | undefined;

/** Notes the time of a change that has just come: the clock of the service shows this time, or a later one. */
export function noteTime(at: string): void {
  ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, Date.parse(at) - Date.now());
}

/** Returns the milliseconds from now to a time of the service. */
export function timeUntil(time: string): number {
  return Date.parse(time) - Date.now() - (ahead ?? 0);
}
