import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import type { Query } from '../../api/use-query.ts';
import { ChoiceField } from '../../components/forms/choice-field.tsx';
import { SearchForm } from '../../components/forms/search-form.tsx';
import { recommendationNames } from '../../components/result-labels.ts';
import { reasonLabel } from './reason-label.ts';

/** Filters of verdicts: text, batch, recommendation and reason. */
export function EmailFilterForm({
  query,
  shown,
}: {
  readonly query: Query;
  readonly shown: readonly Body<'EmailVerdict'>[];
}) {
  // The newest batches. An older one from the URL is offered by its name, too.
  const loaded = useLoad('batches with addresses', (signal) =>
    read(api.GET('/v1/batches', { params: { query: { limit: 100, archived: 'all' } }, signal })),
  );
  const [batch, reason] = [query.get('batch'), query.get('reason')];
  const batches = (loaded.data?.batches ?? [])
    .filter(({ operations }) => operations.includes('email_validation'))
    .map(({ id, name }) => ({ value: id, name }));
  const isListed = batch === '' || batches.some(({ value }) => value === batch);
  const older = isListed ? [] : [{ value: batch, name: shown[0]?.batch_name ?? batch }];
  return (
    <SearchForm query={query} label="Verdicts" placeholder="Part of an address">
      <ChoiceField
        label="Batch"
        all="All"
        value={batch}
        choices={[...older, ...batches]}
        onChoose={(chosen) => query.set({ batch: chosen })}
      />
      <ChoiceField
        label="Recommendation"
        all="All"
        value={query.get('recommendation')}
        choices={Object.entries(recommendationNames).map(([value, name]) => ({ value, name }))}
        onChoose={(recommendation) => query.set({ recommendation })}
      />
      {reason !== '' && (
        <button type="button" class="chip" onClick={() => query.set({ reason: '' })}>
          {reasonLabel(reason)} <span aria-hidden="true">×</span>
          <span class="hidden">: remove filter</span>
        </button>
      )}
    </SearchForm>
  );
}
