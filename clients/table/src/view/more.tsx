import type { Session } from "../session.ts";
import { ORDERS } from "../wishes.ts";
import { LANGUAGES, type Language, say, spokenLanguage } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Link } from "./link.tsx";
import { Select } from "./select.tsx";

/** What opens from here; the first ones stand in the bar, too, where that is wide. */
const PANELS = [
  ["setup", "bar.new"],
  ["games", "bar.games"],
  ["how", "bar.how"],
  ["sheet", "more.sheet"],
  ["calls", "more.calls"],
] as const;

/** What is needed now and then: the language, how one wishes to play, one's seat elsewhere, the calls of the page. */
export function More({
  session: { wishes, wish, speak, show, lobby },
  close,
}: {
  session: Session;
  close: () => void;
}) {
  return (
    <Dialog label={say("bar.more")} close={close}>
      <h2>{say("bar.more")}</h2>
      <Select
        label={say("more.language")}
        value={spokenLanguage()}
        options={Object.entries(LANGUAGES).map(([tag, name]) => [tag as Language, name, tag] as const)}
        change={speak}
      />
      <Select
        label={say("more.order")}
        value={wishes.order}
        options={ORDERS.map((order) => [order, say(`order.${order}`)] as const)}
        change={(order) => wish({ order })}
      />
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
      <p class="buttons choices">
        {PANELS.map(([panel, label]) => (
          <button key={panel} type="button" onClick={() => show(panel)}>
            {say(label)}
          </button>
        ))}
      </p>
      {lobby?.own !== undefined && (
        <details>
          <summary>{say("more.elsewhere")}</summary>
          <p class="hint">{say("more.secret")}</p>
          <Link title={say("more.your_seat")} link={lobby.own} />
        </details>
      )}
      <p>
        <a href="rulesets">{say("house.books")}</a>
      </p>
      <p>
        <a href="./">{say("more.pages")}</a>
      </p>
    </Dialog>
  );
}
