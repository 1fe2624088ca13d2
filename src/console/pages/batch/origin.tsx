import { describeOrigin } from '../../../core/batches/batch-origin.ts';
import type { Body } from '../../api/client.ts';

type Origin = NonNullable<Body<'Batch'>['origin']>;

/** Pages of the origins that have one. */
const pages: Partial<Record<Origin['kind'], string>> = {
  schedule: '/schedules',
  inbox: '/inboxes',
  run_again: '/batches',
};

/** Origin of a batch as text, such as "scan of rivals". Empty for an older batch without one. */
export function originText(origin: Origin | null): string {
  if (origin === null) return '';
  const { kind, id, name } = origin;
  return describeOrigin({ kind, from: id === null || name === null ? null : { id, name } });
}

/** Origin of a batch, with a link to its schedule, inbox or batch. */
export function BatchOrigin({ origin }: { readonly origin: Origin }) {
  const { kind, id, name } = origin;
  const text = originText(origin);
  const page = pages[kind];
  if (page === undefined || id === null || name === null) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, text.length - name.length)}
      <a href={`${page}/${id}`}>{name}</a>
    </span>
  );
}
