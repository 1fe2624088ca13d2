import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Field } from '../../components/forms/field.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { formatCount } from '../../components/values.tsx';
import { emailStatusNames, outcomeNames, recommendationNames } from '../../components/result-labels.ts';
import { filterNames, type ResultTab } from './filter.ts';

type Facets = Body<'Facets'> | undefined;
type Counts = readonly { readonly value: string; readonly count: number }[];

/** Filters of results. */
export function FilterForm({
  query,
  tab,
  facets,
  operations,
}: {
  readonly query: Query;
  readonly tab: ResultTab;
  readonly facets: Facets;
  readonly operations: Body<'Batch'>['operations'];
}) {
  const hasAds = operations.includes('ads_search');
  const isFiltered = filterNames.some((name) => query.get(name) !== '');
  return (
    <SearchForm query={query} label="Results" placeholder="Company, address …">
      {tab === 'companies' && hasAds && (
        <ChoiceField
          label="Outcome"
          all="All"
          value={query.get('outcome')}
          choices={countedChoices(outcomeNames, facets?.outcomes)}
          onChoose={(outcome) => query.set({ outcome })}
        />
      )}
      {hasAds && <AdFilters query={query} facets={facets} />}
      {operations.includes('email_validation') && <EmailFilters query={query} facets={facets} />}
      <FilterChips query={query} />
      {isFiltered && (
        <button type="button" class="plain" onClick={() => query.set(noFilters)}>
          Clear filters
        </button>
      )}
    </SearchForm>
  );
}

function AdFilters({ query, facets }: { readonly query: Query; readonly facets: Facets }) {
  return (
    <>
      <ChoiceField
        label="Ad format"
        all="All"
        value={query.get('ad_format')}
        choices={(facets?.formats ?? []).map(({ value, count }) => countedChoice(value, value, count))}
        onChoose={(ad_format) => query.set({ ad_format })}
      />
      <ChoiceField
        label="Advertiser"
        all="All"
        value={query.get('advertiser_id')}
        choices={(facets?.advertisers ?? []).map(({ id, name, count }) =>
          countedChoice(id, name ?? id, count),
        )}
        onChoose={(advertiser_id) => query.set({ advertiser_id })}
      />
      <Field label="Seen since">
        <input
          type="date"
          value={query.get('seen_since')}
          onChange={({ currentTarget }) => query.set({ seen_since: currentTarget.value })}
        />
      </Field>
    </>
  );
}

function EmailFilters({ query, facets }: { readonly query: Query; readonly facets: Facets }) {
  return (
    <>
      <ChoiceField
        label="E-mail"
        all="All"
        value={query.get('email_status')}
        choices={countedChoices(emailStatusNames, facets?.email_statuses)}
        onChoose={(email_status) => query.set({ email_status })}
      />
      <ChoiceField
        label="Recommendation"
        all="All"
        value={query.get('recommendation')}
        choices={countedChoices(recommendationNames, facets?.recommendations)}
        onChoose={(recommendation) => query.set({ recommendation })}
      />
    </>
  );
}

const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

/** Choices with their counts, without those of count 0; all choices until the counts are loaded. */
function countedChoices(names: Readonly<Record<string, string>>, counts: Counts | undefined) {
  return Object.entries(names).flatMap(([value, name]) => {
    if (counts === undefined) return [{ value, name }];
    const count = counts.find((each) => each.value === value)?.count;
    return count === undefined ? [] : [countedChoice(value, name, count)];
  });
}

function countedChoice(value: string, name: string, count: number) {
  return { value, name: `${name} (${formatCount(count)})` };
}

/** Buttons that remove the filters without a field. */
function FilterChips({ query }: { readonly query: Query }) {
  const chips = (['company_domain', 'company_name', 'reason'] as const).flatMap((name) =>
    query.get(name) === '' ? [] : [{ name, value: query.get(name) }],
  );
  return (
    <>
      {chips.map(({ name, value }) => (
        <button key={name} type="button" class="chip" onClick={() => query.set({ [name]: '' })}>
          {name === 'reason' ? 'Reason: ' : 'Company: '}
          {value} <span aria-hidden="true">×</span>
          <span class="hidden">: remove filter</span>
        </button>
      ))}
    </>
  );
}
