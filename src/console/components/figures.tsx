import type { ComponentChildren } from 'preact';

/** Key figure with its name and a note. */
export interface Figure {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
}

/** Key figures of a page, side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note }) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
