/** The page /table: Catch the Ten, playable. */

import { type Card, ConnectionError, createClient, ProblemError, type Ruleset, unwrap } from "catch-the-ten";
import { render } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { addressOf, DamagedAddress, readAddress, readState, writeAddress } from "./address.ts";
import { Recorder } from "./calls.ts";
import { Live } from "./live.ts";
import { type Choice, FIRST_CHOICE, Solo } from "./solo.ts";
import type { Shown, Table } from "./table-model.ts";
import { Calls } from "./view/calls.tsx";
import { Felt } from "./view/felt.tsx";
import { HandView } from "./view/hand.tsx";
import { Hints } from "./view/hints.tsx";
import { LobbyView } from "./view/lobby.tsx";
import { Count, ScoreBoard } from "./view/score.tsx";
import { Setup } from "./view/setup.tsx";

/** What went wrong, in words, and whether it may go well another time. */
interface Failure {
  readonly text: string;
  readonly again: boolean;
}

/** Returns what to show of an error; one that is a mistake of this page is thrown on. */
function readFailure(error: unknown): Failure {
  if (error instanceof ProblemError) return { text: error.message, again: error.retryAfter !== undefined };
  if (error instanceof ConnectionError) return { text: error.message, again: true };
  if (error instanceof DamagedAddress) return { text: error.message, again: false };
  throw error;
}

type Panel = "none" | "setup" | "calls";

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [panel, setPanel] = useState<Panel>("none");
  const [fourColors, setFourColors] = useState(false);
  const [rulesets, setRulesets] = useState<readonly Ruleset[]>([]);
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE);
  const [failure, setFailure] = useState<Failure>();
  const reading = useRef<Promise<readonly Ruleset[]>>();
  const table = useRef<Table>();
  const { recorder, client } = useMemo(() => {
    const made = new Recorder(() => redraw(0));
    return { recorder: made, client: createClient({ fetch: made.fetch }) };
  }, []);

  /** Does something, and shows the text of what goes wrong. */
  const act = (work: () => Promise<void> | undefined): void => {
    setFailure(undefined);
    work()?.catch((error: unknown) => setFailure(readFailure(error)));
  };

  /** Sits down at another table, and leaves the one that was shown. */
  const sitDown = <T extends Table>(next: T): T => {
    table.current?.close();
    table.current = next;
    redraw(0);
    return next;
  };
  const changed = (): void => redraw(0);
  const playAlone = (): Solo => sitDown(new Solo(client, changed));
  const playLive = async (live: Live): Promise<void> => {
    history.replaceState(null, "", writeAddress({ game: live.id }));
    await sitDown(live).follow();
  };
  /** Reads the rulesets, once. */
  const readRulesets = async (): Promise<readonly Ruleset[]> => {
    reading.current ??= unwrap(client.GET("/v1/rulesets")).then((answer) => answer.rulesets);
    try {
      const read = await reading.current;
      setRulesets(read);
      return read;
    } catch (error) {
      reading.current = undefined;
      throw error;
    }
  };
  /** Starts another game once the service has dealt it, or opened it: until then, the one that is shown goes on. */
  const start = async (chosen: Choice): Promise<void> => {
    const { others } = chosen;
    if (others === "people") {
      const live = await Live.open(client, changed, chosen);
      act(() => playLive(live));
    } else {
      const deal = await Solo.deal(client, chosen);
      act(() => playAlone().start(deal, others));
    }
    setChoice(chosen);
    setPanel("none");
  };
  const come = (): void => {
    const { position, state, seat, game, token } = readAddress(location.hash);
    const at = seat === undefined ? undefined : Number(seat);
    readRulesets().catch((error: unknown) => setFailure(readFailure(error)));
    act(async () => {
      // What an address names that is damaged is refused by the service, in words to show.
      if (game !== undefined) await playLive(await Live.join(client, changed, game, token));
      else if (state !== undefined) await playAlone().open(readState(state, await readRulesets()), at);
      else if (position !== undefined) await playAlone().open(position, at);
      else await start(FIRST_CHOICE);
    });
  };
  const again = (): void => {
    if (table.current?.shown && table.current.resume) act(() => table.current?.resume?.());
    else come();
  };

  useEffect(() => {
    come();
    addEventListener("hashchange", come);
    return () => removeEventListener("hashchange", come);
  }, []);
  const shown = table.current?.shown;
  const lobby = table.current?.lobby;
  const here = shown && lobby === undefined ? writeAddress(addressOf(shown.position, shown.me, rulesets)) : undefined;
  useEffect(() => {
    if (here) history.replaceState(null, "", here);
  }, [here]);

  const deal = (): void => act(() => table.current?.next());
  const bar = (
    <header class="bar">
      <h1>
        <a href="/">Catch the Ten</a>
      </h1>
      <nav aria-label="Table">
        <button type="button" onClick={() => setPanel("setup")} disabled={rulesets.length === 0}>
          New game
        </button>
        <button type="button" onClick={() => act(() => table.current?.hint())} disabled={!shown?.isMyTurn}>
          Hint
        </button>
        <button type="button" aria-pressed={fourColors} onClick={() => setFourColors(!fourColors)}>
          Four colors
        </button>
        <button
          type="button"
          aria-pressed={panel === "calls"}
          onClick={() => setPanel(panel === "calls" ? "none" : "calls")}
        >
          Show the calls
        </button>
      </nav>
    </header>
  );
  return (
    <div class={`page ${fourColors ? "four-colors" : ""} ${panel === "calls" ? "with-calls" : ""}`}>
      {bar}
      <main>
        {shown === undefined ? (
          <div class="waiting">
            {lobby === undefined ? (
              <Text failure={failure} lost={recorder.lost} again={again} />
            ) : (
              <LobbyView lobby={lobby} deal={deal} give={(seat, level) => act(() => lobby.give(seat, level))} />
            )}
          </div>
        ) : (
          <>
            <Felt shown={shown} />
            <ScoreBoard shown={shown} />
            <div class="below">
              <Text shown={shown} failure={failure} lost={recorder.lost} again={again} />
              {shown.hints !== undefined && <Hints hints={shown.hints} />}
              {shown.scores === undefined ? (
                <HandView shown={shown} play={(card: Card) => act(() => table.current?.play(card))} />
              ) : (
                <Count
                  shown={shown}
                  scores={shown.scores}
                  {...(lobby === undefined || lobby.canDeal ? { next: deal } : {})}
                  again={() => setPanel("setup")}
                  {...(table.current?.review ? { review: () => act(() => table.current?.review?.()) } : {})}
                />
              )}
            </div>
          </>
        )}
      </main>
      {panel === "calls" && <Calls calls={recorder.calls} close={() => setPanel("none")} />}
      {panel === "setup" && (
        <Setup
          rulesets={rulesets}
          first={chooseFirst(choice, shown, lobby !== undefined)}
          close={() => setPanel("none")}
          start={start}
        />
      )}
    </div>
  );
}

/** Returns what a new game begins with: what is played now. */
function chooseFirst(choice: Choice, shown: Shown | undefined, live: boolean): Choice {
  if (shown === undefined) return { ...choice, seed: "" };
  const { rules, hands, sides } = shown.position.state;
  const others = live ? "people" : choice.others;
  return { rules, players: hands.length, sides: sides.length, others, seed: "" };
}

/** What happened last, or what went wrong; screen readers say it. */
function Text({
  shown,
  failure,
  lost,
  again,
}: {
  shown?: Shown;
  failure: Failure | undefined;
  /** True while a call is made once more. */
  lost: boolean;
  again: () => void;
}) {
  const wrong = failure?.text || shown?.reason || (lost && "The service does not answer; the call is made again.");
  return (
    <div class={`text ${wrong ? "wrong" : ""}`}>
      <p role="status">
        {wrong || (shown?.text ?? "Dealing …")}
        {shown?.isMyTurn && !wrong ? " Your turn." : ""}
      </p>
      {failure?.again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

render(<App />, document.getElementById("table") as HTMLElement);
