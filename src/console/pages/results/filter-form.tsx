import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { Field } from '../../components/forms/field.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { formatCount } from '../../components/values.tsx';
import { emailStatusNames, filterNames, outcomeNames, recommendationNames } from './filter.ts';

type Counts = readonly { readonly value: string; readonly count: number }[];

/** Filters of results. */
export function FilterForm({
  query,
  tab,
  facets,
  operations,
}: {
  readonly query: Query;
  readonly tab: 'companies' | 'ads';
  readonly facets: Body<'Facets'> | undefined;
  readonly operations: Body<'Batch'>['operations'];
}) {
  const hasEmails = operations.includes('email_validation');
  const hasAds = operations.includes('ads_search');
  const choose = (name: string) => (value: string) => query.set({ [name]: value });
  const isFiltered = filterNames.some((name) => query.get(name) !== '');
  return (
    <SearchForm query={query} label="Results" placeholder="Company, address …">
      {tab === 'companies' && hasAds && (
        <ChoiceField
          label="Outcome"
          all="All"
          value={query.get('outcome')}
          choices={countedChoices(outcomeNames, facets?.outcomes)}
          onChoose={choose('outcome')}
        />
      )}
      {hasAds && (
        <>
          <ChoiceField
            label="Ad format"
            all="All"
            value={query.get('ad_format')}
            choices={(facets?.formats ?? []).map(({ value, count }) => ({
              value,
              name: `${value} (${formatCount(count)})`,
            }))}
            onChoose={choose('ad_format')}
          />
          <ChoiceField
            label="Advertiser"
            all="All"
            value={query.get('advertiser_id')}
            choices={(facets?.advertisers ?? []).map(({ id, name, count }) => ({
              value: id,
              name: `${name ?? id} (${formatCount(count)})`,
            }))}
            onChoose={choose('advertiser_id')}
          />
          <Field label="Seen since">
            <input
              type="date"
              value={query.get('seen_since')}
              onChange={({ currentTarget }) => choose('seen_since')(currentTarget.value)}
            />
          </Field>
        </>
      )}
      {hasEmails && (
        <>
          <ChoiceField
            label="E-mail"
            all="All"
            value={query.get('email_status')}
            choices={countedChoices(emailStatusNames, facets?.email_statuses)}
            onChoose={choose('email_status')}
          />
          <ChoiceField
            label="Recommendation"
            all="All"
            value={query.get('recommendation')}
            choices={countedChoices(recommendationNames, facets?.recommendations)}
            onChoose={choose('recommendation')}
          />
        </>
      )}
      <FilterChips query={query} />
      {isFiltered && (
        <button type="button" class="plain" onClick={() => query.set(noFilters)}>
          Clear filters
        </button>
      )}
    </SearchForm>
  );
}

const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

/** Choices with their counts, without those of count 0; all choices until the counts are loaded. */
function countedChoices(names: Readonly<Record<string, string>>, counts: Counts | undefined) {
  return Object.entries(names).flatMap(([value, name]) => {
    if (counts === undefined) return [{ value, name }];
    const count = counts.find((each) => each.value === value)?.count;
    return count === undefined ? [] : [{ value, name: `${name} (${formatCount(count)})` }];
  });
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
