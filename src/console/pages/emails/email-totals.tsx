import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { formatCount } from '../../components/format.ts';
import { emailStatusNames } from '../../components/result-labels.ts';
import { keyOf } from '../results/filter.ts';

/** Numbers of verdicts by status. Each is a button that filters by it. */
export function EmailTotals({
  query,
  counts,
}: {
  readonly query: Query;
  /** Counts under the other filters; undefined while unknown. */
  readonly counts: Body<'EmailCounts'> | undefined;
}) {
  const chosen = keyOf(emailStatusNames, query.get('status')) ?? '';
  const totals = [
    { status: '', name: 'All', count: counts?.total },
    ...(Object.keys(emailStatusNames) as (keyof typeof emailStatusNames)[]).map((status) => ({
      status,
      name: emailStatusNames[status],
      count: counts?.statuses[status],
    })),
  ];
  return (
    <div class="totals" role="group" aria-label="Verdicts">
      {totals.map(({ status, name, count }) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === chosen}
          onClick={() => query.set({ status })}
        >
          {name} {count !== undefined && <strong>{formatCount(count)}</strong>}
        </button>
      ))}
    </div>
  );
}
