import { batchOrigins, describeOrigin } from '../../../core/batches/batch-origin.ts';
import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { batchStateNames } from '../../components/batch-state.tsx';
import { formatCount } from '../../components/format.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';

/** Filters of the batches, with the number of each choice. */
export function BatchFilterForm({
  query,
  counts,
}: {
  readonly query: Query;
  /** Null while unknown. */
  readonly counts: Body<'BatchCounts'> | null;
}) {
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : `${name} (${formatCount(count)})`;
  return (
    <SearchForm query={query} label="Batches" placeholder="Name, file or tag">
      <ChoiceField
        label="State"
        all="All"
        value={query.get('state')}
        choices={batchStateNames.map(({ value, name }) => ({
          value,
          name: counted(name, counts?.states[value]),
        }))}
        onChoose={(state) => query.set({ state })}
      />
      <ChoiceField
        label="Origin"
        all="All"
        value={query.get('origin')}
        choices={batchOrigins.map((kind) => ({ value: kind, name: describeOrigin({ kind, from: null }) }))}
        onChoose={(origin) => query.set({ origin })}
      />
      <ChoiceField
        label="Tag"
        all="All"
        value={query.get('tag')}
        choices={(counts?.tags ?? []).map(({ tag, batches }) => ({
          value: tag,
          name: counted(tag, batches),
        }))}
        onChoose={(tag) => query.set({ tag })}
      />
      <ChoiceField
        label="Show"
        all="Batches"
        value={query.get('archived')}
        choices={[{ value: 'true', name: counted('Archived batches', counts?.archived) }]}
        onChoose={(archived) => query.set({ archived })}
      />
    </SearchForm>
  );
}
