import { LANGUAGES, type Language, say, spokenLanguage } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** What is needed now and then: the language, the colors, the calls that the page makes. */
export function More({
  speak,
  coach,
  setCoach,
  fourColors,
  setFourColors,
  showCalls,
  close,
}: {
  speak: (language: Language) => void;
  coach: boolean;
  setCoach: (chosen: boolean) => void;
  fourColors: boolean;
  setFourColors: (chosen: boolean) => void;
  showCalls: () => void;
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
      <p class="buttons">
        <a href="./">{say("more.pages")}</a>
        <button type="button" onClick={showCalls}>
          {say("more.calls")}
        </button>
      </p>
    </Dialog>
  );
}
