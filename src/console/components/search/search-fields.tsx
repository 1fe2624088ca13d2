import { CheckField } from '../forms/check-field.tsx';
import { Field } from '../forms/field.tsx';
import { TextField } from '../forms/text-field.tsx';
import { SourceField } from './source-field.tsx';
import type { SearchTexts } from './search-texts.ts';

/** Fields of the search for ads. An empty field sets no limit. */
export function SearchFields({
  texts,
  onChange,
  error,
}: {
  readonly texts: SearchTexts;
  readonly onChange: (part: Partial<SearchTexts>) => void;
  /** Error of the sources. */
  readonly error?: string | undefined;
}) {
  return (
    <>
      <SourceField value={texts.sources} error={error} onChoose={(sources) => onChange({ sources })} />
      <TextField
        label="Country"
        hint="Two-letter code, such as DE. Leave empty for all countries."
        charsMax={10}
        value={texts.region}
        onText={(region) => onChange({ region })}
      />
      <Field label="Maximum ads per company">
        <input
          type="number"
          min={1}
          step={1}
          value={texts.max_ads}
          onInput={({ currentTarget }) => onChange({ max_ads: currentTarget.value })}
        />
      </Field>
      <TextField
        label="Reuse earlier results"
        hint="Maximum age, such as 12h or 7d. Reused results are free. Leave empty for fresh lookups."
        charsMax={10}
        value={texts.max_age}
        onText={(max_age) => onChange({ max_age })}
      />
      <CheckField
        label="Exclude ads that third parties run"
        isChecked={texts.own_only}
        onCheck={(own_only) => onChange({ own_only })}
      />
    </>
  );
}
