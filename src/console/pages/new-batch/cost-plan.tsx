import type { Body } from '../../api/client.ts';
import { Field } from '../../components/forms/field.tsx';
import { Notice } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { formatCredits } from '../../components/values.tsx';
import { costLabels, roomWords } from './cost-labels.ts';
import { costOf, parseBudget, trialRows } from './cost.ts';
import { change, type Draft } from './draft.ts';

/** Cost of the batch, the rows to run, and its budget. */
export function CostPlan({ draft, check }: { readonly draft: Draft; readonly check: Body<'Check'> }) {
  const budget = parseBudget(draft.budget);
  const cost = costOf(check, draft.isProbe, budget ?? null);
  const room = roomWords(cost, check.credits.balance, budget ?? null);
  return (
    <Section title="What it costs">
      <div class="columns">
        <div class="card">
          <fieldset>
            <legend>How much of it</legend>
            <Choice
              isChosen={!draft.isProbe}
              label="The whole list"
              onChoose={() => change({ isProbe: false })}
            />
            <Choice
              isChosen={draft.isProbe}
              label={`The first ${trialRows} rows only, for a taste`}
              onChoose={() => change({ isProbe: true })}
            />
          </fieldset>
          <Field
            label="Budget in credits"
            hint="Empty: none. What it does not cover waits; nothing is spent beyond it."
            error={budget === undefined ? 'Write an amount such as 25 or 2.5.' : undefined}
          >
            <input
              inputMode="decimal"
              size={12}
              value={draft.budget}
              onInput={({ currentTarget }) => change({ budget: currentTarget.value })}
            />
          </Field>
        </div>
        <div class="card cost" aria-live="polite">
          <p class="cost-range">
            0 to {formatCredits(cost.atMost)} <span class="small">credits</span>
          </p>
          {costLabels(cost, check).map((words) => (
            <p key={words}>{words}</p>
          ))}
          <p class="quiet">You have {formatCredits(check.credits.balance)} credits.</p>
        </div>
      </div>
      <Notice kind={room.kind}>
        <p>{room.words}</p>
      </Notice>
    </Section>
  );
}

function Choice({
  isChosen,
  label,
  onChoose,
}: {
  readonly isChosen: boolean;
  readonly label: string;
  readonly onChoose: () => void;
}) {
  return (
    <label class="choice">
      <input type="radio" name="how-much" checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}
