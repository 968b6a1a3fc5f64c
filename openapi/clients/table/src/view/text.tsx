import { type Failure, sayVerdict } from "../failure.ts";
import type { Shown } from "../table-model.ts";
import { say } from "../words/words.ts";

/** Something that one can do, with a button for it. */
export interface Offer {
  readonly label: string;
  readonly act: () => void;
}

/** What happened last, or what went wrong; screen readers say it. */
export function Text({
  shown,
  failure,
  lost,
  again,
  offers,
}: {
  shown?: Shown;
  failure: Failure | undefined;
  /** True while a call is made once more. */
  lost: boolean;
  again: () => void;
  /** What one can do now but play. */
  offers?: readonly Offer[];
}) {
  const verdict = failure === undefined ? shown?.verdict : undefined;
  const wrong =
    failure?.text() ??
    (verdict && sayVerdict(verdict, shown?.trick.cards[0]?.card)) ??
    (navigator.onLine ? undefined : say("text.offline")) ??
    (lost ? say("text.unanswered") : undefined);
  return (
    <div class={`text ${wrong === undefined ? "" : "wrong"}`}>
      <p role="status">
        {wrong ?? (shown === undefined ? say("text.dealing") : shown.text())}
        {shown?.isMyTurn && wrong === undefined ? ` ${say("your_turn")}` : ""}
      </p>
      {verdict?.rule && (
        <small lang="en">
          {verdict.rule.says} ({verdict.rule.source})
        </small>
      )}
      {failure?.watching && <a href={failure.watching}>{say("link.look_on")}</a>}
      {failure?.lost && <a href="table">{say("link.new_game")}</a>}
      {offers?.map(({ label, act }) => (
        <button key={label} type="button" onClick={act}>
          {label}
        </button>
      ))}
      {failure?.again && (
        <button type="button" onClick={again}>
          {say("again")}
        </button>
      )}
    </div>
  );
}
