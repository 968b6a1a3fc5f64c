import { useState } from "preact/hooks";
import { type Call, LANGUAGES, type Language, writeCall } from "../calls.ts";
import { say } from "../words/words.ts";

/** The calls that the page has made, the latest first, each as source text with its answer. */
export function Calls({ calls, close }: { calls: readonly Call[]; close: () => void }) {
  const [language, setLanguage] = useState<Language>("curl");
  return (
    <aside class="calls" aria-label={say("calls.title")}>
      <header>
        <h2>{say("calls.title")}</h2>
        <fieldset>
          <legend class="said">{say("more.language")}</legend>
          {LANGUAGES.map((each) => (
            <label key={each}>
              <input type="radio" name="language" checked={each === language} onChange={() => setLanguage(each)} />
              {each}
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={close} aria-label={say("calls.close")}>
          ×
        </button>
      </header>
      <ol>
        {calls.map((call) => (
          <li key={call.number}>
            <details>
              <summary>
                <code>
                  {call.method} {call.path}
                </code>{" "}
                <span class={`status ${(call.status ?? 0) < 400 ? "" : "refused"}`}>{call.status}</span>
              </summary>
              <Code text={writeCall(call, language, location.origin)} />
              <Code text={JSON.stringify(call.answer, null, 2)} />
            </details>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** Source text, which the arrow keys scroll. */
function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre tabIndex={0}>{text}</pre>
  );
}
