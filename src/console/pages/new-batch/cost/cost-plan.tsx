import type { Body } from '../../../api/client.ts';
import { Field } from '../../../components/forms/field.tsx';
import { Banner } from '../../../components/banner.tsx';
import { Section } from '../../../components/page.tsx';
import { formatCredits } from '../../../components/values.tsx';
import { CapField } from './cap-field.tsx';
import { costMessages, budgetMessage } from './cost-messages.ts';
import { costOf, parseBudget, trialRows } from './cost.ts';
import { changeDraft, type Draft } from '../draft.ts';

/** Cost of the batch, with the choice of rows and budget. */
export function CostPlan({ draft, check }: { readonly draft: Draft; readonly check: Body<'Check'> }) {
  const budget = parseBudget(draft.budget);
  const cost = costOf(check, draft.isTrial, budget ?? null);
  const { kind, message } = budgetMessage(cost, check.credits.balance, budget ?? null);
  return (
    <Section title="Cost">
      <div class="columns">
        <div class="card">
          <fieldset>
            <legend>Rows to run</legend>
            <Choice
              isChosen={!draft.isTrial}
              label="All rows"
              onChoose={() => changeDraft({ isTrial: false })}
            />
            <Choice
              isChosen={draft.isTrial}
              label={`First ${trialRows} rows as a test`}
              onChoose={() => changeDraft({ isTrial: true })}
            />
          </fieldset>
          <Field
            label="Budget in credits"
            hint="Leave empty for no limit. At the limit, the batch waits."
            error={budget === undefined ? 'Enter an amount such as 25 or 2.5.' : undefined}
          >
            <input
              inputMode="decimal"
              size={12}
              value={draft.budget}
              onInput={({ currentTarget }) => changeDraft({ budget: currentTarget.value })}
            />
          </Field>
          <CapField value={draft.cap} onChange={(cap) => changeDraft({ cap })} />
        </div>
        <div class="card cost" aria-live="polite">
          <p class="cost-range">
            0 to {formatCredits(cost.atMost)} <span class="small">credits</span>
          </p>
          {costMessages(cost, check).map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p class="quiet">Available: {formatCredits(check.credits.balance)} credits</p>
        </div>
      </div>
      <Banner kind={kind}>
        <p>{message}</p>
      </Banner>
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
      <input type="radio" name="rows-to-run" checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}
