import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import { SearchFields } from '../../components/search/search-fields.tsx';
import type { TermTexts } from './terms.ts';

interface TermsProps {
  readonly texts: TermTexts;
  readonly onChange: (part: Partial<TermTexts>) => void;
}

/** Fields for budgets, search options and change detection. An empty field sets no limit. */
export function TermFields(props: TermsProps) {
  return (
    <>
      <Section title="Budget" lead="In credits. Leave empty for no limit.">
        <div class="card mapping">
          <Amount {...props} name="max_credits" label="Per scan" />
          <Amount {...props} name="max_credits_per_day" label="Per day" />
        </div>
      </Section>
      <details class="more-terms">
        <summary>Search options and change detection</summary>
        <div class="card mapping">
          <SearchFields {...props} />
          <ChangeRules {...props} />
        </div>
      </details>
    </>
  );
}

function ChangeRules({ texts, onChange }: TermsProps) {
  return (
    <>
      <Field label="If the previous scan still runs">
        <select
          value={texts.overlap}
          onChange={({ currentTarget }) =>
            onChange({ overlap: currentTarget.value === 'queue' ? 'queue' : 'skip' })
          }
        >
          <option value="skip">Skip the next scan</option>
          <option value="queue">Queue the next scan</option>
        </select>
      </Field>
      <Field label="Missed scans">
        <select
          value={texts.catch_up}
          onChange={({ currentTarget }) =>
            onChange({ catch_up: currentTarget.value === 'none' ? 'none' : 'once' })
          }
        >
          <option value="once">Run once to catch up</option>
          <option value="none">Skip them</option>
        </select>
      </Field>
      <Field
        label="Scans until an ad ends"
        hint="An ad ends after this many complete scans in a row without it."
      >
        <input
          type="number"
          required
          min={1}
          max={10}
          step={1}
          value={texts.misses_to_end}
          onInput={({ currentTarget }) => onChange({ misses_to_end: currentTarget.value })}
        />
      </Field>
      <Field label="Days until an ad is stale" hint="An ad ends when its source last saw it this long ago.">
        <input
          type="number"
          required
          min={1}
          step={1}
          value={texts.stale_after}
          onInput={({ currentTarget }) => onChange({ stale_after: currentTarget.value })}
        />
      </Field>
    </>
  );
}

function Amount({
  texts,
  onChange,
  name,
  label,
}: TermsProps & { readonly name: 'max_credits' | 'max_credits_per_day'; readonly label: string }) {
  return (
    <Field label={label}>
      <input
        type="number"
        min="0"
        step="any"
        value={texts[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </Field>
  );
}
