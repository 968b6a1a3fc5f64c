/** The page /table: Catch the Ten, playable. */

import { type Card, ConnectionError, createClient, ProblemError, type Ruleset, unwrap } from "catch-the-ten";
import { render } from "preact";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { readAddress, writeAddress } from "./address.ts";
import { Recorder } from "./calls.ts";
import { FIRST_CHOICE, Solo } from "./solo.ts";
import { Calls } from "./view/calls.tsx";
import { Felt } from "./view/felt.tsx";
import { HandView } from "./view/hand.tsx";
import { Hints } from "./view/hints.tsx";
import { Count, ScoreBoard } from "./view/score.tsx";
import { Setup } from "./view/setup.tsx";

type Panel = "none" | "setup" | "calls";

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [panel, setPanel] = useState<Panel>("none");
  const [fourColors, setFourColors] = useState(false);
  const [rulesets, setRulesets] = useState<readonly Ruleset[]>([]);
  const [failure, setFailure] = useState("");
  const { recorder, client, table } = useMemo(() => {
    const made = new Recorder(() => redraw(0));
    const called = createClient({ fetch: made.fetch });
    return { recorder: made, client: called, table: new Solo(called, () => redraw(0)) };
  }, []);

  /** Does something, and shows the text of what goes wrong. */
  const act = (work: () => Promise<void>): void => {
    setFailure("");
    work().catch((error: unknown) => {
      if (!(error instanceof ProblemError || error instanceof ConnectionError)) throw error;
      setFailure(error.message);
    });
  };

  useEffect(() => {
    const { position } = readAddress(location.hash);
    act(() => (position === undefined ? table.start(FIRST_CHOICE) : table.open(position)));
    act(async () => setRulesets((await unwrap(client.GET("/v1/rulesets"))).rulesets));
  }, []);
  const shown = table.shown;
  const notation = shown?.position.notation;
  useEffect(() => {
    if (notation) history.replaceState(null, "", writeAddress({ position: notation }));
  }, [notation]);

  return (
    <div class={`page ${fourColors ? "four-colors" : ""} ${panel === "calls" ? "with-calls" : ""}`}>
      <header class="bar">
        <h1>
          <a href="/">Catch the Ten</a>
        </h1>
        <nav aria-label="Table">
          <button type="button" onClick={() => setPanel("setup")} disabled={rulesets.length === 0}>
            New game
          </button>
          <button type="button" onClick={() => act(() => table.hint())} disabled={!shown?.isMyTurn}>
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
      <main>
        {shown === undefined ? (
          <p class="waiting">{failure || "Dealing …"}</p>
        ) : (
          <>
            <Felt shown={shown} />
            <ScoreBoard shown={shown} />
            <div class="below">
              <p class={`text ${failure || shown.reason ? "wrong" : ""}`} role="status">
                {failure || shown.reason || shown.text}
                {shown.isMyTurn && !failure && !shown.reason ? " Your turn." : ""}
              </p>
              {shown.hints !== undefined && <Hints hints={shown.hints} />}
              {shown.scores === undefined ? (
                <HandView shown={shown} play={(card: Card) => act(() => table.play(card))} />
              ) : (
                <Count
                  shown={shown}
                  scores={shown.scores}
                  next={() => act(() => table.next())}
                  again={() => setPanel("setup")}
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
          close={() => setPanel("none")}
          start={(choice) => {
            setPanel("none");
            act(() => table.start(choice));
          }}
        />
      )}
    </div>
  );
}

render(<App />, document.getElementById("table") as HTMLElement);
