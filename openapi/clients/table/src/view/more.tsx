import { LANGUAGES, type Language, say, spokenLanguage } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** What is needed now and then: the language, the colors, the calls that the page makes. */
export function More({
  speak,
  coach,
  setCoach,
  fourColors,
  setFourColors,
  show,
  close,
}: {
  speak: (language: Language) => void;
  coach: boolean;
  setCoach: (chosen: boolean) => void;
  fourColors: boolean;
  setFourColors: (chosen: boolean) => void;
  /** Opens another panel. */
  show: (panel: "sheet" | "calls") => void;
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
      <label class="check">
        <input type="checkbox" checked={coach} onChange={(event) => setCoach(event.currentTarget.checked)} />
        {say("more.coach")}
      </label>
      <label class="check">
        <input type="checkbox" checked={fourColors} onChange={(event) => setFourColors(event.currentTarget.checked)} />
        {say("more.four_colors")}
      </label>
      {(["sheet", "calls"] as const).map((panel) => (
        <p key={panel}>
          <button type="button" onClick={() => show(panel)}>
            {say(`more.${panel}`)}
          </button>
        </p>
      ))}
      <p>
        <a href="./">{say("more.pages")}</a>
      </p>
    </Dialog>
  );
}
