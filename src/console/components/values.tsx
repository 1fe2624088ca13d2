import { dateFormat } from './dates/date-language.ts';
export * from './format.ts';

const moments = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });
const exact = dateFormat({ dateStyle: 'full', timeStyle: 'long' });

/** Time in the browser's time zone, with the exact one as a tooltip; `none` for null. */
export function Moment({ at, none = '–' }: { readonly at: string | null; readonly none?: string }) {
  if (at === null) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact(date)}>
      {moments(date)}
    </time>
  );
}
