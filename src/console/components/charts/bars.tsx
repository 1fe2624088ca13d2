import { formatCount } from '../values.tsx';

/** Row of a bar chart. */
export interface Bar {
  readonly name: string;
  readonly count: number;
  /** Link target. */
  readonly href?: string;
  readonly tone?: 'good' | 'bad' | 'warm' | 'cool' | 'plain';
  /** Note beside the number. */
  readonly note?: string;
}

/** Bar chart as an accessible table; the longest bar takes the whole width. */
export function Bars({
  caption,
  head,
  bars,
}: {
  readonly caption: string;
  readonly head: string;
  readonly bars: readonly Bar[];
}) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table class="bars">
      <caption class="hidden">{caption}</caption>
      <thead class="hidden">
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, count, href, tone = 'cool', note }) => (
          <tr key={name}>
            <th scope="row">{href === undefined ? name : <a href={href}>{name}</a>}</th>
            <td>
              <progress class={`bar bar-${tone}`} max={most} value={count} aria-hidden="true" />
              <span class="number">{formatCount(count)}</span>
              {note !== undefined && <span class="quiet small"> {note}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
