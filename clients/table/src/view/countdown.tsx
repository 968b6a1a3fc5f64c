import { useEffect, useReducer } from "preact/hooks";
import { say } from "../words/words.ts";

/** Seconds that are marked as the last ones. */
const LAST = 10;

/** The time that is left for a move, as it runs. */
export function Countdown({ timeLeft }: { timeLeft: () => number }) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const clock = setInterval(tick, 1000, 0);
    return () => clearInterval(clock);
  }, []);
  const left = Math.max(0, Math.ceil(timeLeft() / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <time class={left <= LAST ? "last" : ""} role="timer" aria-label={say("felt.time", { time })}>
      {time}
    </time>
  );
}
