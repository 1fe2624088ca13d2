import type { ComponentChildren } from 'preact';

/** List of settings with their values. */
export function Terms({
  terms,
}: {
  readonly terms: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="terms card">
      {terms.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
