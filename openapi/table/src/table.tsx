/** The page /table: Catch the Ten, playable. */

import { type Card, ConnectionError, createClient, ProblemError, type Ruleset, unwrap } from "catch-the-ten";
import { render } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { readAddress, writeAddress } from "./address.ts";
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

type Panel = "none" | "setup" | "calls";

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [panel, setPanel] = useState<Panel>("none");
  const [fourColors, setFourColors] = useState(false);
  const [rulesets, setRulesets] = useState<readonly Ruleset[]>([]);
  const [failure, setFailure] = useState("");
  const table = useRef<Table>();
  const { recorder, client } = useMemo(() => {
    const made = new Recorder(() => redraw(0));
    return { recorder: made, client: createClient({ fetch: made.fetch }) };
  }, []);

  /** Does something, and shows the text of what goes wrong. */
  const act = (work: () => Promise<void> | undefined): void => {
    setFailure("");
    work()?.catch((error: unknown) => {
      if (!(error instanceof ProblemError || error instanceof ConnectionError)) throw error;
      setFailure(error.message);
    });
  };

  /** Sits down at another table, and leaves the one that was shown. */
  const sitDown = <T extends Table>(next: T): T => {
    table.current?.close();
    table.current = next;
    redraw(0);
    return next;
  };
  const playAlone = (): Solo => sitDown(new Solo(client, () => redraw(0)));
  const playLive = async (made: Promise<Live>): Promise<void> => {
    const live = sitDown(await made);
    history.replaceState(null, "", writeAddress({ game: live.id }));
    await live.follow();
  };
  const start = (choice: Choice): void => {
    setPanel("none");
    if (choice.others === "people") act(() => playLive(Live.open(client, () => redraw(0), choice)));
    else act(() => playAlone().start(choice));
  };
  const come = (): void => {
    const { position, game, token } = readAddress(location.hash);
    if (game !== undefined) act(() => playLive(Live.join(client, () => redraw(0), game, token)));
    else if (position !== undefined) act(() => playAlone().open(position));
    else act(() => playAlone().start(FIRST_CHOICE));
  };

  useEffect(() => {
    come();
    act(async () => setRulesets((await unwrap(client.GET("/v1/rulesets"))).rulesets));
    addEventListener("hashchange", come);
    return () => removeEventListener("hashchange", come);
  }, []);
  const shown = table.current?.shown;
  const lobby = table.current?.lobby;
  const notation = lobby === undefined ? shown?.position.notation : undefined;
  useEffect(() => {
    if (notation) history.replaceState(null, "", writeAddress({ position: notation }));
  }, [notation]);

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
              <p>{failure || "Dealing …"}</p>
            ) : (
              <LobbyView lobby={lobby} deal={deal} give={(seat, level) => act(() => lobby.give(seat, level))} />
            )}
          </div>
        ) : (
          <>
            <Felt shown={shown} />
            <ScoreBoard shown={shown} />
            <div class="below">
              <Text shown={shown} failure={failure} />
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
      {panel === "setup" && <Setup rulesets={rulesets} close={() => setPanel("none")} start={start} />}
    </div>
  );
}

/** What happened last, or what went wrong; screen readers say it. */
function Text({ shown, failure }: { shown: Shown; failure: string }) {
  const wrong = failure || shown.reason;
  return (
    <p class={`text ${wrong ? "wrong" : ""}`} role="status">
      {wrong || shown.text}
      {shown.isMyTurn && !wrong ? " Your turn." : ""}
    </p>
  );
}

render(<App />, document.getElementById("table") as HTMLElement);
