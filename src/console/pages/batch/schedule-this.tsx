import type { Body } from '../../api/client.ts';

type Batch = Body<'Batch'>;

/** Link to a new schedule with the rows and options of a batch. */
export function ScheduleThis({ id }: Pick<Batch, 'id'>) {
  return (
    <a class="button" href={`/schedules/new?batch=${id}`}>
      Schedule this
    </a>
  );
}

/** True for a batch whose rows are there, and that searches ads of companies. */
export function isSchedulable({ state, purged_at: purgedAt, operations }: Batch): boolean {
  return state !== 'loading' && purgedAt === null && operations.includes('ads_search');
}
