export * from './format.ts';

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** A moment in the zone of who looks, the exact one when pointed at; nothing for none. */
export function Moment({ at, none = '–' }: { readonly at: string | null; readonly none?: string }) {
  if (at === null) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {moments.format(date)}
    </time>
  );
}
