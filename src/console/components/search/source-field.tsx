import { useLoad } from '../../api/use-load.ts';
import { ChoiceField } from '../forms/choice-field.tsx';
import { listSources } from './list-sources.ts';
import { defaultLabel, sourceLabel } from './source-label.ts';

/** Choice of the ad source among those that are set up, each with its price. Several sources, set by a command, are kept as they are. */
export function SourceField({
  value,
  error,
  onChoose,
}: {
  /** Names of sources, separated by commas; empty: the default ones. */
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChoose: (value: string) => void;
}) {
  const { data: sources = [], error: failure } = useLoad('sources', listSources);
  return (
    <ChoiceField
      label="Ad source"
      all={defaultLabel(sources)}
      value={value}
      error={error ?? failure?.message}
      choices={sources
        .filter(({ configured }) => configured)
        .map((source) => ({ value: source.name, name: sourceLabel(source) }))}
      onChoose={onChoose}
    />
  );
}
