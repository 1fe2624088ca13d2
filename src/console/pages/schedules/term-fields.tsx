import { Field } from '../../components/forms/field.tsx';
import { Section } from '../../components/page.tsx';
import type { TermTexts } from './terms.ts';

/** Fields that are entered as text or as a number. */
type Texts = Exclude<keyof TermTexts, 'own_only' | 'overlap' | 'catch_up'>;

interface TermsProps {
  readonly texts: TermTexts;
  readonly onChange: (part: Partial<TermTexts>) => void;
}

/** Fields for the cost of scans, their search options, and the rules of changes. An empty field has no bound. */
export function TermFields(props: TermsProps) {
  return (
    <>
      <Section title="What it may cost" lead="In credits; empty: as much as it takes.">
        <div class="card mapping">
          <Amount {...props} name="max_credits" label="A scan" />
          <Amount {...props} name="max_credits_per_day" label="A day" />
        </div>
      </Section>
      <details class="more-terms">
        <summary>How it looks, and how changes are judged</summary>
        <div class="card mapping">
          <Search {...props} />
          <Judging {...props} />
        </div>
      </details>
    </>
  );
}

function Search(props: TermsProps) {
  const { texts, onChange } = props;
  return (
    <>
      <Text
        {...props}
        name="sources"
        label="Ads from"
        hint="Names of sources, parted by commas, in the order they are asked. Empty: the configured ones."
        charsMax={200}
      />
      <Text
        {...props}
        name="region"
        label="Shown in"
        hint="A country by its two letters, such as DE. Empty: anywhere."
        charsMax={10}
      />
      <Field label="Ads of a company, at most">
        <input
          type="number"
          min={1}
          step={1}
          value={texts.max_ads}
          onInput={({ currentTarget }) => onChange({ max_ads: currentTarget.value })}
        />
      </Field>
      <Text
        {...props}
        name="max_age"
        label="Earlier answers"
        hint="How old an answer may be to be shown again, free, such as 12h or 7d. Empty: every scan asks anew."
        charsMax={10}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={texts.own_only}
          onChange={({ currentTarget }) => onChange({ own_only: currentTarget.checked })}
        />
        Without ads that third parties run for a company
      </label>
    </>
  );
}

function Judging({ texts, onChange }: TermsProps) {
  return (
    <>
      <Field label="While a scan still runs">
        <select
          value={texts.overlap}
          onChange={({ currentTarget }) =>
            onChange({ overlap: currentTarget.value === 'queue' ? 'queue' : 'skip' })
          }
        >
          <option value="skip">leave the next time out</option>
          <option value="queue">let the next scan wait for it</option>
        </select>
      </Field>
      <Field label="Times that were missed">
        <select
          value={texts.catch_up}
          onChange={({ currentTarget }) =>
            onChange({ catch_up: currentTarget.value === 'none' ? 'none' : 'once' })
          }
        >
          <option value="once">make up for them by one scan</option>
          <option value="none">leave them out</option>
        </select>
      </Field>
      <Field
        label="Misses that end an ad"
        hint="So many complete scans in a row must not have it before it is said to have ended."
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
      <Field label="Days until an ad is stale" hint="Its source last saw it so long ago: it has ended.">
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

function Text({
  texts,
  onChange,
  name,
  label,
  hint,
  charsMax,
}: TermsProps & {
  readonly name: Texts;
  readonly label: string;
  readonly hint: string;
  readonly charsMax: number;
}) {
  return (
    <Field label={label} hint={hint}>
      <input
        maxLength={charsMax}
        autocomplete="off"
        spellcheck={false}
        value={texts[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </Field>
  );
}
