import type { ComponentChildren } from "preact";

/** A choice of one of some values, each with its words; `lang` where these are of another language. */
export function Select<T extends string | number>({
  label,
  value,
  options,
  change,
}: {
  label: ComponentChildren;
  value: T;
  options: readonly (readonly [value: T, words: string | number, lang?: string])[];
  change: (value: T) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget: { selectedIndex: at } }) => change(options[at]?.[0] ?? value)}>
        {options.map(([one, words, lang]) => (
          <option key={one} value={one} lang={lang}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
