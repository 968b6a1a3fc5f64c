import { sayVerdict } from "../failure.ts";
import type { Session } from "../session.ts";
import type { Shown } from "../table-model.ts";
import { say } from "../words/words.ts";

/** Something that one can do, with a button for it. */
export interface Offer {
  readonly label: string;
  readonly act: () => void;
}

/** What happened last, or what went wrong; screen readers say each line once. */
export function Text({ session, offers }: { session: Session; offers: readonly Offer[] }) {
  const { shown, lobby, failure, recorder } = session;
  const verdict = failure === undefined ? shown?.verdict : undefined;
  const wrong =
    failure?.text() ??
    (verdict && sayVerdict(verdict, shown?.trick.cards[0]?.card)) ??
    (navigator.onLine ? undefined : say("text.offline")) ??
    (recorder.lost ? say("text.unanswered") : undefined);
  const away = nameAway(shown);
  const line = wrong ?? (recorder.slow ? say("text.working") : sayState(shown));
  return (
    <div class={`text ${wrong === undefined ? "" : "wrong"}`}>
      <p role="status" aria-atomic="false">
        <span key={line}>{line}</span>
        {lobby?.isFull && <span key="full"> {say("lobby.full")}.</span>}
        {shown?.isMyTurn && wrong === undefined && <span key="turn"> {say("your_turn")}</span>}
        {away !== undefined && wrong === undefined && <span key="away"> {say("text.away", { who: away })}</span>}
      </p>
      {verdict?.rule && (
        <small lang="en">
          {verdict.rule.says} ({verdict.rule.source})
        </small>
      )}
      {failure?.watching && <a href={failure.watching}>{say("link.look_on")}</a>}
      {failure?.lost && <a href="table">{say("link.new_game")}</a>}
      {offers.map(({ label, act }) => (
        <button key={label} type="button" onClick={act}>
          {label}
        </button>
      ))}
      {failure?.again && (
        <button type="button" onClick={failure.retry}>
          {say("again")}
        </button>
      )}
    </div>
  );
}

/** Returns the name of the person who is to play, if they do not have the game open. */
function nameAway(shown: Shown | undefined): string | undefined {
  const turn = shown?.position.turn ?? -1;
  const isAway = ["away", "nobody"].includes(shown?.sits[turn] ?? "");
  return isAway && !shown?.trick.taken ? shown?.names[turn] : undefined;
}

/** Says what happened last, or whose turn it is where the page came to the table only now. */
function sayState(shown: Shown | undefined): string {
  if (shown === undefined) return say("text.dealing");
  const { turn } = shown.position;
  const isIdle = turn === null || shown.isMyTurn || shown.trick.taken;
  return shown.text() || (isIdle ? "" : say("text.turn", { who: shown.names[turn] ?? "" }));
}
