import { ORDERS, type Wishes } from "../wishes.ts";
import { LANGUAGES, type Language, say, spokenLanguage } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Link } from "./link.tsx";

/** What is needed now and then: the language, how one wishes to play, the calls that the page makes. */
export function More({
  speak,
  wishes,
  wish,
  show,
  own,
  close,
}: {
  speak: (language: Language) => void;
  wishes: Wishes;
  wish: (change: Partial<Wishes>) => void;
  /** Opens another panel. */
  show: (panel: "sheet" | "calls") => void;
  /** The link that leads another device to one's seat; undefined where there is none. */
  own: string | undefined;
  close: () => void;
}) {
  return (
    <Dialog label={say("bar.more")} close={close}>
      <h2>{say("bar.more")}</h2>
      <label>
        {say("more.language")}
        <select value={spokenLanguage()} onChange={(event) => speak(event.currentTarget.value as Language)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say("more.order")}
        <select
          value={wishes.order}
          onChange={(event) => wish({ order: event.currentTarget.value as Wishes["order"] })}
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {say(`order.${order}`)}
            </option>
          ))}
        </select>
      </label>
      {(["coach", "playsOnly", "fourColors", "sound"] as const).map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={wishes[name] === true}
            onChange={(event) => wish({ [name]: event.currentTarget.checked })}
          />
          {say(`more.${name}`)}
        </label>
      ))}
      {(["sheet", "calls"] as const).map((panel) => (
        <p key={panel}>
          <button type="button" onClick={() => show(panel)}>
            {say(`more.${panel}`)}
          </button>
        </p>
      ))}
      {own !== undefined && (
        <details>
          <summary>{say("more.elsewhere")}</summary>
          <p class="hint">{say("more.secret")}</p>
          <Link title={say("more.your_seat")} link={own} />
        </details>
      )}
      <p>
        <a href="./">{say("more.pages")}</a>
      </p>
    </Dialog>
  );
}
